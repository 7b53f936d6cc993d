import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppSetUp, appSetUpOf } from './apps.ts';
import { type Deliveries, deliveriesOf } from './deliveries.ts';
import { createFaults, type Faults } from './faults.ts';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from './host-set-up.ts';
import { type IdTokenSetUp, idTokensOf } from './id-tokens.ts';
import { createListener } from './listener.ts';
import type { Caller } from './model.ts';
import { createWorld } from './model.ts';
import { type OauthPeople, oauthPeopleOf } from './oauth.ts';
import type { Violation } from './openapi-check.ts';
import { createRateLimit } from './rate-limit.ts';
import { countRequests, createRequestLog, type LoggedRequest, type RequestCounts } from './request-log.ts';

export interface GithubStandInOptions {
  /** Who may call, by token. Default: `stand-in-token` of the user `coverage-bot`, who may write. */
  readonly tokens?: Readonly<Record<string, Caller>>;
  /** Path before the API's own, as on a GitHub Enterprise server: `/api/v3`. */
  readonly basePath?: string;
  /** Calls per token and hour. */
  readonly hourlyLimit?: number;
  /** ms since 1970. */
  readonly now?: () => number;
}

/** GitHub's REST API on a port of its own. Repos are named `<owner>/<name>`. */
export interface GithubStandIn extends HostSetUp, HostContents, AppSetUp, OauthPeople, IdTokenSetUp {
  /** To be given as GITHUB_API_URL. */
  readonly url: string;
  /** The first token of the options. */
  readonly token: string;
  readonly faults: Faults;
  /** What GitHub's webhook is sent about all this. */
  readonly deliveries: Deliveries;
  /** For the Apps that were made of a manifest, in their order. */
  webhookSecrets(): readonly string[];
  /** The private key and the client secret of each of them. */
  appSecrets(): readonly string[];
  requests(): readonly LoggedRequest[];
  /** What the requests cost; `since` is how many there were when the counting begins. */
  costs(since?: number): RequestCounts;
  /** Differences from GitHub's OpenAPI description; a test asserts that there are none. */
  violations(): readonly Violation[];
  /** Cuts all connections and ends. */
  close(): Promise<void>;
}

const defaultTokens: Readonly<Record<string, Caller>> = {
  'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
};

/** Starts an empty GitHub on a free port of 127.0.0.1. */
export async function startGithubStandIn(options: GithubStandInOptions = {}): Promise<GithubStandIn> {
  const { tokens = defaultTokens, basePath = '', hourlyLimit = 5000, now = Date.now } = options;
  const world = createWorld(now);
  const log = createRequestLog();
  const violations: Violation[] = [];
  const { faults, pick } = createFaults();
  const api = {
    world,
    callers: new Map(Object.entries(tokens)),
    rateLimit: createRateLimit({ limit: hourlyLimit, now }),
    report: (violation: Violation): void => void violations.push(violation),
  };
  const server = createServer(createListener({ api, log, pickFault: pick, basePath }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;
  return {
    url: world.apiUrl,
    token: Object.keys(tokens)[0] ?? '',
    faults,
    deliveries: deliveriesOf(world),
    ...settersOf(world),
    ...contentsOf(world),
    ...appSetUpOf(world),
    ...oauthPeopleOf(world),
    ...idTokensOf(world),
    webhookSecrets: () => [...world.webhookSecrets],
    appSecrets: () => [...world.appSecrets],
    requests: log.all,
    costs: (since = 0) => countRequests(log.all().slice(since)),
    violations: () => [...violations],
    close: () => end(server),
  };
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
