import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { BuildJson, CloseAnswer } from '@coverage/shared';
import { createToken } from '../../server/src/access/manage-tokens.ts';
import { compose } from '../../server/src/compose/compose.ts';
import { knownSecretTexts } from '../../server/src/compose/hosts.ts';
import { logAudit } from '../../server/src/compose/log-lines.ts';
import { readConfig } from '../../server/src/config/config.ts';
import type { Build } from '../../server/src/core/builds/build.ts';
import { readHostApps } from '../../server/src/platform/host-apps.ts';
import { openSecrets } from '../../server/src/platform/secrets/open-secrets.ts';
import { createPasswords } from '../../server/src/platform/secrets/passwords.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { type CoverageApi, coverageApi, type Reply, type RepoJson } from './coverage-api.ts';
import type { GithubStandIn } from './github-stand-in/github-stand-in.ts';
import { createLogbook } from './logbook.ts';
import { databaseUrl } from './mongod/database-url.ts';
import { createMovedTime, createRealTime, type MovedTime } from './moved-time.ts';
import { waitFor } from './wait-for.ts';

/** The pauses within a call of GitHub are not the service's own to move. In ms. */
const READ_RETRY_PAUSE = 5;
const ADMIN_TOKEN = 'admin-token-of-the-tests-0123456789abcdef';

export interface ServiceOptions {
  /** As docs/configuration.md names them; what a test states wins. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where statuses and comments go; without one nothing is announced. */
  readonly github?: GithubStandIn;
  /** The git hosts in place of those that this version knows. */
  readonly hostKinds?: Parameters<typeof compose>[0]['hostKinds'];
  /** Puts something between the service and its store. */
  readonly changeStore?: (store: Store) => Store;
}

/** Where an accepted job went. */
export interface Uploaded {
  /** Ids, as in the addresses. */
  readonly job: string;
  readonly build: string;
  /** `Job #<build>.<n>` */
  readonly message: string;
  readonly url: string;
}

/** The whole service in this process: real store, real threads, real workers, a socket of its own. */
export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the service as main.ts does, on SQLite in memory and a free port. */
export async function startService(options: ServiceOptions = {}) {
  const { github, env } = options;
  const config = readConfig(
    {
      PORT: '0',
      ...storeOfTests(),
      ADMIN_TOKEN,
      WORKER_THREADS: '1',
      GITHUB_WRITES_PER_SECOND: '100',
      ...(github === undefined ? {} : { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token }),
      ...env,
    },
    (path) => readFileSync(path, 'utf8'),
  );
  const log = createLogbook();
  const opened = await openStore({ url: config.databaseUrl, onAudit: logAudit(log) });
  const store = options.changeStore?.(opened) ?? opened;
  const { secrets } = await openSecrets(config, store);
  const hasPreviousKey = config.previousSecretKey !== undefined;
  const { apps: hostApps } = await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey });
  let bound = '';
  const time = opened.isShared ? createRealTime() : createMovedTime();
  const { clock, timers } = time;
  const service = compose({
    config,
    store,
    secrets,
    hostApps,
    secretTexts: knownSecretTexts(config),
    passwords: createPasswords({ randomBytes, cost: { log2: 4, blocks: 8, parallelism: 1 } }),
    logger: log,
    clock,
    timers,
    ...(options.hostKinds && { hostKinds: options.hostKinds }),
    readRetryPause: READ_RETRY_PAUSE,
    baseUrl: () => config.baseUrl ?? bound,
  });
  service.listener.listen(config.port, config.host);
  await once(service.listener, 'listening');
  const { port } = service.listener.address() as AddressInfo;
  bound = `http://${config.host}:${port}`;
  service.start();
  const api = coverageApi(bound, ADMIN_TOKEN);
  return {
    url: bound,
    port,
    /** Speaks as the administrator. */
    api,
    adminToken: ADMIN_TOKEN,
    store: store as Store,
    config,
    /** Every method and path that its router serves. */
    routes: service.routes,
    /** Everything that was logged, with its fields as they were passed. */
    log,
    /** The time of its workers, deadlines and back-offs. */
    time,
    /** A new personal token. */
    tokenOf: async (user: string, role: 'user' | 'administrator' = 'user') =>
      (await createToken({ tokens: store.tokens, secrets, clock }, { user, role })).token,
    ...stepsOf(api),
    ...waitsOf({ api, store, time }),
    async stop() {
      service.beginStop();
      const closed = once(service.listener, 'close');
      service.listener.close();
      service.listener.closeAllConnections();
      await closed;
      await service.stop();
      await store.close();
    },
  };
}

/**
 * SQLite in memory; with TEST_MONGODB_URL (a deployment) a database of its own there, so that every HTTP test runs on
 * MongoDB too.
 */
function storeOfTests(): Readonly<Record<string, string>> {
  const deployment = process.env.TEST_MONGODB_URL;
  if (deployment === undefined) return { DATABASE_URL: 'sqlite::memory:' };
  return { DATABASE_URL: databaseUrl(deployment), SECRET_KEY: randomBytes(32).toString('hex') };
}

/**
 * A build's warnings, except for those that every build of its repo has: these tests' servers often have no
 * GITHUB_TOKEN.
 */
export function warningsOf(build: BuildJson): readonly string[] {
  return build.warnings.filter((warning) => !warning.startsWith('Nothing is announced: '));
}

let repos = 0;

const stepsOf = (api: CoverageApi) => ({
  /** A repo of its own for a test; default: `manual`. */
  newRepo(
    fields: { readonly name?: string; readonly service?: string } & Record<string, unknown> = {},
  ): Promise<RepoJson & { token: string }> {
    repos += 1;
    return api.createRepo({ service: 'manual', name: `acme/shop-${repos}`, ...fields });
  },
  /** Changes a repo's settings; fails unless that is done. */
  async change(repo: Pick<RepoJson, 'service' | 'name'>, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const headers = { 'content-type': 'application/json', authorization: `token ${ADMIN_TOKEN}` };
    const path = `/api/v1/repos/${repo.service}/${repo.name}`;
    taken(await api.send(path, { method: 'PUT', headers, body: JSON.stringify({ repo: settings }) }));
  },
  /** Closes a parallel build; fails unless that is done. Answers the build as it is then. */
  async close(token: string, buildNumber: string | number, carryforward?: string): Promise<BuildJson> {
    const asked = { repo_token: token, build_num: buildNumber, ...(carryforward !== undefined && { carryforward }) };
    const { url } = taken<CloseAnswer>(await api.closeBuild(asked));
    return taken(await api.buildJson(url.slice(url.lastIndexOf('/') + 1)));
  },
});

/** Deadlines of open builds are further away than this, and leases nearer, in ms. */
const SOON = 120_000;
/** On a busy machine the host may answer too late for a close: its verdict is held back for a minute then. In ms. */
const SETTLED_WITHIN = 90_000;

function waitsOf({ api, store, time }: { readonly api: CoverageApi; readonly store: Store; readonly time: MovedTime }) {
  const wait = <T>(what: string, question: () => Promise<T>, timeoutMs = 10_000) =>
    waitFor(question, { what, intervalMs: 5, timeoutMs, meanwhile: time.skipPause });
  const build = async (reference: string): Promise<BuildJson> => taken(await api.buildJson(reference));
  const closed = (id: string): Promise<BuildJson> =>
    wait(`build ${id} to close`, async () => {
      const found = await build(id);
      return found.state === 'closed' ? found : undefined;
    });
  const upload = async (job: object): Promise<Uploaded> => {
    const { message, url } = taken(await api.uploadJob(job));
    const stored = taken(await api.jobJson(url.slice(url.lastIndexOf('/') + 1)));
    return { job: stored.id, build: stored.build, message, url };
  };
  const isDelivered = async (): Promise<boolean> => (await store.outbox.nextDueAt()) === undefined;
  return {
    /** A build by id or sha, whatever its state. */
    build,
    /** Waits until a build is closed and nothing is due in it. */
    closed,
    /** Uploads a job; fails unless it is accepted. */
    upload,
    /** Uploads a job that is not parallel, and waits for its build to close. */
    uploadAlone: async (job: object): Promise<BuildJson> => closed((await upload(job)).build),
    /** Waits until nothing is left to be told to a git host. */
    delivered: async (): Promise<void> => void (await wait('all deliveries', isDelivered)),
    /** The same, and no close is due. */
    async settled(): Promise<void> {
      const isWorkedOut = async () => ((await store.builds.nextDueAt()) ?? Infinity) > time.clock.now() + SOON;
      const isSettled = async () => (await isWorkedOut()) && (await isDelivered());
      await wait('every build to be closed and everything to be delivered', isSettled, SETTLED_WITHIN);
    },
    /** Every build of a repo, oldest first, once nothing is due in any but deadlines, and all is delivered. */
    settledBuilds: (repoId: number): Promise<readonly Build[]> =>
      wait('nothing to be due', async () => {
        const { builds } = await store.builds.list({ repoId, branch: undefined, offset: 0, limit: 100 });
        const isDone = builds.every(({ due }) => due.every(({ kind }) => kind === 'deadline'));
        return isDone && (await isDelivered()) ? builds.toReversed() : undefined;
      }),
  };
}

function taken<T>(reply: Reply<T>): T {
  if (reply.status !== 200) throw new Error(`Answered ${reply.status}: ${reply.text}`);
  return reply.json;
}
