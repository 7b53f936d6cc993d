import type { Provider } from '../../ports/provider.ts';
import type { ChangedFile, ChangedFiles } from '../../ports/provider-facts.ts';
import { fieldsOf, isCommitSha, isRangeEnd, textOf } from '../answers.ts';
import { isSourceMode, readGitDiff } from '../git-diff.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { parentsOf } from './facts.ts';
import { askMergeBase, type EndsAt, findEnds } from './histories.ts';
import { BARE, type Gitea, inRepo } from './questions.ts';

/** A diff is sent whole, however large it is; of a larger one the names alone are read. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Files of a commit, in pages of 1,000. */
const TREE_PAGES = 50;

interface Range extends EndsAt {
  readonly pullRequest?: number | undefined;
}

/**
 * What changed at Gitea. From Gitea 1.27 on a comparison is a diff if asked for; before, and at Forgejo, only pull
 * requests and single commits have one, and of everything else the trees are compared, without the lines.
 */
export function createChangedFiles(gitea: Gitea): Pick<Provider, 'compareFiles' | 'compareTrees' | 'haveSameTree'> {
  return {
    compareFiles: async ({ repo, base, head, pullRequest }) => {
      if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
      return definiteAnswer(
        inRepo(gitea, repo, async (ask, path) => {
          const ends = await findEnds(gitea, ask, { path, base, head });
          const met = ends && (await askMergeBase(gitea, ask, ends));
          if (ends === undefined || met === undefined) return undefined;
          const range = { ...ends, base: met.commit, pullRequest };
          const changed = await changesOf(gitea, ask, range);
          return changed && { ...changed, mergeBase: met.commit };
        }),
      );
    },
    compareTrees: async ({ repo, base, head }) =>
      isRangeEnd(base) && isRangeEnd(head)
        ? definiteAnswer(
            inRepo(gitea, repo, async (ask, path) => {
              const ends = await findEnds(gitea, ask, { path, base, head });
              return ends && changesOf(gitea, ask, ends);
            }),
          )
        : undefined,
    haveSameTree: async ({ repo, one, other }) => {
      if (!isCommitSha(one) || !isCommitSha(other)) return undefined;
      if (one.toLowerCase() === other.toLowerCase()) return true;
      return definiteAnswer(
        inRepo(gitea, repo, async (ask, path) => {
          const [mine, yours] = await Promise.all(
            [one, other].map((sha) => readTree(gitea, ask, { path, sha, deep: false })),
          );
          return mine?.complete === true && yours?.complete === true ? isSame(mine.files, yours.files) : undefined;
        }),
      );
    },
  };
}

/** Between two commits, whatever lies between them. */
async function changesOf(gitea: Gitea, ask: Ask, range: Range): Promise<ChangedFiles | undefined> {
  const { path, base, head } = range;
  if (base === head) return { files: [], complete: true };
  const whole =
    (await readDiff(gitea, ask, `${path}/compare/${base}..${head}`)) ??
    (await diffOfPull(gitea, ask, range)) ??
    (await diffOfCommit(gitea, ask, range));
  return whole ?? compareTrees(gitea, ask, range);
}

/** Undefined: it has none, or one that is too large. */
async function readDiff({ operations }: Gitea, ask: Ask, path: string): Promise<ChangedFiles | undefined> {
  const query = path.endsWith('.diff') ? {} : { output: 'diff', files: 'false', verification: 'false' };
  const answer = await definiteAnswer(ask(operations.readDiff, { path, query, maxBytes: MAX_BYTES }));
  const isDiff = answer?.headers.get('content-type')?.startsWith('text/plain') === true;
  return answer === undefined || !isDiff || answer.isCut
    ? undefined
    : { files: readGitDiff(answer.text), complete: true };
}

/** That of the pull request is of its head and merge base as they are now. */
async function diffOfPull(gitea: Gitea, ask: Ask, { path, base, head, pullRequest }: Range) {
  if (pullRequest === undefined) return undefined;
  const place = `${path}/pulls/${pullRequest}`;
  const isOfRange = () =>
    definiteAnswer(
      askFor(ask, gitea.operations.readPull, {
        path: place,
        read: ({ head: at, merge_base: from }) => ({ is: fieldsOf(at).sha === head && from === base }),
      }),
    );
  if (!(await isOfRange())?.is) return undefined;
  const diff = await readDiff(gitea, ask, `${place}.diff`);
  return (await isOfRange())?.is ? diff : undefined;
}

/** That of a commit is to its first parent. */
async function diffOfCommit(gitea: Gitea, ask: Ask, { path, base, head }: Range) {
  const place = `${path}/git/commits/${head}`;
  const parents = await askFor(ask, gitea.operations.readCommit, {
    path: place,
    query: BARE,
    read: (commit) => parentsOf(commit.parents),
  });
  return parents[0] === base ? readDiff(gitea, ask, `${place}.diff`) : undefined;
}

interface Tree {
  /** What stands at a path: its mode and id. */
  readonly files: ReadonlyMap<string, string>;
  readonly complete: boolean;
}

async function compareTrees(gitea: Gitea, ask: Ask, { path, base, head }: EndsAt): Promise<ChangedFiles | undefined> {
  const [before, after] = await Promise.all([base, head].map((sha) => readTree(gitea, ask, { path, sha, deep: true })));
  if (before === undefined || after === undefined) return undefined;
  const [was, is] = [sourcesOf(before), sourcesOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const changed = names.filter((name) => was.get(name) !== is.get(name)).toSorted();
  const files = changed.map((name): ChangedFile => {
    const status = !was.has(name) ? 'added' : is.has(name) ? 'modified' : 'removed';
    return { name, previousName: undefined, status, patch: undefined };
  });
  return { files, complete: before.complete && after.complete };
}

/** `deep`: of all folders; else those of the root, whose ids say what is in them. */
async function readTree(
  { operations }: Gitea,
  ask: Ask,
  { path, sha, deep }: { readonly path: string; readonly sha: string; readonly deep: boolean },
): Promise<Tree | undefined> {
  const files = new Map<string, string>();
  for (let page = 1; page <= TREE_PAGES; page += 1) {
    const { entries, more } = await askFor(ask, operations.readTree, {
      path: `${path}/git/trees/${sha}`,
      query: { recursive: String(deep), per_page: '1000', page: String(page) },
      read: ({ tree, truncated }) => ({
        entries: Array.isArray(tree) ? tree.map(fieldsOf) : [],
        more: truncated === true,
      }),
    });
    for (const { path: name, mode, type, sha: id } of entries) {
      const [at, what] = [textOf(name), textOf(id)];
      if (at === undefined || what === undefined) throw unexpectedAnswer(operations.readTree);
      if (!deep || type !== 'tree') files.set(at, `${mode} ${what}`);
    }
    if (!more) return { files, complete: true };
  }
  return { files, complete: false };
}

function sourcesOf({ files }: Tree): Tree['files'] {
  return new Map([...files].filter(([, what]) => isSourceMode(what.split(' ')[0])));
}

function isSame(one: Tree['files'], other: Tree['files']): boolean {
  return one.size === other.size && [...one].every(([name, what]) => other.get(name) === what);
}
