import type { Provider } from '../../ports/provider.ts';
import type { MergeBase } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, isCommitSha, isRangeEnd, textOf } from '../answers.ts';
import { followFirstParents, type ListedCommit } from '../first-parents.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { parentsOf } from './facts.ts';
import { askForPage, askForPages, BARE, branchPath, type Gitea, inRepo, orMissing } from './questions.ts';

/** Pages of 50 commits: for a hundred steps of a straight history, and some merges. */
const PARENT_PAGES = 4;
/** Commits that a head may be ahead by: 1,000. With more, no merge base is looked for. */
const AHEAD_PAGES = 20;
/** Points at which the base was merged into the head that are looked at. */
const MAX_CANDIDATES = 20;

/** Where commits meet, and what came before one. */
export function createHistories(gitea: Gitea): Pick<Provider, 'findMergeBase' | 'listFirstParents'> {
  return {
    findMergeBase: async ({ repo, base, head }) => {
      if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
      return definiteAnswer(
        inRepo(gitea, repo, async (ask, path) => {
          const ends = await findEnds(gitea, ask, { path, base, head });
          return ends && askMergeBase(gitea, ask, ends);
        }),
      );
    },
    listFirstParents: async ({ repo, commit: asked, limit }) => {
      if (!isCommitSha(asked)) return undefined;
      const commit = asked.toLowerCase();
      return definiteAnswer(
        inRepo(gitea, repo, (ask, path) =>
          followFirstParents({ commit, limit, maxPages: PARENT_PAGES }, (from, isFirst) => {
            const page = ancestorsOf(gitea, ask, path, from);
            return isFirst ? page : definiteAnswer(page);
          }),
        ),
      );
    },
  };
}

async function ancestorsOf({ operations }: Gitea, ask: Ask, path: string, sha: string) {
  const { entries } = await askForPage(ask, operations.listCommits, {
    path: `${path}/commits`,
    query: { sha, ...BARE },
  });
  const listed = entries.map((one) => toNode(one));
  if (listed.some((node) => node === undefined) || !listed.some((node) => node?.sha === sha))
    throw unexpectedAnswer(operations.listCommits);
  return listed.filter((node) => node !== undefined);
}

function toNode(commit: Fields): ListedCommit | undefined {
  const [sha, parents] = [textOf(commit.sha), parentsOf(commit.parents)];
  return sha === undefined || parents === undefined ? undefined : { sha, parents };
}

export interface EndsAt {
  /** For the repo; the ends are whole SHAs, but where branches are spoken of. */
  readonly path: string;
  readonly base: string;
  readonly head: string;
}

/** The commits that branches stand for now. */
export async function findEnds(
  { operations }: Gitea,
  ask: Ask,
  { path, ...ends }: EndsAt,
): Promise<EndsAt | undefined> {
  const commitOf = async (end: string): Promise<string | undefined> => {
    if (isCommitSha(end)) return end.toLowerCase();
    const read = ({ commit }: Fields) => textOf(fieldsOf(commit).id);
    return definiteAnswer(askFor(ask, operations.readBranch, { path: branchPath(path, end), read }));
  };
  const [base, head] = [await commitOf(ends.base), await commitOf(ends.head)];
  return base === undefined || head === undefined ? undefined : { path, base, head };
}

/**
 * No answer names a merge base. What the head has and the base lacks is listed; its parents that are not among it are
 * the base's too, and the best one is an ancestor of no other.
 */
export async function askMergeBase(
  gitea: Gitea,
  ask: Ask,
  { path, base, head }: EndsAt,
): Promise<MergeBase | undefined> {
  const beyond = await commitsBeyond(gitea, ask, { path, base, head, maxPages: AHEAD_PAGES });
  if (!beyond.isLast) return undefined;
  const nodes = beyond.entries.map(toNode).filter((node) => node !== undefined);
  const ahead = new Set(nodes.map(({ sha }) => sha));
  const met = new Set(nodes.flatMap(({ parents }) => parents.filter((sha) => !ahead.has(sha))));
  const commit = ahead.size === 0 ? head : await bestOf(gitea, ask, path, [...met].slice(0, MAX_CANDIDATES));
  if (commit === undefined) return undefined;
  const { total: behind } = await commitsBeyond(gitea, ask, { path, base: head, head: base, maxPages: 1 });
  return { commit, ahead: ahead.size, behind };
}

function commitsBeyond(
  { operations }: Gitea,
  ask: Ask,
  { path, base, head, maxPages }: EndsAt & { readonly maxPages: number },
) {
  const query = { sha: head, not: base, ...BARE };
  const asked = { path: `${path}/commits`, query, maxPages };
  // Git does not know what comes behind `not`: that is answered by 500.
  return orMissing(askForPages(ask, operations.listCommits, asked), () =>
    ask(operations.readCommit, { path: `${path}/git/commits/${base}`, query: BARE }),
  );
}

async function bestOf(gitea: Gitea, ask: Ask, path: string, found: readonly string[]): Promise<string | undefined> {
  const isAncestor = async (one: string, of: string) =>
    (await commitsBeyond(gitea, ask, { path, base: of, head: one, maxPages: 1 })).total === 0;
  let [best, ...others] = found;
  if (best === undefined) return undefined;
  for (const other of others) if (!(await isAncestor(other, best)) && (await isAncestor(best, other))) best = other;
  return best;
}
