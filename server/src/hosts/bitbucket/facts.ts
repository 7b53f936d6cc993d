import type { Provider } from '../../ports/provider.ts';
import { type ListedPullRequest, OPEN_PULL_REQUEST_LIMIT, type RepoFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, textOf, timeOf } from '../answers.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { wholeSha } from './commits.ts';
import { OPERATIONS } from './operations.ts';
import {
  type Ask,
  type Bitbucket,
  countedAsk,
  identityOf,
  inRepo,
  isUuid,
  listAll,
  pathById,
  pathByName,
  uuidOf,
} from './questions.ts';

type Facts = Pick<
  Provider,
  'describePullRequest' | 'listPullRequestsFrom' | 'listOpenPullRequests' | 'describeRepo' | 'describeRepoById'
>;

/** Each may cost up to three more requests, since Bitbucket shows the beginnings of commits only. */
const MAX_FROM_A_BRANCH = 10;

/** Pull requests and repos at Bitbucket. */
export function createFacts(bitbucket: Bitbucket): Facts {
  const { calls, ids } = bitbucket;
  const describe = (path: string, name?: string) =>
    definiteAnswer(
      calls(async (plain) => {
        const asked = { path, read: toRepoFacts };
        const facts = await askFor(countedAsk(bitbucket, plain, name), OPERATIONS.readRepo, asked);
        ids.set(facts.name.toLowerCase(), facts.id);
        return facts;
      }),
    );
  return {
    describePullRequest: ({ repo, pullRequest }) =>
      definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) => {
          const { number: _, ...facts } = await readPull(bitbucket, ask, { repo, path, number: pullRequest });
          return facts;
        }),
      ),
    listPullRequestsFrom: ({ repo, headRepo, headBranch }) =>
      definiteAnswer(
        inRepo(bitbucket, repo, (ask, path) => listFrom(bitbucket, ask, { repo, path, headRepo, headBranch })),
      ),
    listOpenPullRequests: ({ repo }) => definiteAnswer(inRepo(bitbucket, repo, listOpen)),
    describeRepo: async ({ repo }) => {
      const found = await describe(pathByName(repo), repo);
      const known = ids.get(repo.toLowerCase());
      return found ?? (known === undefined ? undefined : describe(pathById(known), repo));
    },
    describeRepoById: async ({ id, name }) => (isUuid(id) ? describe(pathById(id), name) : undefined),
  };
}

interface PullPlace {
  readonly repo: string;
  readonly path: string;
}

export async function readPull(
  bitbucket: Bitbucket,
  ask: Ask,
  { number, ...place }: PullPlace & { readonly number: number },
): Promise<ListedPullRequest> {
  const path = `${place.path}/pullrequests/${number}`;
  const found = await askFor(ask, OPERATIONS.readPull, { path, read: (one) => one });
  return completed(bitbucket, ask, place, found);
}

async function listFrom(
  bitbucket: Bitbucket,
  ask: Ask,
  { headRepo, headBranch, ...place }: PullPlace & { readonly headRepo: string; readonly headBranch: string },
): Promise<readonly ListedPullRequest[]> {
  const query = {
    q: `source.branch.name=${quoted(headBranch)} AND source.repository.full_name=${quoted(headRepo)}`,
    state: ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'],
    sort: '-created_on',
    pagelen: '50',
  };
  const listed = await listAll(ask, OPERATIONS.listPulls, { path: `${place.path}/pullrequests`, query, max: 50 });
  const found: ListedPullRequest[] = [];
  for (const one of listed.filter((pull) => isFrom(pull, headRepo, headBranch)).slice(0, MAX_FROM_A_BRANCH))
    found.push(await completed(bitbucket, ask, place, one));
  return found;
}

function isFrom({ source }: Fields, repo: string, branch: string): boolean {
  const { branch: head, repository } = fieldsOf(source);
  const name = textOf(fieldsOf(repository).full_name);
  return fieldsOf(head).name === branch && name?.toLowerCase() === repo.toLowerCase();
}

/** A text of Bitbucket's query language. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

async function listOpen(ask: Ask, path: string): Promise<readonly number[]> {
  const listed = await listAll(ask, OPERATIONS.listPulls, {
    path: `${path}/pullrequests`,
    query: { state: 'OPEN', sort: '-created_on', pagelen: '50', fields: 'values.id,next' },
    max: OPEN_PULL_REQUEST_LIMIT,
  });
  return listed.map(({ id }) => {
    const number = idOf(id);
    if (number === undefined) throw unexpectedAnswer(OPERATIONS.listPulls);
    return number;
  });
}

/** Bitbucket shows twelve characters of each commit: the whole ones are asked for once. */
async function completed(bitbucket: Bitbucket, ask: Ask, place: PullPlace, pull: Fields): Promise<ListedPullRequest> {
  const [source, destination] = [fieldsOf(pull.source), fieldsOf(pull.destination)];
  const whole = (commit: unknown) => wholeSha(bitbucket, ask, { ...place, hash: textOf(fieldsOf(commit).hash) });
  const number = idOf(pull.id);
  const [headBranch, baseBranch] = [source, destination].map(({ branch }) => textOf(fieldsOf(branch).name));
  const [state, own] = [textOf(pull.state), uuidOf(fieldsOf(destination.repository).uuid)];
  const headCommit = await whole(source.commit);
  if (number === undefined || headCommit === undefined || headBranch === undefined)
    throw unexpectedAnswer(OPERATIONS.readPull);
  if (baseBranch === undefined || state === undefined || own === undefined) throw unexpectedAnswer(OPERATIONS.readPull);
  const merged = state === 'MERGED';
  // Null once the fork is gone.
  const headRepoId = uuidOf(fieldsOf(source.repository).uuid);
  return {
    number,
    headCommit,
    headBranch,
    baseBranch,
    baseCommit: (await whole(destination.commit)) ?? baseBranch,
    mergeCommit: undefined,
    state: state === 'OPEN' ? 'open' : 'closed',
    title: textOf(pull.title) ?? '',
    openedAt: timeOf(pull.created_on),
    merged,
    landedCommit: merged ? await whole(pull.merge_commit) : undefined,
    headRepoId,
    fromFork: headRepoId !== own,
  };
}

function toRepoFacts(repo: Fields): RepoFacts | undefined {
  const identity = identityOf(repo);
  if (identity === undefined || typeof repo.is_private !== 'boolean') return undefined;
  return {
    ...identity,
    // An empty repo has none.
    defaultBranch: textOf(fieldsOf(repo.mainbranch).name) ?? 'main',
    visibility: repo.is_private ? 'private' : 'public',
    parent: identityOf(fieldsOf(repo.parent)),
  };
}
