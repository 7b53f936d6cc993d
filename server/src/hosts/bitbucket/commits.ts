import type { Provider } from '../../ports/provider.ts';
import type { CommitFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, isCommitSha, textOf } from '../answers.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { type Ask, type Bitbucket, inRepo, listAll } from './questions.ts';

const MAX_BRANCHES = 100;

/** Commits at Bitbucket, which shows most of them shortened. */
export function createCommits(
  bitbucket: Bitbucket,
): Pick<Provider, 'describeCommit' | 'listBranchesAt' | 'findCommit'> {
  return {
    findCommit: ({ repo, beginning }) =>
      definiteAnswer(inRepo(bitbucket, repo, (ask, path) => wholeSha(bitbucket, ask, { repo, path, hash: beginning }))),
    describeCommit: async ({ repo, commit }) =>
      isCommitSha(commit)
        ? definiteAnswer(inRepo(bitbucket, repo, (ask, path) => readCommit(ask, path, commit))).then(
            (found) => found?.facts,
          )
        : undefined,
    listBranchesAt: async ({ repo, commit }) =>
      isCommitSha(commit)
        ? definiteAnswer(inRepo(bitbucket, repo, (ask, path) => branchesAt(ask, path, commit.toLowerCase())))
        : undefined,
  };
}

interface FoundCommit {
  readonly sha: string;
  readonly facts: CommitFacts;
}

/** A commit by its sha, or the beginning of one. */
function readCommit(ask: Ask, path: string, commit: string): Promise<FoundCommit> {
  return askFor(ask, OPERATIONS.readCommit, { path: `${path}/commit/${commit}`, read: toCommit });
}

function toCommit({ hash, parents: listed, message }: Fields): FoundCommit | undefined {
  const sha = textOf(hash);
  const parents = parentsOf(listed);
  if (sha === undefined || !isCommitSha(sha) || parents === undefined || typeof message !== 'string') return undefined;
  return { sha: sha.toLowerCase(), facts: { parents, message } };
}

export function parentsOf(listed: unknown): readonly string[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const parents = listed.map((one) => textOf(fieldsOf(one).hash)).filter((one) => one !== undefined);
  return parents.length < listed.length ? undefined : parents;
}

/** The whole sha of a shortened commit; undefined if Bitbucket has none. */
export async function wholeSha(
  { commits }: Bitbucket,
  ask: Ask,
  { repo, path, hash }: { readonly repo: string; readonly path: string; readonly hash: string | undefined },
): Promise<string | undefined> {
  if (hash === undefined || isCommitSha(hash)) return hash;
  if (!/^[0-9a-f]{7,39}$/i.test(hash)) return undefined;
  const key = `${repo.toLowerCase()} ${hash}`;
  const known = commits.get(key);
  if (known !== undefined) return known;
  const found = await definiteAnswer(readCommit(ask, path, hash));
  if (found !== undefined) commits.set(key, found.sha);
  return found?.sha;
}

/** The commit that a branch points to; of a commit itself. */
export async function commitAt(ask: Ask, path: string, end: string): Promise<string> {
  if (isCommitSha(end)) return end.toLowerCase();
  return askFor(ask, OPERATIONS.listBranches, {
    path: `${path}/refs/branches/${encodeURIComponent(end)}`,
    read: ({ target }) => textOf(fieldsOf(target).hash),
  });
}

/** If no branch points to a commit, it may not exist at all. */
async function branchesAt(ask: Ask, path: string, commit: string): Promise<readonly string[]> {
  const query = { q: `target.hash="${commit}"`, pagelen: '100' };
  const asked = { path: `${path}/refs/branches`, query, max: MAX_BRANCHES };
  const listed = await listAll(ask, OPERATIONS.listBranches, asked);
  const names = listed.flatMap(({ name, target }) => (fieldsOf(target).hash === commit ? (textOf(name) ?? []) : []));
  if (names.length === 0) await readCommit(ask, path, commit);
  return names;
}
