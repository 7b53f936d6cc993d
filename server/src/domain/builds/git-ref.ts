/** What a branch field of an upload means (wire.md "Fields", rules.md "Branches"). */
export interface GitRef {
  /** The cleaned name of the branch or tag; undefined where there is none. */
  readonly branch: string | undefined;
  readonly tag: boolean;
  readonly pullRequest: number | undefined;
  /** Set for a merge queue's branch: the branch it merges into and the commit it was made on. */
  readonly queue: { readonly baseBranch: string; readonly baseCommit: string } | undefined;
}

export const NO_REF: GitRef = { branch: undefined, tag: false, pullRequest: undefined, queue: undefined };

const PULL_REF = /^(?:refs\/pull\/(\d{1,15})\/.*|(\d{1,15})\/merge)$/;
const QUEUE_REF = /^gh-readonly-queue\/(.+)\/pr-(\d{1,15})-([0-9a-f]{7,64})$/;
const TAG_PREFIX = 'refs/tags/';

/** Cleans a branch field. `commit` is the job's: some clients send it as the branch of a detached checkout. */
export function readGitRef(raw: string | undefined, commit: string | undefined): GitRef {
  const text = raw?.trim() ?? '';
  if (text === '' || text === 'HEAD' || text.startsWith('(') || /[\r\n]/.test(text)) return NO_REF;
  if (commit !== undefined && text.toLowerCase() === commit) return NO_REF;
  const pull = PULL_REF.exec(text);
  if (pull) return { ...NO_REF, pullRequest: Number(pull[1] ?? pull[2]) };
  const tag = text.startsWith(TAG_PREFIX);
  const branch = tag ? text.slice(TAG_PREFIX.length) : stripBranchPrefix(text);
  if (branch === '' || branch === 'HEAD') return NO_REF;
  const queue = QUEUE_REF.exec(branch);
  if (!queue) return { ...NO_REF, branch, tag };
  return {
    branch,
    tag: false,
    pullRequest: Number(queue[2]),
    queue: { baseBranch: queue[1] as string, baseCommit: queue[3] as string },
  };
}

/** `refs/heads/`, `refs/remotes/` and a leading `origin/` taken off. */
export function stripBranchPrefix(name: string): string {
  return name.replace(/^refs\/(?:heads|remotes)\//, '').replace(/^origin\//, '');
}

/** Digits are the number, a URL means its trailing digits, anything else means no pull request. */
export function readPullRequest(raw: string | undefined): number | undefined {
  const text = raw?.trim() ?? '';
  const digits = /^https?:\/\//i.test(text) ? /(\d+)\/?$/.exec(text)?.[1] : /^\d+$/.exec(text)?.[0];
  const number = Number(digits ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
