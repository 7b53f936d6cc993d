import type { Provider } from '../../ports/provider.ts';
import type { RunConclusion, RunFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, isNumericId, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { readPull, timeOf } from './facts.ts';
import type { Flavor } from './flavor.ts';
import { askForPage, type Gitea, inRepo } from './questions.ts';
import { REFS } from './refs.ts';

/** Pull requests of listed runs that are asked about. */
const MAX_PULLS = 20;

type Runs = Pick<Provider, 'readRun' | 'listRuns' | 'listRunsOfCommit' | 'findPullRequestsOfRun'>;

/** Runs of Actions: a fork's pull request runs in the repo that it goes to, and tests its head. */
export function createRuns(gitea: Gitea): Runs {
  const { operations, flavor } = gitea;
  const list = (repo: string, query: Readonly<Record<string, string>>) =>
    definiteAnswer(
      inRepo(gitea, repo, async (ask, path) => {
        const asked = { path: `${path}/actions/runs`, query, field: 'workflow_runs' };
        const { entries } = await askForPage(ask, operations.listRuns, asked);
        const found = entries.map((one) => toRun(one, flavor)).filter((one) => one !== undefined);
        const runs = await withHeads(gitea, ask, path, found);
        // The newest first, whatever the order is.
        return runs.toSorted((a, b) => Number(b.id) - Number(a.id));
      }),
    );
  return {
    readRun: async ({ repo, run }) =>
      isNumericId(run) ? definiteAnswer(inRepo(gitea, repo, (ask, path) => readRun(gitea, ask, path, run))) : undefined,
    listRuns: ({ repo }) => list(repo, {}),
    listRunsOfCommit: async ({ repo, commit }) => {
      if (!isCommitSha(commit)) return [];
      const listed = await list(repo, { head_sha: commit });
      // An older version does not know the filter.
      return listed?.filter(({ headCommit }) => headCommit === commit.toLowerCase());
    },
    findPullRequestsOfRun: async ({ repo, run }) => {
      if (!isNumericId(run)) return undefined;
      return definiteAnswer(
        inRepo(gitea, repo, async (ask, path) => {
          const pullRequest = (await askRun(gitea, ask, path, run)).pullRequest;
          return pullRequest === undefined ? [] : [await readPull(gitea, ask, `${path}/pulls/${pullRequest}`)];
        }),
      );
    },
  };
}

interface FoundRun {
  readonly run: RunFacts;
  readonly pullRequest: number | undefined;
}

function askRun({ operations, flavor }: Gitea, ask: Ask, path: string, id: string): Promise<FoundRun> {
  return askFor(ask, operations.readRun, {
    path: `${path}/actions/runs/${id}`,
    read: (found) => toRun(found, flavor),
  });
}

/** Where its head is, only the pull request says in every version. */
async function readRun(gitea: Gitea, ask: Ask, path: string, id: string): Promise<RunFacts> {
  const { run, pullRequest } = await askRun(gitea, ask, path, id);
  if (pullRequest === undefined) return run;
  const pull = await definiteAnswer(readPull(gitea, ask, `${path}/pulls/${pullRequest}`));
  const { headRepoId, headBranch, state } = pull ?? {};
  const isOwn = headRepoId === run.repoId;
  return { ...run, headRepoId, headBranch, pullRequests: isOwn && state === 'open' ? [pullRequest] : [] };
}

/** Before Gitea 1.27 a list does not say where heads are: the pull requests do, each asked for once. */
async function withHeads(
  gitea: Gitea,
  ask: Ask,
  path: string,
  found: readonly FoundRun[],
): Promise<readonly RunFacts[]> {
  const unknown = found.flatMap(({ run, pullRequest }) => (run.headRepoId === undefined ? (pullRequest ?? []) : []));
  const pulls = new Map<number, Pick<RunFacts, 'headRepoId' | 'headBranch'>>();
  for (const number of [...new Set(unknown)].slice(0, MAX_PULLS)) {
    const pull = await definiteAnswer(readPull(gitea, ask, `${path}/pulls/${number}`));
    if (pull !== undefined) pulls.set(number, { headRepoId: pull.headRepoId, headBranch: pull.headBranch });
  }
  return found.map(({ run, pullRequest }) => ({ ...run, ...pulls.get(pullRequest ?? 0) }));
}

const CONCLUSIONS: ReadonlySet<unknown> = new Set([
  'success',
  'failure',
  'cancelled',
  'skipped',
] satisfies RunConclusion[]);

/** How a run ended; undefined while it is in progress. */
export function conclusionOf({ status, conclusion }: Fields): RunConclusion | undefined {
  const ended = status === 'completed' ? conclusion : status;
  return CONCLUSIONS.has(ended) ? (ended as RunConclusion) : undefined;
}

export function toRun(found: Fields, { run: names }: Flavor): FoundRun | undefined {
  const [id, headCommit] = [idOf(found.id), textOf(found[names.commit])];
  const repoId = idOf(fieldsOf(found.repository).id)?.toString();
  if (id === undefined || headCommit === undefined || repoId === undefined) return undefined;
  const conclusion = conclusionOf(found);
  const event = textOf(found[names.event]) ?? '';
  const isOfPull = event.startsWith('pull_request');
  const pull = isOfPull ? pullOf(found) : undefined;
  const branch = textOf(found.head_branch) ?? textOf(found.prettyref);
  const run: RunFacts = {
    id: String(id),
    number: idOf(found[names.number])?.toString(),
    repoId,
    headRepoId: isOfPull ? pull?.headRepoId : repoId,
    headCommit,
    headBranch: isOfPull ? pull?.headBranch : branch,
    event,
    actor: textOf(fieldsOf(found[names.actor]).login),
    attempt: idOf(found.run_attempt) ?? 1,
    ended: conclusion !== undefined,
    endedAt: conclusion === undefined ? undefined : timeOf(found[names.endedAt]),
    awaitsApproval: found.need_approval === true || found.status === 'waiting',
    conclusion,
    pullRequests: [],
  };
  return { run, pullRequest: pull?.number };
}

interface PullOfRun {
  readonly number: number;
  readonly headRepoId: string | undefined;
  readonly headBranch: string | undefined;
}

/** Gitea lists it, and before 1.27 ends the workflow's path with its ref; Forgejo quotes the event as it was sent. */
function pullOf({ pull_requests: listed, path, event_payload: payload, prettyref }: Fields): PullOfRun | undefined {
  const sent = payloadOf(payload);
  const described = Array.isArray(listed) && listed.length > 0 ? fieldsOf(listed[0]) : fieldsOf(sent.pull_request);
  const head = fieldsOf(described.head);
  const [, shown] = /^#([1-9]\d{0,14})$/.exec(textOf(prettyref) ?? '') ?? [];
  const ofRef = REFS.pullRequestOf(textOf(path)?.split('@').at(-1) ?? '');
  const number =
    idOf(described.number) ?? idOf(sent.number) ?? ofRef ?? (shown === undefined ? undefined : Number(shown));
  if (number === undefined) return undefined;
  const headRepoId = (idOf(head.repo_id) ?? idOf(fieldsOf(head.repo).id))?.toString();
  return { number, headRepoId, headBranch: textOf(head.ref) };
}

function payloadOf(text: unknown): Fields {
  try {
    return fieldsOf(JSON.parse(textOf(text) ?? '{}'));
  } catch {
    return {};
  }
}
