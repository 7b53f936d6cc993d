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
import { OPERATIONS } from './operations.ts';
import { API, type DataCenter, findById, identityOf, inRepo, listAll, pathOf } from './questions.ts';

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

/** The newest, of which those from a branch are picked: its name is no filter. */
const MAX_PULLS = 300;
const MAX_BRANCHES = 1_000;
const MAX_CONDITIONS = 1_000;

/** Pull requests, commits and repos at Bitbucket Data Center. */
export function createFacts(center: DataCenter): Facts {
  const inThis = <T>(repo: string, run: (ask: Ask, path: string) => Promise<T>) =>
    definiteAnswer(inRepo(center, repo, run));
  const described = async (ask: Ask, path: string): Promise<RepoFacts> => {
    const repo = await readRepo(ask, path);
    center.ids.set(repo.name.toLowerCase(), repo.id);
    return repo;
  };
  return {
    describePullRequest: ({ repo, pullRequest }) =>
      inThis(repo, async (ask, path) => {
        const { number: _, ...facts } = await readPull(ask, path, pullRequest);
        return facts;
      }),
    listPullRequestsFrom: ({ repo, headRepo, headBranch }) =>
      inThis(repo, async (ask, path) => {
        const query = { state: 'ALL', order: 'NEWEST' };
        const listed = await listAll(ask, OPERATIONS.listPulls, {
          path: `${path}/pull-requests`,
          query,
          max: MAX_PULLS,
        });
        const from = listed.filter(({ fromRef }) => isBranchOf(fieldsOf(fromRef), headRepo, headBranch));
        return from.map(pullIn);
      }),
    listOpenPullRequests: ({ repo }) =>
      inThis(repo, async (ask, path) => {
        const asked = { path: `${path}/pull-requests`, query: { state: 'OPEN', order: 'NEWEST' } };
        const listed = await listAll(ask, OPERATIONS.listPulls, { ...asked, max: OPEN_PULL_REQUEST_LIMIT });
        return listed.map((pull) => pullIn(pull).number);
      }),
    describeCommit: async ({ repo, commit }) =>
      isCommitSha(commit) ? inThis(repo, (ask, path) => readCommit(ask, path, commit)) : undefined,
    listBranchesAt: async ({ repo, commit }) =>
      isCommitSha(commit) ? inThis(repo, (ask, path) => branchesAt(ask, path, commit.toLowerCase())) : undefined,
    describeRepo: ({ repo }) => inThis(repo, described),
    describeRepoById: async ({ id, name }) => {
      if (!isNumericId(id)) return undefined;
      return definiteAnswer(
        center.calls(async (ask) => {
          const named = await definiteAnswer(described(ask, pathOf(name)));
          if (named?.id === id) return named;
          const found = await findById(ask, id);
          return found && described(ask, pathOf(found.name));
        }),
      );
    },
    requiresStatus: ({ repo, branch, context }) =>
      inThis(repo, async (ask, path) => {
        const asked = { path: `${path.replace(API, '/required-builds/latest')}/conditions`, max: MAX_CONDITIONS };
        const conditions = await listAll(ask, OPERATIONS.listRequired, asked);
        return conditions.some((one) => isForBranch(one, branch) && keysOf(one).includes(context));
      }),
  };
}

/** Bitbucket does not say which branches a pattern means, nor a branch that is named by its purpose. */
function isForBranch({ refMatcher }: Fields, branch: string): boolean {
  const { id, type } = fieldsOf(refMatcher);
  return textOf(fieldsOf(type).id) === 'ANY_REF' || id === `refs/heads/${branch}`;
}

function keysOf({ buildParentKeys }: Fields): readonly unknown[] {
  return Array.isArray(buildParentKeys) ? buildParentKeys : [];
}

function isBranchOf({ displayId, repository }: Fields, repo: string, branch: string): boolean {
  return displayId === branch && identityOf(fieldsOf(repository))?.name.toLowerCase() === repo.toLowerCase();
}

function pullIn(pull: Fields): ListedPullRequest {
  const found = toPull(pull);
  if (found === undefined) throw unexpectedAnswer(OPERATIONS.listPulls);
  return found;
}

export function readPull(ask: Ask, path: string, number: number): Promise<ListedPullRequest> {
  return askFor(ask, OPERATIONS.readPull, { path: `${path}/pull-requests/${number}`, read: toPull });
}

export function toPull(pull: Fields): ListedPullRequest | undefined {
  const [from, to] = [fieldsOf(pull.fromRef), fieldsOf(pull.toRef)];
  const number = idOf(pull.id);
  const [headCommit, headBranch] = [textOf(from.latestCommit), textOf(from.displayId)];
  const [baseCommit, baseBranch] = [textOf(to.latestCommit), textOf(to.displayId)];
  const target = identityOf(fieldsOf(to.repository));
  if (number === undefined || headCommit === undefined || headBranch === undefined) return undefined;
  if (baseBranch === undefined || target === undefined) return undefined;
  const source = identityOf(fieldsOf(from.repository));
  const merged = pull.state === 'MERGED';
  const landed = textOf(fieldsOf(fieldsOf(pull.properties).mergeCommit).id);
  return {
    number,
    headCommit,
    headBranch,
    baseBranch,
    baseCommit: baseCommit ?? baseBranch,
    mergeCommit: undefined,
    state: pull.state === 'OPEN' ? 'open' : 'closed',
    title: textOf(pull.title) ?? '',
    openedAt: idOf(pull.createdDate),
    merged,
    // Bitbucket reports none for a fast-forward.
    landedCommit: merged ? (landed ?? headCommit) : undefined,
    headRepoId: source?.id,
    fromFork: source?.id !== target.id,
  };
}

export function readCommit(ask: Ask, path: string, commit: string): Promise<CommitFacts> {
  return askFor(ask, OPERATIONS.readCommit, {
    path: `${path}/commits/${commit}`,
    read: ({ message, parents: listed }) => {
      const parents = parentsOf(listed);
      return typeof message === 'string' && parents !== undefined ? { parents, message } : undefined;
    },
  });
}

export function parentsOf(listed: unknown): readonly string[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const parents = listed.map((one) => textOf(fieldsOf(one).id)).filter((one) => one !== undefined);
  return parents.length < listed.length ? undefined : parents;
}

/** If no branch points to a commit, it may not be there at all. */
async function branchesAt(ask: Ask, path: string, commit: string): Promise<readonly string[]> {
  const query = { orderBy: 'MODIFICATION' };
  const listed = await listAll(ask, OPERATIONS.listBranches, { path: `${path}/branches`, query, max: MAX_BRANCHES });
  const names = listed.flatMap((one) => (one.latestCommit === commit ? (textOf(one.displayId) ?? []) : []));
  if (names.length === 0) await readCommit(ask, path, commit);
  return names;
}

/** An empty repo has no default branch. */
async function readRepo(ask: Ask, path: string): Promise<RepoFacts> {
  const repo = await askFor(ask, OPERATIONS.readRepo, { path, read: (one) => (identityOf(one) ? one : undefined) });
  const answer = await definiteAnswer(ask(OPERATIONS.readRepo, { path: `${path}/default-branch` }));
  const branch = answer === undefined || answer.text === '' ? undefined : fieldsOf(answer.json()).displayId;
  const isPublic = repo.public === true || fieldsOf(repo.project).public === true;
  return {
    ...(identityOf(repo) as { readonly id: string; readonly name: string }),
    defaultBranch: textOf(branch) ?? 'main',
    visibility: isPublic ? 'public' : 'private',
    parent: identityOf(fieldsOf(repo.origin)),
  };
}
