import { type CoverageApi, job, shaOf } from '../coverage-api.ts';
import type { GithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { Target } from './access-targets.ts';

const NAMES = { private: 'acme/closed', public: 'acme/open' } as const;
const PULL_REQUEST = 8;
const [HEAD, OWNER, BRANCH] = [shaOf('head of a fork'), 'eve', 'change'];

/** The run of a fork's pull request, which gets no secrets. */
export interface ForkRunOfAccess {
  readonly run: string;
  readonly commit: string;
  /** What a job or close of it says beside its content. */
  readonly fields: Readonly<Record<string, string>>;
  /** GitHub's token of the run, which reads only. */
  readonly token: string;
}

/** A run of a fork for each of the two repos at GitHub. */
export interface AccessForks {
  readonly ofOpen: ForkRunOfAccess;
  /** That of the repo, or of the repo at GitHub that is as visible: its fields name the one that is asked about. */
  of(target: Target): ForkRunOfAccess;
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
  return {
    ofOpen,
    of({ name }) {
      const fork = name === NAMES.public ? ofOpen : ofClosed;
      return { ...fork, fields: { ...fork.fields, repo_name: name } };
    },
  };
}

/** A build that the run may close. */
export async function openForkBuild(send: CoverageApi['send'], { commit, fields }: ForkRunOfAccess): Promise<void> {
  const { repo_token: _, ...content } = job({ repo_token: '', commit_sha: commit });
  const body = JSON.stringify({ ...content, ...fields, parallel: true });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await send('/api/v1/jobs', { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`the upload of a fork's run answered ${status}: ${text}`);
}
