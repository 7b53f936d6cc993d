import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { authenticate } from '../../server/src/access/browser/authenticate.ts';
import { identifyReader as identifyAnyReader, identifyCaller } from '../../server/src/access/identify-caller.ts';
import { createToken } from '../../server/src/access/manage-tokens.ts';
import { registerBuildAdminRoutes } from '../../server/src/builds/http/build-admin-routes.ts';
import { createApp } from '../../server/src/compose/app.ts';
import { knownSecretTexts } from '../../server/src/compose/hosts.ts';
import { storedOf } from '../../server/src/compose/services.ts';
import type { Caller } from '../../server/src/core/repo/caller.ts';
import { type GitHosts, listHosts } from '../../server/src/core/repo/git-host.ts';
import { createAskProvider } from '../../server/src/hosts/facts/ask-provider.ts';
import { registerHealthRoutes } from '../../server/src/operations/http/health-routes.ts';
import type { TrustedProxies } from '../../server/src/platform/http/client-address.ts';
import type { RegisterRoutes } from '../../server/src/platform/http/router.ts';
import { createHttpServer } from '../../server/src/platform/http/server.ts';
import type { Linger } from '../../server/src/platform/http/unread-body.ts';
import { createSecrets } from '../../server/src/platform/secrets/create-secrets.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import { createAddresses } from '../../server/src/platform/web/addresses.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { registerRepoRoutes } from '../../server/src/repos/http/repos-routes.ts';
import { registerSettingsRoutes } from '../../server/src/repos/http/settings-routes.ts';
import type { Services } from '../../server/src/services/services.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { PERIODS } from '../contract/records.ts';
import { githubHost } from './hosts.ts';
import { aPageOf } from './page-context.ts';

/** One line that the server logged. */
export interface LoggedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}

export interface HttpAppOptions {
  readonly basePath?: string;
  readonly trustProxy?: TrustedProxies;
  readonly linger?: Linger;
  /** Milliseconds; 30 s by default. */
  readonly answerStall?: number;
  /** REQUIRE_SIGN_IN. */
  readonly requireSignIn?: boolean;
  /** Replaces parts of the store, for failures that a real one does not have at hand. */
  readonly checkStore?: () => Promise<void>;
  /** Milliseconds since any moment, for what is remembered a while. */
  readonly now?: () => number;
  /** Whether the server has a credential for GitHub. Default: it has. */
  readonly hasCredential?: boolean;
  /** Whether the server signs in as an App. Default: it does not. */
  readonly isApp?: () => boolean;
  /** Routes beside those for repos and health. */
  readonly routes?: readonly ((router: Parameters<RegisterRoutes>[0], services: Services) => void)[];
}

export const ADMIN_TOKEN = 'the-admin-token-of-these-tests';

/** The HTTP API and pages of the server over SQLite in memory, listening on a free port. */
export async function startHttpApp(options: HttpAppOptions = {}) {
  const store = await openStore({ url: 'sqlite::memory:' });
  const key = createSecretKey(randomBytes(32));
  const secrets = createSecrets({ key, previousKey: undefined, randomBytes });
  const time = { now: Date.UTC(2026, 0, 2, 3, 4, 5, 678) };
  const clock = { now: () => time.now };
  const lines: LoggedLine[] = [];
  const state = { stopping: false, due: 0 };
  const log = (level: LoggedLine['level']) => (fields: object, sentence: string) =>
    void lines.push({ level, fields: { ...fields }, sentence });
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const askProvider = createAskProvider({ facts: store.facts, providerOf: () => undefined, clock, logger });
  const hosts = knownHosts(options);
  const known = {
    ...storedOf(store),
    config: {
      requireSignIn: options.requireSignIn ?? true,
      adminToken: ADMIN_TOKEN,
      adminGroup: undefined,
      allowedOwners: [],
      runChecksPerMinute: 0,
      quietPeriod: PERIODS.quiet,
    },
    groups: { of: async (account) => account } as Services['groups'],
    secrets,
    clock,
    hosts: hosts as Services['hosts'],
  };
  const identifyReader = authenticate((credentials) => identifyAnyReader(known, credentials));
  const services = {
    ...known,
    askProvider,
    resolveAccess: async (caller: Caller) => caller,
    timers: systemTimers,
    identifyCaller: authenticate((credentials) => identifyCaller(known, credentials)),
    identifyReader,
    addresses: createAddresses(() => 'http://localhost'),
    onDue: () => void state.due++,
    onResumed: () => void state.due++,
  } as unknown as Services;
  const newRequestId = (): string => randomUUID();
  const isStopping = (): boolean => state.stopping;
  const { app } = createApp({
    logger,
    newRequestId,
    isStopping,
    secretTexts: knownSecretTexts({ secretValues: [ADMIN_TOKEN] }),
    now: () => performance.now(),
    trustProxy: options.trustProxy ?? { kind: 'none' },
    basePath: options.basePath ?? '',
    pageOf: aPageOf(),
    ...(options.linger === undefined ? {} : { linger: options.linger }),
    routes: [
      ...OF_OWNERS.map((register) => (router: Parameters<RegisterRoutes>[0]) => register(router, services)),
      (router) =>
        registerHealthRoutes(
          router,
          { ...services, isStopping, baseUrl: () => 'https://coverage.example' },
          {
            checkStore: options.checkStore ?? (() => store.check()),
            examineServer: () => Promise.reject(new Error('not asked here')),
            now: options.now ?? (() => performance.now()),
          },
        ),
      ...(options.routes ?? []).map(
        (register) => (router: Parameters<RegisterRoutes>[0]) => register(router, services),
      ),
    ],
  });
  const server = createHttpServer({
    app,
    logger,
    newRequestId,
    ...(options.answerStall === undefined ? {} : { answerStall: options.answerStall }),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    server,
    store: store as Store,
    secrets,
    time,
    state,
    lines,
    identifyReader,
    /** A new personal token of a user. */
    tokenOf: async (user: string, role: 'user' | 'administrator' = 'user') =>
      (await createToken({ tokens: store.tokens, secrets, clock }, { user, role })).token,
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store.close();
    },
  };
}

/** GitHub, as the options have it at the moment. */
function knownHosts({ hasCredential = true, isApp = () => false }: HttpAppOptions): GitHosts {
  const now = () => githubHost(hasCredential ? { provider: {} as Provider, app: isApp() ? AN_APP : undefined } : {});
  return { all: [now()], of: (repo) => listHosts([now()]).of(repo) };
}

const AN_APP = { id: 1, forgetInstallation() {} };

/** What the owners of repos use, in the order in which compose registers it. */
const OF_OWNERS = [registerSettingsRoutes, registerRepoRoutes, registerBuildAdminRoutes];

export type HttpApp = Awaited<ReturnType<typeof startHttpApp>>;

/** A JSON request as the repos API documents it. */
export function jsonRequest(method: string, token: string | undefined, body?: unknown): RequestInit {
  return {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `token ${token}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}
