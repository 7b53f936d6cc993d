import { coverageApi, shaOf } from '../coverage-api.ts';
import { type AccessForks, type ForkRunOfAccess, openForkBuild } from './access-forks.ts';
import { createTargets, type Target, type Visibility } from './access-targets.ts';

/** With it the host signs what it tells the server. */
export const HOST_SECRET = 'known-to-the-git-host-alone-0123456789';
/** The commit of every build, and of the host's run. */
export const ACCESS_COMMIT = shaOf('head of main');

/** Who asks, as answers.md names them. Several credentials of one caller must be answered alike. */
export const CALLERS = [
  'nobody',
  'unknown',
  'badge',
  'repo',
  'other repo',
  'owner',
  'other user',
  'admin',
  'workflow',
  'other workflow',
] as const;
/** They have tables of their own: the one is answered as nobody nearly everywhere, the other as an unknown token. */
export const FORK_CALLERS = ['fork run', 'fork token'] as const;
/**
 * They have no column: each is answered everywhere as another caller, except for what SCRAPED says. The second is a
 * push's ID token, the third has the repo token in a `workflow_run` of a fork.
 */
export const ALIKE = {
  'lost group': 'other user',
  'workflow that names a pull request': 'workflow',
  'repo token after a fork': 'repo',
  scraper: 'unknown',
} as const satisfies Readonly<Record<string, (typeof CALLERS)[number]>>;
/** The one route that METRICS_TOKEN opens, in the header. */
export const SCRAPED = 'GET /metrics';
export const SCRAPE_TOKEN = 'metrics-token-of-the-tests-0123456789abcdef';
export type CallerName = (typeof CALLERS | typeof FORK_CALLERS)[number] | keyof typeof ALIKE;

/** A running server with everything that can be asked about. */
export interface AccessScene {
  /** For the host whose runs are told of. */
  readonly service: AccessHost['service'];
  readonly url: string;
  /** The build number of every upload. */
  readonly run: string;
  readonly commit: string;
  targetsOf(visibility: Visibility): readonly Target[];
  /** One that the next request may change or remove; the same until it is forgotten. */
  freshOf(wanted: { readonly visibility: Visibility; readonly hasBuild: boolean }): Promise<Target>;
  /** What a request that was granted has used up: the fresh repos and the ID tokens. */
  forgetUsed(): void;
  /** The caller's credentials where `target` is asked about; '' is none. */
  credentialsOf(caller: CallerName, target: Target): readonly string[];
  /** The run that the caller names beside its credential; undefined: none of its own. */
  runOf(caller: CallerName, target: Target): ForkRunOfAccess | undefined;
}

/** A git host with the repos and runs of them, as the server has to know it. */
export interface AccessHost {
  readonly service: 'github' | 'gitlab' | 'bitbucket' | 'stash';
  /** Settings of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The run of acme/closed that the ID tokens are of, as uploads name it. */
  readonly run: string;
  readonly forks: AccessForks;
  /** For a run of acme/closed, and for acme/other: the host vouches for both. Absent: its runs have no such token. */
  readonly tokens?: Readonly<Record<'workflow' | 'otherWorkflow', string>>;
  /** An ID token of that run, or of one of the other repo. Absent: its CI has none, or it has no CI. */
  readonly idTokenOf?: (repo: string, audience: string) => string;
  close(): Promise<void>;
}

export interface AccessSceneDeps {
  readonly host: AccessHost;
  readonly url: string;
  readonly adminToken: string;
  newToken(user: string, role?: 'administrator'): Promise<string>;
  /** A token of somebody whose groups no longer count. */
  newLostGroup(): Promise<string>;
  /** Ends a token of that user. */
  revoke(user: string): Promise<void>;
}

export async function createAccessScene(deps: AccessSceneDeps): Promise<AccessScene> {
  const { host, url, adminToken, newToken, revoke } = deps;
  const { run, forks, tokens: ofHost } = host;
  const maker = await newToken('alice', 'administrator');
  const users = {
    owner: await newToken('alice'),
    other: await newToken('bob'),
    lost: await deps.newLostGroup(),
    admin: await newToken('carol', 'administrator'),
    revoked: await newToken('dora'),
  };
  await revoke('dora');
  const { send } = coverageApi(url, adminToken);
  const targets = createTargets({ send, maker, host: host.service, run, commit: ACCESS_COMMIT });
  const other = await targets.make({
    service: 'manual',
    name: 'acme/else',
    visibility: 'private',
    hasBuild: false,
  });
  const made = await targets.makeAll();
  const first = made.private.find(({ service }) => service === host.service);
  if (first === undefined) throw new Error('no repo was made');
  const { old, target } = await targets.replaceToken(first);
  const all: typeof made = { ...made, private: made.private.map((one) => (one === first ? target : one)) };
  // A new one after each that was taken, for each carries one request; signing takes longer than most requests.
  const idTokens = new Map<string, string>();
  const idTokensOf = (repo: string): readonly string[] => {
    const token = idTokens.get(repo) ?? host.idTokenOf?.(repo, url);
    if (token !== undefined) idTokens.set(repo, token);
    return token === undefined ? [] : [token];
  };
  const ofRun = (own: string | undefined, repo: string): readonly string[] => [
    ...(own === undefined ? [] : [own]),
    ...idTokensOf(repo),
  ];
  const credentials: Readonly<Record<CallerName, (target: Target) => readonly string[]>> = {
    nobody: () => [''],
    unknown: () => [`cvr_${'x'.repeat(43)}`, users.revoked, old],
    badge: ({ badge }) => [badge],
    repo: ({ token }) => [token],
    'other repo': () => [other.token],
    owner: () => [users.owner],
    'other user': () => [users.other],
    'lost group': () => [users.lost],
    admin: () => [users.admin, adminToken],
    workflow: () => ofRun(ofHost?.workflow, 'acme/closed'),
    'other workflow': () => ofRun(ofHost?.otherWorkflow, 'acme/other'),
    'workflow that names a pull request': () => idTokensOf('acme/closed'),
    'fork run': () => [''],
    'fork token': (about) => {
      const { token, idTokenOf } = forks.of(about);
      return idTokenOf === undefined ? [token] : idTokensOf(idTokenOf);
    },
    'repo token after a fork': ({ token }) => [token],
    scraper: () => [SCRAPE_TOKEN],
  };
  const claiming = { run, commit: ACCESS_COMMIT, fields: { service_pull_request: '8' }, token: '' };
  if (forks.opens) await openForkBuild(send, forks.opens.run, { token: forks.opens.token, parallel: true });
  for (const one of [...all.private, ...all.public])
    if (one.service === host.service)
      await openForkBuild(send, forks.after(one), { token: one.token, parallel: false });
  return {
    service: host.service,
    url,
    run,
    commit: ACCESS_COMMIT,
    targetsOf: (visibility) => all[visibility],
    freshOf: targets.fresh.freshOf,
    forgetUsed() {
      targets.fresh.forgetFresh();
      idTokens.clear();
    },
    credentialsOf: (caller, about) => credentials[caller](about),
    runOf(caller, about) {
      if (caller === 'workflow that names a pull request') return claiming;
      if (caller === 'repo token after a fork') return forks.after(about);
      return caller.startsWith('fork ') ? forks.of(about) : undefined;
    },
  };
}
