import type { Provider } from '../../ports/provider.ts';
import { isCommitSha, isRangeEnd, textOf } from '../answers.ts';
import { followFirstParents } from '../first-parents.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { commitAt, parentsOf } from './commits.ts';
import { OPERATIONS } from './operations.ts';
import { type Ask, type Bitbucket, inRepo, listAll } from './questions.ts';

const PER_PAGE = 100;

/** Where commits meet, and what came before one. */
export function createHistories(bitbucket: Bitbucket): Pick<Provider, 'findMergeBase' | 'listFirstParents'> {
  return {
    findMergeBase: async ({ repo, base, head }) => {
      if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
      const commit = await definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) => {
          const range = await commitsOf(ask, path, { base, head });
          return askMergeBase(bitbucket, ask, { repo, path, ...range });
        }),
      );
      return commit === undefined ? undefined : { commit };
    },
    listFirstParents: async ({ repo, commit, limit }) => {
      if (!isCommitSha(commit)) return undefined;
      return definiteAnswer(
        inRepo(bitbucket, repo, (ask, path) =>
          followFirstParents({ commit, limit }, (from, isFirst) => {
            const listed = listHistory(ask, path, from);
            return isFirst ? listed : definiteAnswer(listed);
          }),
        ),
      );
    },
  };
}

/** Names of branches may hold what a range cannot: their commits are looked up. */
export async function commitsOf(
  ask: Ask,
  path: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<{ readonly base: string; readonly head: string }> {
  return { base: await commitAt(ask, path, base), head: await commitAt(ask, path, head) };
}

/** 404 if there is none. Two commits meet where they always met. */
export async function askMergeBase(
  { bases }: Bitbucket,
  ask: Ask,
  {
    repo,
    path,
    base,
    head,
  }: { readonly repo: string; readonly path: string; readonly base: string; readonly head: string },
): Promise<string> {
  if (base === head) return base;
  const keyOf = (one: string) => `${repo.toLowerCase()} ${one} ${head}`;
  const known = bases.get(keyOf(base));
  if (known !== undefined) return known;
  const asked = { path: `${path}/merge-base/${base}..${head}`, read: shaIn };
  const found = await askFor(ask, OPERATIONS.mergeBase, asked);
  for (const one of [base, found]) bases.set(keyOf(one), found);
  return found;
}

function shaIn({ hash }: Readonly<Record<string, unknown>>): string | undefined {
  const sha = textOf(hash);
  return sha !== undefined && isCommitSha(sha) ? sha.toLowerCase() : undefined;
}

/** Whatever a commit descends from, itself first, the newest first. */
async function listHistory(ask: Ask, path: string, from: string) {
  const entries = await listAll(ask, OPERATIONS.listCommits, {
    path: `${path}/commits/${from}`,
    query: { pagelen: String(PER_PAGE), fields: 'values.hash,values.parents.hash,next' },
    max: PER_PAGE,
  });
  return entries.map(({ hash, parents: listed }) => {
    const [sha, parents] = [textOf(hash), parentsOf(listed)];
    if (sha === undefined || parents === undefined) throw unexpectedAnswer(OPERATIONS.listCommits);
    return { sha, parents };
  });
}
