import { setTimeout as sleep } from 'node:timers/promises';
import { coverageApi } from '../coverage-api.ts';
import type { LoggedRequest } from '../github-stand-in/request-log.ts';
import { type FoundProxy, type RunningProxy, startProxy } from '../run-proxy.ts';
import { waitFor } from '../wait-for.ts';
import { createChaosClient, type SendUntilAnswered } from './chaos-client.ts';
import { CHAOS_HOSTS, type ChaosHost, type ChaosStand } from './chaos-host.ts';
import { checkBuilds } from './check-builds.ts';
import { checkComments } from './check-comments.ts';
import { checkServers } from './check-servers.ts';
import { checkStatuses } from './check-statuses.ts';
import { checkParked, checkVerdicts, readDeliveryLog } from './check-trouble.ts';
import { deliveryTimes, setsStatus } from './delivery-times.ts';
import { type ChaosStore, type Deployment, startDeployment } from './deployment.ts';
import { type HostTrouble, lockedIn, troubleOf } from './host-trouble.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { readOutcome, type SeenBuild } from './outcome.ts';
import { makePlan, type Plan } from './plan.ts';
import { REPOS } from './plan-repos.ts';
import { seededRandom } from './random.ts';
import type { RoundSize } from './round-size.ts';
import { runPlan } from './run-plan.ts';
import { setUpHost } from './set-up-host.ts';
import { addFindings, type Tally } from './tally.ts';

export interface Round {
  readonly seed: number;
  readonly size: RoundSize;
  readonly store: ChaosStore;
  /** Default: GitHub. */
  readonly host?: ChaosHost;
  /**
   * Milliseconds in which all must have settled once nobody is killed any more, beside as many as the trouble took:
   * what waits for the git host is looked at again after as long as it has waited.
   */
  readonly settleWithin: number;
  /**
   * Whether to end the leases of killed processes, and the host's trouble, after the last kill, so that closes which
   * come then need not wait until they run out (a minute).
   */
  readonly endLeases: boolean;
  /**
   * What the git host does until all requests are answered (or leases are ended); without it, it does what it should.
   */
  readonly trouble?: HostTrouble;
  /** Given, after findings, what may explain them: a line for each line of a server, call of the git host and build. */
  readonly keepTraces?: (lines: readonly string[]) => Promise<void>;
  /** Given, clients know one address: that of this proxy, with its file of deploy/. */
  readonly proxy?: FoundProxy | undefined;
  /** What each server, by its place, has in its environment besides. */
  readonly envOf?: ((index: number) => Readonly<Record<string, string>>) | undefined;
}

/** How often it is looked whether all has settled, and how long afterward nothing may move, in ms. */
const POLL = 500;
const STILLNESS = 1_500;
/**
 * How long a short round's trouble continues when its builds have begun, in ms: they are still to be closed and
 * announced.
 */
const TROUBLE_GOES_ON = 4_000;
/** On a busy machine, few calls are made in that time: it waits for that many kinds of faults, or for that many ms. */
const ENOUGH_TROUBLE = { kinds: 3, within: 30_000 };

interface Scene {
  readonly round: Round;
  readonly plan: Plan;
  readonly kind: ChaosHost;
  readonly host: ChaosStand;
  readonly deployment: Deployment;
  readonly ledger: Ledger;
}

/** One round: everything is started empty, the plan of the seed is run, and what came out is compared with it. */
export async function runRound(round: Round, tally: Tally): Promise<void> {
  const { seed, size, store, trouble, host: kind = CHAOS_HOSTS.github, proxy: found, envOf } = round;
  const before = tally.findings.length;
  const plan = makePlan(seed, size, kind);
  const host = await kind.start();
  setUpHost(host, plan.builds, lockedIn(trouble));
  const untilDone = () => untilSlowEnd(host);
  const deployment = await startDeployment({ store, servers: size.servers, env: host.env, envOf, untilDone });
  let proxy: RunningProxy | undefined;
  try {
    proxy =
      found &&
      (await startProxy(
        found.kind,
        found.program,
        deployment.servers.map(({ port }) => port),
      ));
    const scene: Scene = { round, plan, kind, host, deployment, ledger: createLedger() };
    const send = createChaosClient({
      urls: proxy ? [proxy.url] : deployment.servers.map(({ url }) => url),
      tokens: await createRepos(deployment, kind),
      statesHeads: kind.statesHeads,
      ledger: scene.ledger,
      tally,
    });
    const begin = performance.now();
    await disturbAndSend(scene, send, tally);
    await settle(scene, { within: performance.now() - begin + round.settleWithin }, tally);
    addFindings(
      tally,
      await checkServers(deployment, { hasFailovers: size.primaryKills > 0, hasHostTrouble: trouble !== undefined }),
    );
    addFindings(tally, checkParked(readDeliveryLog(deployment), lockedIn(trouble)));
    await count(scene, tally);
    if (tally.findings.length > before) await round.keepTraces?.(await tracesOf(scene));
  } finally {
    await proxy?.stop();
    await deployment.dispose();
    await host.close();
  }
}

/** The plan, under the host's trouble where there is any. */
async function disturbAndSend(
  { round, plan, host, deployment }: Scene,
  send: SendUntilAnswered,
  tally: Tally,
): Promise<void> {
  const { seed, size, store, trouble, endLeases } = round;
  if (trouble) host.faults.when(troubleOf(trouble, seededRandom(seed)));
  const begin = performance.now();
  const endTrouble = (): void => {
    host.faults.clear();
    tally.callsInTrouble += trouble ? host.requests().length : 0;
  };
  const onCalm = async (): Promise<void> => {
    if (!endLeases) return;
    if (trouble) {
      await sleep(Math.max(0, begin + size.over + TROUBLE_GOES_ON - performance.now()));
      await untilTroubled(host);
    }
    endTrouble();
    await deployment.startAfresh();
  };
  await runPlan({ send, deployment, store, clients: size.clients, tally, onCalm }, plan);
  if (!endLeases) endTrouble();
}

/** Until the calls that are slow at this moment have taken effect. */
async function untilSlowEnd(host: ChaosStand): Promise<void> {
  const isSlow = ({ fault, status }: LoggedRequest): boolean => fault === 'slow' && status === undefined;
  const slow = new Set(host.requests().flatMap((request) => (isSlow(request) ? [request.index] : [])));
  const areDone = () => !host.requests().some((request) => slow.has(request.index) && isSlow(request));
  await waitFor(areDone, { what: 'the slow calls of a killed server to take effect' });
}

async function untilTroubled(host: ChaosStand): Promise<void> {
  const giveUpAt = performance.now() + ENOUGH_TROUBLE.within;
  const kinds = (): number => new Set(host.requests().flatMap(({ fault }) => fault ?? [])).size;
  while (kinds() < ENOUGH_TROUBLE.kinds && performance.now() < giveUpAt) await sleep(POLL);
}

async function createRepos(deployment: Deployment, { service }: ChaosHost): Promise<ReadonlyMap<string, string>> {
  const [server] = deployment.servers;
  const api = coverageApi(server?.url ?? '', server?.adminToken ?? '');
  const created = await Promise.all(REPOS.map(({ name, settings }) => api.createRepo({ service, name, ...settings })));
  return new Map(created.map(({ name, token }) => [name, token]));
}

/**
 * Looks until nothing is left to be found in two looks with a pause between them: what had come right must stay so. A
 * build may be closed once more in that pause, when an answer of the host comes late; its statuses follow then.
 */
async function settle(scene: Scene, { within }: { readonly within: number }, tally: Tally): Promise<void> {
  const begin = performance.now();
  let rightAt: number | undefined;
  for (;;) {
    const findings = await check(scene);
    const elapsed = performance.now() - begin;
    const isRight = findings.length === 0;
    if (isRight && rightAt !== undefined) tally.settledAfter = Math.max(tally.settledAfter, rightAt);
    if (isRight ? rightAt !== undefined : elapsed >= within) return addFindings(tally, findings);
    rightAt = isRight ? elapsed : undefined;
    await sleep(isRight ? STILLNESS : POLL);
  }
}

async function check(scene: Scene): Promise<readonly string[]> {
  const { plan, kind, host, ledger, round } = scene;
  try {
    const seen = await look(scene);
    return [
      ...checkBuilds(seen, plan.builds, ledger),
      ...checkVerdicts(seen),
      ...checkStatuses(seen, host.statuses, kind),
      ...checkComments(seen, host, lockedIn(round.trouble)),
      ...host.violations().map((violation) => `the host's API does not allow this: ${JSON.stringify(violation)}`),
    ];
  } catch (error) {
    return [`the result could not be read: ${error instanceof Error ? error.message : error}`];
  }
}

/** What the servers wrote, what the host was asked, and what the builds are. */
async function tracesOf(scene: Scene): Promise<readonly string[]> {
  const { deployment, host } = scene;
  const asked = host.requests().map(({ headers: _, ...request }) => JSON.stringify(request));
  const seen = await look(scene).catch(() => []);
  const builds = seen.map(({ repo, age, json }) => JSON.stringify({ repo, age, ...json }));
  return [...deployment.servers.flatMap((server) => server.output()), ...asked, ...builds];
}

async function look({ plan, deployment, kind }: Scene): Promise<readonly SeenBuild[]> {
  const [server] = deployment.servers;
  if (server === undefined) throw new Error('there is no server');
  return readOutcome(server, kind.service, plan.builds);
}

/** For a pull request or merge request. */
const COMMENTS = /\/(?:comments|notes)\b/;

async function count(scene: Scene, tally: Tally): Promise<void> {
  const { plan, host, deployment, ledger } = scene;
  const isWrite = (method: string): boolean => method !== 'GET';
  const requests = host.requests();
  const writes = requests.filter(({ method, processed }) => isWrite(method) && processed);
  tally.rounds += 1;
  tally.builds += plan.builds.length;
  tally.jobs += plan.builds.reduce((sum, { jobs }) => sum + jobs.length, 0);
  tally.failedStarts += deployment.failedStarts().length;
  tally.statuses += writes.filter(setsStatus).length;
  tally.commentWrites += writes.filter(({ path }) => COMMENTS.test(path)).length;
  const { retries, unanswered, parked } = readDeliveryLog(deployment);
  tally.calls += requests.length;
  tally.deliveryRetries += retries;
  tally.unanswered += unanswered;
  tally.parked += parked.length;
  for (const { fault } of requests)
    if (fault !== undefined) tally.faults.set(fault, (tally.faults.get(fault) ?? 0) + 1);
  tally.deliveryTimes.push(...deliveryTimes(await look(scene), requests, ledger));
}
