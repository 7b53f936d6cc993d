import type { GitHost, QueuedRef } from '../repo/git-host.ts';

/** What a branch field of an upload means (wire.md "Fields", rules.md "Branches"). */
export interface GitRef {
  /** The cleaned name of the branch or tag; undefined if there is none. */
  readonly branch: string | undefined;
  readonly tag: boolean;
  readonly pullRequest: number | undefined;
  /** Set for a merge queue's branch: the branch it merges into and the commit it was made on. */
  readonly queue: Omit<QueuedRef, 'pullRequest'> | undefined;
}

const NO_REF: GitRef = { branch: undefined, tag: false, pullRequest: undefined, queue: undefined };

const TAG_PREFIX = 'refs/tags/';

/**
 * Cleans a branch field, as the hosts name their refs. `commit` is the job's: some clients send it as the branch of a
 * detached checkout.
 */
export function readGitRef(
  raw: string | undefined,
  commit: string | undefined,
  hosts: readonly Pick<GitHost, 'refs'>[],
): GitRef {
  const text = raw?.trim() ?? '';
  if (text === '' || text === 'HEAD' || text.startsWith('(') || /[\r\n]/.test(text)) return NO_REF;
  if (commit !== undefined && text.toLowerCase() === commit) return NO_REF;
  const ofQueue = firstOf(hosts, ({ refs }) => refs.queueOf(text));
  const pullRequest = firstOf(hosts, ({ refs }) => refs.pullRequestOf(text));
  if (ofQueue === undefined && pullRequest !== undefined) return { ...NO_REF, pullRequest };
  const tag = text.startsWith(TAG_PREFIX);
  const branch = tag ? text.slice(TAG_PREFIX.length) : stripBranchPrefix(text);
  if (branch === '' || branch === 'HEAD') return NO_REF;
  const queued = ofQueue ?? firstOf(hosts, ({ refs }) => refs.queueOf(branch));
  if (queued === undefined) return { ...NO_REF, branch, tag };
  const { pullRequest: number, ...queue } = queued;
  return { branch, tag: false, pullRequest: number, queue };
}

function firstOf<Host, Found>(hosts: readonly Host[], read: (host: Host) => Found | undefined): Found | undefined {
  for (const host of hosts) {
    const found = read(host);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `refs/heads/`, `refs/remotes/` and a leading `origin/` taken off. */
export function stripBranchPrefix(name: string): string {
  return name.replace(/^refs\/(?:heads|remotes)\//, '').replace(/^origin\//, '');
}

/** Digits are the number, a URL means its trailing digits, anything else means no pull request. */
export function readPullRequest(raw: string | undefined): number | undefined {
  const text = raw?.trim() ?? '';
  const digits = /^https?:\/\//i.test(text) ? trailingDigits(text) : text;
  const number = /^\d+$/.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Without a regular expression: one for this takes quadratic time on many digits. */
function trailingDigits(url: string): string {
  const end = url.endsWith('/') ? url.length - 1 : url.length;
  let start = end;
  while (start > 0 && /\d/.test(url.charAt(start - 1))) start -= 1;
  return url.slice(start, end);
}
