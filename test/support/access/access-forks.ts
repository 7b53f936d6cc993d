import { type CoverageApi, job, shaOf } from '../coverage-api.ts';
import type { GithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { Target } from './access-targets.ts';

const NAMES = { private: 'acme/closed', public: 'acme/open' } as const;
const PULL_REQUEST = 8;
const [HEAD, OWNER, BRANCH] = [shaOf('head of a fork'), 'eve', 'change'];

/** The run of a fork's pull request, which gets no secrets, or the repo's own that follows it and has them. */
export interface ForkRunOfAccess {
  readonly run: string;
  readonly commit: string;
  /** What a job or close of it says beside its content. */
  readonly fields: Readonly<Record<string, string>>;
  /** GitHub's token of the run, which reads only; the run that follows has the repo's. */
  readonly token: string;
}

/** A run of a fork for each of the two repos at GitHub. */
export interface AccessForks {
  readonly ofOpen: ForkRunOfAccess;
  /** That of the repo, or of the repo at GitHub that is as visible: its fields name the one that is asked about. */
  of(target: Target): ForkRunOfAccess;
  /** The `workflow_run` that follows it. */
  after(target: Target): ForkRunOfAccess;
}

const tokenOf = (repo: string): string => `ghs_fork-of-${repo.replace('/', '-')}`;

export function forkTokens<T extends object>(reader: T) {
  return Object.fromEntries(Object.values(NAMES).map((name) => [tokenOf(name), { ...reader, repos: [name] }]));
}

export function addForks(github: GithubStandIn): AccessForks {
  const add = (repo: string): ForkRunOfAccess => {
    const headRepo = repo.replace('acme', OWNER);
    github.addRepo(headRepo, { parent: repo });
    const head = { headSha: HEAD, headRepo };
    github.addPullRequest(repo, { ...head, number: PULL_REQUEST, headRef: BRANCH, baseRef: 'main', login: OWNER });
    const { id } = github.addRun(repo, { ...head, headBranch: BRANCH, event: 'pull_request', actor: OWNER });
    const run = String(id);
    const fields = { service_name: 'github', service_number: run, service_pull_request: String(PULL_REQUEST) };
    return { run, commit: HEAD, token: tokenOf(repo), fields: { ...fields, repo_name: repo } };
  };
  const [ofOpen, ofClosed] = [add(NAMES.public), add(NAMES.private)];
  const follow = (repo: string): string =>
    String(github.addRun(repo, { event: 'workflow_run', headSha: shaOf('head of main'), headBranch: 'main' }).id);
  const [afterOpen, afterClosed] = [follow(NAMES.public), follow(NAMES.private)];
  const of = ({ name }: Target): ForkRunOfAccess => {
    const fork = name === NAMES.public ? ofOpen : ofClosed;
    return { ...fork, fields: { ...fork.fields, repo_name: name } };
  };
  return {
    ofOpen,
    of,
    after(target) {
      const run = target.name === NAMES.public ? afterOpen : afterClosed;
      const fields = { service_name: 'github', service_number: run, repo_name: target.name };
      return { run, commit: HEAD, token: target.token, fields };
    },
  };
}

/** A build that the run may close; with a token, a closed one of the run that follows. */
export async function openForkBuild(
  send: CoverageApi['send'],
  { commit, fields }: ForkRunOfAccess,
  token?: string,
): Promise<void> {
  const { repo_token: _, ...content } = job({ repo_token: '', commit_sha: commit });
  const signed = token === undefined ? {} : { repo_token: token };
  const body = JSON.stringify({ ...content, ...fields, ...signed, parallel: token === undefined });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await send('/api/v1/jobs', { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`the upload of a fork's run answered ${status}: ${text}`);
}
