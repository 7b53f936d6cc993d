import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import type { ChangedFiles } from '../../ports/provider-facts.ts';
import { countOf, fieldsOf, isCommitSha, isFilePath, isRangeEnd, textOf } from '../answers.ts';
import { followFirstParents } from '../first-parents.ts';
import { readGitDiff } from '../git-diff.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { parentsOf } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { type DataCenter, inRepo, listAll } from './questions.ts';

type Histories = Pick<
  Provider,
  'findMergeBase' | 'listFirstParents' | 'compareFiles' | 'compareTrees' | 'haveSameTree' | 'readFile'
>;

const PER_PAGE = 100;

interface Range {
  readonly base: string;
  readonly head: string;
}

/** Where commits meet, what came before one, what changed, and what files held. */
export function createHistories(center: DataCenter): Histories {
  const inRange = async <T>(
    { repo, base, head }: Range & { readonly repo: string },
    run: (ask: Ask, path: string, range: Range) => Promise<T>,
  ): Promise<T | undefined> => {
    if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
    return definiteAnswer(
      inRepo(center, repo, async (ask, path) => {
        const range = { base: await commitAt(ask, path, base), head: await commitAt(ask, path, head) };
        return run(ask, path, range);
      }),
    );
  };
  return {
    findMergeBase: async (range) => {
      const commit = await inRange(range, askMergeBase);
      return commit === undefined ? undefined : { commit };
    },
    listFirstParents: async ({ repo, commit, limit }) => {
      if (!isCommitSha(commit)) return undefined;
      return definiteAnswer(
        inRepo(center, repo, (ask, path) =>
          followFirstParents({ commit, limit }, (from, isFirst) => {
            const listed = listHistory(ask, path, from);
            return isFirst ? listed : definiteAnswer(listed);
          }),
        ),
      );
    },
    compareFiles: (range) =>
      inRange(range, async (ask, path, found) => {
        const mergeBase = await askMergeBase(ask, path, found);
        return { ...(await compare(ask, path, { base: mergeBase, head: found.head })), mergeBase };
      }),
    compareTrees: (range) => inRange(range, compare),
    haveSameTree: async ({ repo, one, other }) => {
      if (!isCommitSha(one) || !isCommitSha(other)) return undefined;
      return inRange({ repo, base: one, head: other }, async (ask, path, { base, head }) => {
        if (base === head) return true;
        const asked = { path: `${path}/changes`, query: { since: base, until: head, limit: '1' }, max: 1 };
        return (await listAll(ask, OPERATIONS.compare, asked)).length === 0;
      });
    },
    readFile: async ({ repo, commit, path: file, maxBytes }) => {
      if (!isCommitSha(commit) || !isFilePath(file)) return undefined;
      return definiteAnswer(inRepo(center, repo, (ask, path) => readFile(ask, path, { commit, file, maxBytes })));
    },
  };
}

async function readFile(
  ask: Ask,
  path: string,
  { commit, file, maxBytes }: { readonly commit: string; readonly file: string; readonly maxBytes: number },
): ReturnType<Histories['readFile']> {
  const place = file.split('/').map(encodeURIComponent).join('/');
  const query = { at: commit };
  const asked = { path: `${path}/browse/${place}`, query: { ...query, size: 'true' } };
  const size = await askFor(ask, OPERATIONS.readFile, { ...asked, read: (one) => ({ is: countOf(one.size) }) });
  // A folder has none.
  if (size.is === undefined) return undefined;
  if (size.is > maxBytes) return { kind: 'too-large', size: size.is };
  const { bytes } = await ask(OPERATIONS.readFile, { path: `${path}/raw/${place}`, query, accept: '*/*' });
  return { kind: 'file', bytes };
}

/** Names of branches are no commits here: they are looked up. */
async function commitAt(ask: Ask, path: string, end: string): Promise<string> {
  if (isCommitSha(end)) return end.toLowerCase();
  const query = { filterText: end };
  const listed = await listAll(ask, OPERATIONS.listBranches, { path: `${path}/branches`, query, max: 1_000 });
  const found = textOf(listed.find(({ displayId }) => displayId === end)?.latestCommit);
  if (found === undefined) throw none(`has no branch ${end}`);
  return found;
}

/** The host's definite answer that there is none. */
function none(why: string): ProviderFailure {
  return new ProviderFailure('permanent', `The repo ${why}.`, { status: 410 });
}

/** An answer without a body: they have none. */
async function askMergeBase(ask: Ask, path: string, { base, head }: Range): Promise<string> {
  const query = { otherCommitId: head };
  const answer = await ask(OPERATIONS.mergeBase, { path: `${path}/commits/${base}/merge-base`, query });
  if (answer.text === '') throw none('has no merge base of these commits');
  const found = textOf(fieldsOf(answer.json()).id);
  if (found === undefined) throw unexpectedAnswer(OPERATIONS.mergeBase);
  return found;
}

async function compare(ask: Ask, path: string, { base, head }: Range): Promise<ChangedFiles> {
  if (base === head) return { files: [], complete: true };
  const query = { since: base, until: head };
  const answer = await ask(OPERATIONS.compare, { path: `${path}/diff`, query, accept: 'text/plain' });
  return { files: readGitDiff(answer.text), complete: true };
}

async function listHistory(ask: Ask, path: string, until: string) {
  const query = { until, limit: String(PER_PAGE) };
  const listed = await listAll(ask, OPERATIONS.listCommits, { path: `${path}/commits`, query, max: PER_PAGE });
  return listed.map(({ id, parents: named }) => {
    const [sha, parents] = [textOf(id), parentsOf(named)];
    if (sha === undefined || parents === undefined) throw unexpectedAnswer(OPERATIONS.listCommits);
    return { sha, parents };
  });
}
