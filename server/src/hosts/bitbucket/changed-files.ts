import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import type { ChangedFile, ChangedFiles } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, isCommitSha, isRangeEnd, textOf } from '../answers.ts';
import { readGitDiff } from '../git-diff.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { askMergeBase, commitsOf } from './histories.ts';
import { OPERATIONS } from './operations.ts';
import { type Ask, type Bitbucket, inRepo, listAll } from './questions.ts';

/** Files of a change whose text Bitbucket does not give: two pages of its list. */
const MAX_FILES = 1_000;
/** A difference that takes Bitbucket too long. */
const TOO_LARGE = 555;

interface Range {
  readonly base: string;
  readonly head: string;
}

/** What changed at Bitbucket, as git itself writes it. */
export function createChangedFiles(
  bitbucket: Bitbucket,
): Pick<Provider, 'compareFiles' | 'compareTrees' | 'haveSameTree'> {
  return {
    compareFiles: async ({ repo, base, head }) => {
      if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
      return definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) => {
          const range = await commitsOf(ask, path, { base, head });
          const mergeBase = await askMergeBase(bitbucket, ask, { repo, path, ...range });
          return { ...(await compare(ask, path, { base: mergeBase, head: range.head })), mergeBase };
        }),
      );
    },
    compareTrees: async ({ repo, base, head }) => {
      if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
      return definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) => compare(ask, path, await commitsOf(ask, path, { base, head }))),
      );
    },
    haveSameTree: async ({ repo, one, other }) => {
      if (!isCommitSha(one) || !isCommitSha(other)) return undefined;
      if (one.toLowerCase() === other.toLowerCase()) return true;
      const asked = { base: one.toLowerCase(), head: other.toLowerCase(), max: 1 };
      const files = await definiteAnswer(inRepo(bitbucket, repo, (ask, path) => listFiles(ask, path, asked)));
      return files && files.length === 0;
    },
  };
}

/** Bitbucket names the commit that holds the changes first, the other way round than git. */
function specOf({ base, head }: Range): string {
  return `${head}..${base}`;
}

async function compare(ask: Ask, path: string, range: Range): Promise<ChangedFiles> {
  if (range.base === range.head) return { files: [], complete: true };
  try {
    const answer = await ask(OPERATIONS.compare, {
      path: `${path}/diff/${specOf(range)}`,
      query: { topic: 'false' },
      accept: 'text/plain',
    });
    return { files: readGitDiff(answer.text), complete: true };
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.status !== TOO_LARGE) throw error;
    return { files: await listFiles(ask, path, { ...range, max: MAX_FILES }), complete: false };
  }
}

/** The names alone. */
async function listFiles(
  ask: Ask,
  path: string,
  { max, ...range }: Range & { readonly max: number },
): Promise<readonly ChangedFile[]> {
  const listed = await listAll(ask, OPERATIONS.compare, {
    path: `${path}/diffstat/${specOf(range)}`,
    query: { topic: 'false', pagelen: String(Math.min(max, 500)) },
    max,
  });
  const files = listed.map(toChangedFile).filter((file) => file !== undefined);
  if (files.length < listed.length) throw unexpectedAnswer(OPERATIONS.compare);
  return files;
}

function toChangedFile({ status, old: before, new: after }: Fields): ChangedFile | undefined {
  const [was, is] = [before, after].map((side) => textOf(fieldsOf(side).path));
  const name = is ?? was;
  if (name === undefined) return undefined;
  const renamed = status === 'renamed';
  const kind = status === 'added' || status === 'removed' || status === 'renamed' ? status : 'modified';
  return { name, previousName: renamed ? was : undefined, status: kind, patch: undefined };
}
