import type { Provider } from '../../ports/provider.ts';
import {
  type CommitFacts,
  type ListedPullRequest,
  OPEN_PULL_REQUEST_LIMIT,
  type RepoFacts,
} from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, isNumericId, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { askForPages, BARE, branchPath, type Gitea, inRepo, PAGE_SIZE } from './questions.ts';

type Facts = Pick<
  Provider,
  | 'describePullRequest'
  | 'listPullRequestsFrom'
  | 'listOpenPullRequests'
  | 'describeCommit'
  | 'listBranchesAt'
  | 'describeRepo'
  | 'describeRepoById'
  | 'requiresStatus'
>;

/** Lists of pull requests name no branch: the newest 200 are looked through for one. */
const PULL_PAGES = 4;
/** Branches that are looked through for a commit: 1,000. */
const BRANCH_PAGES = 20;

/** Pull requests, commits and repos at Gitea. */
export function createFacts(gitea: Gitea): Facts {
  const { operations, calls } = gitea;
  const inKnown = <T>(repo: string, run: (ask: Ask, path: string) => Promise<T>) =>
    definiteAnswer(inRepo(gitea, repo, run));
  return {
    describePullRequest: ({ repo, pullRequest }) =>
      inKnown(repo, async (ask, path) => {
        const { number: _, ...facts } = await readPull(gitea, ask, `${path}/pulls/${pullRequest}`);
        return facts;
      }),
    listPullRequestsFrom: ({ repo, headRepo, headBranch }) =>
      inKnown(repo, async (ask, path) => {
        const asked = { path: `${path}/pulls`, query: { state: 'all' }, maxPages: PULL_PAGES };
        const { entries } = await askForPages(ask, operations.listPulls, asked);
        const isFrom = ({ head }: Fields) =>
          textOf(fieldsOf(fieldsOf(head).repo).full_name)?.toLowerCase() === headRepo.toLowerCase();
        const pulls = entries.filter(isFrom).map((one) => pullOf(gitea, one));
        return pulls.filter((one) => one.headBranch === headBranch);
      }),
    listOpenPullRequests: ({ repo }) =>
      inKnown(repo, async (ask, path) => {
        const maxPages = OPEN_PULL_REQUEST_LIMIT / PAGE_SIZE;
        const asked = { path: `${path}/pulls`, query: { state: 'open' }, maxPages };
        const { entries } = await askForPages(ask, operations.listPulls, asked);
        // One that is opened in the meantime moves others to the next page.
        return [...new Set(entries.map((one) => pullOf(gitea, one).number))].toSorted((a, b) => b - a);
      }),
    describeCommit: async ({ repo, commit }) =>
      isCommitSha(commit)
        ? inKnown(repo, (ask, path) =>
            askFor(ask, operations.readCommit, {
              path: `${path}/git/commits/${commit}`,
              query: BARE,
              read: toCommit,
            }),
          )
        : undefined,
    listBranchesAt: async ({ repo, commit }) =>
      isCommitSha(commit) ? inKnown(repo, (ask, path) => branchesAt(gitea, ask, { path, commit })) : undefined,
    describeRepo: ({ repo }) =>
      inKnown(repo, (ask, path) => askFor(ask, operations.readRepo, { path, read: toRepoFacts })),
    describeRepoById: async ({ id }) =>
      isNumericId(id)
        ? definiteAnswer(
            calls((ask) => askFor(ask, operations.readRepo, { path: `/repositories/${id}`, read: toRepoFacts })),
          )
        : undefined,
    requiresStatus: ({ repo, branch, context }) =>
      inKnown(repo, (ask, path) =>
        askFor(ask, operations.readBranch, {
          path: branchPath(path, branch),
          read: (found) => found.enable_status_check === true && isRequired(found.status_check_contexts, context),
        }),
      ),
  };
}

/** Without a pattern every status has to pass; in one, `*` stands for any text. */
function isRequired(patterns: unknown, context: string): boolean {
  const named = Array.isArray(patterns) ? patterns.filter((one) => typeof one === 'string') : [];
  return named.length === 0 || named.some((pattern) => fits(context, pattern.split('*')));
}

function fits(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}

/** `path`: of the pull request. */
export function readPull({ operations }: Pick<Gitea, 'operations'>, ask: Ask, path: string) {
  return askFor(ask, operations.readPull, { path, read: toPull });
}

function pullOf({ operations }: Gitea, fields: Fields): ListedPullRequest {
  const pull = toPull(fields);
  if (pull === undefined) throw unexpectedAnswer(operations.listPulls);
  return pull;
}

/** The tree that is named here is the commit's own id: what it holds is asked elsewhere. */
function toCommit({ parents, commit }: Fields): CommitFacts | undefined {
  const { message } = fieldsOf(commit);
  const shas = parentsOf(parents);
  return shas === undefined || typeof message !== 'string' ? undefined : { parents: shas, message };
}

/** A root has `null` or an empty list. */
export function parentsOf(parents: unknown): readonly string[] | undefined {
  const shas = Array.isArray(parents) ? parents.map((one) => textOf(fieldsOf(one).sha)) : [];
  const known = shas.filter((sha) => sha !== undefined);
  return known.length === shas.length ? known : undefined;
}

async function branchesAt(
  { operations }: Gitea,
  ask: Ask,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<readonly string[]> {
  await ask(operations.readCommit, { path: `${path}/git/commits/${commit}`, query: BARE });
  const asked = { path: `${path}/branches`, maxPages: BRANCH_PAGES };
  const { entries } = await askForPages(ask, operations.listBranches, asked);
  const at = entries.filter((one) => textOf(fieldsOf(one.commit).id) === commit.toLowerCase());
  return at.map(({ name }) => textOf(name)).filter((name) => name !== undefined);
}

function toPull(pull: Fields): ListedPullRequest | undefined {
  const [head, base] = [fieldsOf(pull.head), fieldsOf(pull.base)];
  const number = idOf(pull.number);
  const [headCommit, baseCommit, baseBranch] = [head.sha, base.sha, base.ref].map(textOf);
  // Once the branch is deleted `ref` is the ref of the pull request; the label keeps the name.
  const headBranch = [head.ref, head.label].map(textOf).find((name) => name !== undefined && !isPullRef(name));
  if (number === undefined || headCommit === undefined || baseBranch === undefined) return undefined;
  const merged = pull.merged === true;
  // -1 once the fork is gone.
  const headRepoId = idOf(head.repo_id)?.toString();
  return {
    number,
    headCommit,
    headBranch: headBranch ?? `refs/pull/${number}/head`,
    baseBranch,
    baseCommit: baseCommit ?? baseBranch,
    mergeCommit: undefined,
    state: merged || pull.state === 'closed' ? 'closed' : 'open',
    title: textOf(pull.title) ?? '',
    openedAt: timeOf(pull.created_at),
    merged,
    landedCommit: merged ? textOf(pull.merge_commit_sha) : undefined,
    headRepoId,
    fromFork: headRepoId !== idOf(base.repo_id)?.toString(),
  };
}

const isPullRef = (name: string): boolean => /^refs\/pull\/\d+\/head$/.test(name);

export function toRepoFacts(repo: Fields): RepoFacts | undefined {
  const identity = identityOf(repo);
  if (identity === undefined || typeof repo.private !== 'boolean') return undefined;
  return {
    ...identity,
    // An empty repo may name none.
    defaultBranch: textOf(repo.default_branch) ?? 'main',
    // Everybody who signed in reads an internal one: that is not everybody.
    visibility: repo.private || repo.internal === true ? 'private' : 'public',
    parent: identityOf(fieldsOf(repo.parent)),
  };
}

/** Which repo it is; undefined when the answer describes none. */
export function identityOf(repo: Fields): { readonly id: string; readonly name: string } | undefined {
  const [id, name] = [idOf(repo.id), textOf(repo.full_name)];
  return id === undefined || name === undefined ? undefined : { id: String(id), name };
}

/** What has not happened yet is a time in the year 1 or 1970. */
export function timeOf(text: unknown): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return time > 0 ? time : undefined;
}
