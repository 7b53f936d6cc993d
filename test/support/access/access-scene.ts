import { coverageApi, shaOf } from '../coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { type AccessForks, addForks, type ForkRunOfAccess, forkTokens, openForkBuild } from './access-forks.ts';
import { createTargets, type Target, type Visibility } from './access-targets.ts';

/** The commit of GitHub's run, and the token that GitHub vouches for. */
export const ACCESS_COMMIT = shaOf('head of main');
export const ACCESS_WORKFLOW = 'ghs_workflow-of-acme-closed';
const OTHER_WORKFLOW = 'ghs_workflow-of-acme-other';
const actions = { login: 'github-actions[bot]', kind: 'installation', access: 'read' } as const;

/** Who asks, as docs/access.md names them. Several credentials of one caller must be answered alike. */
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
 * They have no column: each is answered everywhere as another caller, but for what SCRAPED says. The second is a push's
 * id-token, the third has the repo token in a `workflow_run` of a fork.
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
  readonly url: string;
  /** The build number of every upload. */
  readonly run: string;
  readonly commit: string;
  targetsOf(visibility: Visibility): readonly Target[];
  /** One that the next request may change or remove; the same until it is forgotten. */
  freshOf(wanted: { readonly visibility: Visibility; readonly hasBuild: boolean }): Promise<Target>;
  /** What a request that was granted has used up: the fresh repos and the id-tokens. */
  forgetUsed(): void;
  /** The caller's credentials where `target` is asked about; '' is none. */
  credentialsOf(caller: CallerName, target: Target): readonly string[];
  /** The run that the caller names beside its credential; undefined: none of its own. */
  runOf(caller: CallerName, target: Target): ForkRunOfAccess | undefined;
}

/** GitHub with the repos and runs of them, as the server has to know it. */
export interface AccessGithub {
  readonly github: GithubStandIn;
  readonly run: string;
  readonly forks: AccessForks;
}

export async function startAccessGithub(): Promise<AccessGithub> {
  const github = await startGithubStandIn({
    tokens: {
      'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
      [ACCESS_WORKFLOW]: { ...actions, repos: ['acme/closed'] },
      [OTHER_WORKFLOW]: { ...actions, repos: ['acme/other'] },
      ...forkTokens(actions),
    },
  });
  for (const name of ['acme/closed', 'acme/open', 'acme/other']) github.addRepo(name);
  github.addCommit('acme/closed', { sha: ACCESS_COMMIT, branch: 'main' });
  const forks = addForks(github);
  // The newest, which the id-tokens are of.
  const run = String(github.addRun('acme/closed', { headSha: ACCESS_COMMIT }).id);
  return { github, run, forks };
}

export interface AccessSceneDeps extends AccessGithub {
  readonly url: string;
  readonly adminToken: string;
  newToken(user: string, role?: 'administrator'): Promise<string>;
  /** A token of somebody whose groups no longer count. */
  newLostGroup(): Promise<string>;
  /** Ends a token of that user. */
  revoke(user: string): Promise<void>;
}

export async function createAccessScene(deps: AccessSceneDeps): Promise<AccessScene> {
  const { github, url, adminToken, run, forks, newToken, revoke } = deps;
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
  const targets = createTargets({ send, maker, run, commit: ACCESS_COMMIT });
  const other = await targets.make({
    service: 'manual',
    name: 'acme/else',
    visibility: 'private',
    hasBuild: false,
  });
  const made = await targets.makeAll();
  const [first, ...others] = made.private;
  if (first === undefined) throw new Error('no repo was made');
  const { old, target } = await targets.replaceToken(first);
  const all: typeof made = { ...made, private: [target, ...others] };
  // A new one after each that was taken, for each carries one request; signing takes longer than most requests.
  const idTokens = new Map<string, string>();
  const idTokenOf = (repo: string): string => {
    const token = idTokens.get(repo) ?? github.issueIdToken(repo, { aud: url, sha: ACCESS_COMMIT });
    idTokens.set(repo, token);
    return token;
  };
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
    workflow: () => [ACCESS_WORKFLOW, idTokenOf('acme/closed')],
    'other workflow': () => [OTHER_WORKFLOW, idTokenOf('acme/other')],
    'workflow that names a pull request': () => [idTokenOf('acme/closed')],
    'fork run': () => [''],
    'fork token': (about) => [forks.of(about).token],
    'repo token after a fork': ({ token }) => [token],
    scraper: () => [SCRAPE_TOKEN],
  };
  const claiming = { run, commit: ACCESS_COMMIT, fields: { service_pull_request: '8' }, token: '' };
  await openForkBuild(send, forks.ofOpen);
  for (const one of [...all.private, ...all.public])
    if (one.service === 'github') await openForkBuild(send, forks.after(one), one.token);
  return {
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
