import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { BuildJson, CloseAnswer } from '@coverage/shared';
import { createToken } from '../../server/src/access/manage-tokens.ts';
import { compose } from '../../server/src/compose/compose.ts';
import { knownSecretTexts } from '../../server/src/compose/hosts.ts';
import { logAudit } from '../../server/src/compose/log-lines.ts';
import { type Config, readConfig } from '../../server/src/config/config.ts';
import { readHostApps } from '../../server/src/platform/host-apps.ts';
import { openSecrets } from '../../server/src/platform/secrets/open-secrets.ts';
import { createPasswords } from '../../server/src/platform/secrets/passwords.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { type CoverageApi, coverageApi, type Reply, type RepoJson } from './coverage-api.ts';
import type { GithubStandIn } from './github-stand-in/github-stand-in.ts';
import { createLogbook, type Logbook } from './logbook.ts';
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
export interface Service {
  readonly url: string;
  readonly port: number;
  /** Speaks as the administrator. */
  readonly api: CoverageApi;
  readonly adminToken: string;
  readonly store: Store;
  readonly config: Config;
  /** Every method and path that its router serves. */
  readonly routes: readonly string[];
  /** Everything that was logged, with its fields as they were passed. */
  readonly log: Logbook;
  /** The time of its workers, deadlines and back-offs. */
  readonly time: MovedTime;
  /** A new personal token. */
  tokenOf(user: string, role?: 'user' | 'administrator'): Promise<string>;
  /** A repo of its own for a test; default: `manual`. */
  newRepo(
    fields?: { readonly name?: string; readonly service?: string } & Record<string, unknown>,
  ): Promise<RepoJson & { token: string }>;
  /** Changes a repo's settings; fails unless that is done. */
  change(repo: RepoJson, settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Uploads a job; fails unless it is accepted. */
  upload(job: object): Promise<Uploaded>;
  /** Closes a parallel build; fails unless that is done. Answers the build as it is then. */
  close(token: string, buildNumber: string | number, carryforward?: string): Promise<BuildJson>;
  /** A build by id or sha, whatever its state. */
  build(reference: string): Promise<BuildJson>;
  /** Waits until a build is closed and nothing is due in it. */
  closed(build: string): Promise<BuildJson>;
  /** Uploads a job that is not parallel, and waits for its build to close. */
  uploadAlone(job: object): Promise<BuildJson>;
  stop(): Promise<void>;
}

/** Starts the service as main.ts does, on SQLite in memory and a free port. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
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
    api,
    adminToken: ADMIN_TOKEN,
    store,
    config,
    routes: service.routes,
    log,
    time,
    tokenOf: async (user, role = 'user') =>
      (await createToken({ tokens: store.tokens, secrets, clock }, { user, role })).token,
    ...stepsOf(api, time),
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

function stepsOf(
  api: CoverageApi,
  time: MovedTime,
): Pick<Service, 'newRepo' | 'change' | 'upload' | 'close' | 'build' | 'closed' | 'uploadAlone'> {
  const build = async (reference: string): Promise<BuildJson> => taken(await api.buildJson(reference));
  const closed = (id: string): Promise<BuildJson> =>
    waitFor(
      async () => {
        const found = await build(id);
        return found.state === 'closed' ? found : undefined;
      },
      { what: `build ${id} to close`, intervalMs: 5, meanwhile: time.skipPause },
    );
  const upload = async (job: object): Promise<Uploaded> => {
    const { message, url } = taken(await api.uploadJob(job));
    const stored = taken(await api.jobJson(url.slice(url.lastIndexOf('/') + 1)));
    return { job: stored.id, build: stored.build, message, url };
  };
  return {
    build,
    closed,
    upload,
    newRepo(fields = {}) {
      repos += 1;
      return api.createRepo({ service: 'manual', name: `acme/shop-${repos}`, ...fields });
    },
    async change(repo, settings) {
      const headers = { 'content-type': 'application/json', authorization: `token ${ADMIN_TOKEN}` };
      const path = `/api/v1/repos/${repo.service}/${repo.name}`;
      taken(await api.send(path, { method: 'PUT', headers, body: JSON.stringify({ repo: settings }) }));
    },
    async close(token, buildNumber, carryforward) {
      const asked = {
        repo_token: token,
        build_num: buildNumber,
        ...(carryforward === undefined ? {} : { carryforward }),
      };
      const { url } = taken<CloseAnswer>(await api.closeBuild(asked));
      return build(url.slice(url.lastIndexOf('/') + 1));
    },
    uploadAlone: async (job) => closed((await upload(job)).build),
  };
}

function taken<T>(reply: Reply<T>): T {
  if (reply.status !== 200) throw new Error(`Answered ${reply.status}: ${reply.text}`);
  return reply.json;
}
