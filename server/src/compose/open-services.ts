import { availableParallelism } from 'node:os';
import { authenticate, authenticateReaderOf } from '../access/browser/authenticate.ts';
import { createCurrentGroups } from '../access/current-groups.ts';
import { identifyBuildReader, identifyCaller, identifyReader, type MeantBuild } from '../access/identify-caller.ts';
import { createResolveAccess } from '../access/resolve-access.ts';
import { rememberUploaders, type UploaderServices } from '../access/uploaders/uploader-services.ts';
import { createDeliverer } from '../announcing/deliverer.ts';
import { createOutboxWorker } from '../announcing/outbox-worker.ts';
import { createFetchSource } from '../builds/fetch-source.ts';
import { readVersion } from '../config/version.ts';
import { Failure } from '../core/failure.ts';
import type { OfHost } from '../core/repo/git-host.ts';
import type { RepoService } from '../core/repo/repo.ts';
import { createAskProvider } from '../hosts/facts/ask-provider.ts';
import { createIdTokens } from '../people/openid/id-tokens.ts';
import { createOpenIdProvider } from '../people/openid/openid-provider.ts';
import { loadAssets } from '../platform/http/assets.ts';
import { createCookies } from '../platform/http/cookies.ts';
import { createPageOf } from '../platform/http/page-of.ts';
import { nextTurn } from '../platform/http/turns.ts';
import { createPrometheus } from '../platform/metrics/prometheus.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import { Scheduler } from '../platform/scheduler.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import type { Provider } from '../ports/provider.ts';
import { DEFAULT_INGEST_LIMITS } from '../reports/ingest/ingest.ts';
import { createHighlighter } from '../reports/threads/highlighter.ts';
import { createThreadPool, type ThreadPool } from '../reports/threads/thread-pool.ts';
import { withVisibility } from '../repos/visible-repos.ts';
import type { Services } from '../services/services.ts';
import { createNoteWebhook } from '../webhooks/note-webhook.ts';
import { connectHosts } from './hosts.ts';
import { type Parts, type ServerServices, storedOf } from './services.ts';
import { composeClosing, composeMergingAhead, idleOf, keepTime } from './workers.ts';

/** Tasks that wait for a thread before an upload is refused: the last resort, since no client tries again. */
const MAX_WAITING_TASKS = 256;

/** Comparisons of whole reports at once, requests that may wait for one, and for how long (ms). */
const COMPARISONS = { max: 2, waiting: 20, deadline: 10_000 };

/** The services that live as long as the process, with what works on the store beside requests. */
export function openServices(parts: Parts) {
  const { store, timers, logger, config, baseUrl, secretTexts } = parts;
  const { clock, loop } = keepTime(parts);
  const pool = openPool(parts);
  const measures = { store: () => store.measure(clock.now()), queues: pool.loads, threads: pool.memory };
  const metrics = createPrometheus({ measures, clock, timers });
  const asked = openAsked(parts, { clock, metrics });
  const { hosts } = asked;
  const announcing = composeOutbox(parts, { hosts, clock });
  const mergingAhead = composeMergingAhead(parts, { pool, clock });
  const basePath = config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const shown = { assets: loadAssets(), basePath, version: readVersion() };
  let stopping = false;
  const services: ServerServices = {
    ...parts,
    ...storedOf(store),
    ...shown,
    ...asked,
    clock,
    pool,
    intake: pool,
    engine: pool,
    reader: pool,
    highlighter: createHighlighter({ timers }),
    metrics,
    webhookNotes: createNoteWebhook({ webhooks: store.webhooks, clock, logger }),
    noteJob: mergingAhead.noteJob,
    comparisons: openComparisons(parts),
    addresses: createAddresses(baseUrl),
    cookies: createCookies(baseUrl),
    pageOf: createPageOf({ ...shown, baseUrl, hosts, signIn: true, now: clock.now, secretTexts }),
    turn: nextTurn,
    isStopping: () => stopping,
    onDue: () => closing.nudge(),
    onResumed: announcing.nudge,
    identifyCaller: (context) => readers.identifyCaller(context),
    identifyReader: (context) => readers.identifyReader(context),
    identifyBuildReader: (context, reference) => readers.identifyBuildReader(context, reference),
    identifyJobReader: (context, reference) => readers.identifyJobReader(context, reference),
  };
  const uploaders = rememberUploaders(services);
  const readers = composeReaders(uploaders);
  const closing = composeClosing(services);
  const beginStop = (): void => {
    stopping = true;
  };
  return {
    services,
    uploaders,
    loops: { closing, announcing, mergingAhead: mergingAhead.loop, clock: loop },
    beginStop,
  };
}

/** Other servers, and what is asked of them. */
function openAsked(parts: Parts, { clock, metrics }: Pick<ServerServices, 'clock' | 'metrics'>) {
  const { store, timers, logger, config, baseUrl } = parts;
  const stored = storedOf(store);
  const fetch = createFetch(config.outgoing);
  const { hosts, useApp } = connectHosts({ ...parts, repos: store.repos }, { fetch, clock, metrics });
  const providerOf = (repo: OfHost): Provider | undefined => hosts.of(repo)?.provider;
  const openId = config.openId && createOpenIdProvider(config.openId, { fetch });
  return {
    fetch,
    hosts,
    useApp,
    openId,
    idTokens: createIdTokens({ fetch, clock, timers, hosts, baseUrl }),
    groups: createCurrentGroups({ ...parts, ...stored, openId, clock }),
    askProvider: createAskProvider({ facts: store.facts, providerOf, clock, logger }),
    resolveAccess: createResolveAccess({ ...parts, ...stored, clock, hosts }),
    fetchSource: createFetchSource({ ...parts, ...stored, clock, hosts }),
  };
}

/** What is announced, sent until it has arrived. */
function composeOutbox(
  { store, timers, logger }: Parts,
  { hosts, clock }: Pick<Services, 'hosts' | 'clock'>,
): WorkLoop {
  const { outbox, repos } = store;
  // What a delivery is about has a name alone: whether that repo has a token is known once it is asked about.
  const providerOf = ({ service }: { readonly service: RepoService }) =>
    hosts.of({ service, hostToken: true })?.provider;
  const deliver = createDeliverer({ outbox, repos, providerOf, clock, logger, random: Math.random });
  return createOutboxWorker({ outbox, deliver, clock, timers, logger, ...idleOf(store) });
}

function openPool({ config, logger }: Parts): ThreadPool {
  return createThreadPool({
    threads: config.workerThreads ?? Math.max(1, availableParallelism() - 1),
    limits: { ...DEFAULT_INGEST_LIMITS, reportBytes: config.maxReportBytes },
    maxQueue: MAX_WAITING_TASKS,
    merge: { memory: config.maxMergeMemory, time: config.maxMergeTime },
    onFault: (error) => logger.error({ err: error }, 'a thread ended unexpectedly'),
  });
}

function openComparisons({ timers }: Parts): Services['comparisons'] {
  const refuse = () =>
    new Failure('unavailable', 'The server is busy comparing other builds. Try again in a few seconds.');
  const wait = { max: COMPARISONS.waiting, deadline: COMPARISONS.deadline, refuse };
  return new Scheduler({ capacity: COMPARISONS.max, wait, timers });
}

type Readers = Pick<Services, 'identifyCaller' | 'identifyReader' | 'identifyJobReader' | 'identifyBuildReader'>;

function composeReaders(uploaders: UploaderServices): Readers {
  const { repos, builds, jobs } = withVisibility(uploaders.store, uploaders.config);
  const find = async (buildId: number | undefined): Promise<MeantBuild | undefined> => {
    const build = buildId === undefined ? undefined : await builds.find(buildId);
    const repo = build && (await repos.find(build.repoId));
    return build && repo && { build, repo };
  };
  const readerOf = (buildOf: (id: number) => Promise<number | undefined>) =>
    authenticateReaderOf((asking, reference) =>
      identifyBuildReader(uploaders, asking, async () =>
        /^\d{1,15}$/.test(reference) ? find(await buildOf(Number(reference))) : undefined,
      ),
    );
  return {
    identifyCaller: authenticate((credentials) => identifyCaller(uploaders, credentials)),
    identifyReader: authenticate((credentials) => identifyReader(uploaders, credentials)),
    identifyJobReader: readerOf(async (id) => (await jobs.find(id))?.buildId),
    identifyBuildReader: readerOf(async (id) => id),
  };
}
