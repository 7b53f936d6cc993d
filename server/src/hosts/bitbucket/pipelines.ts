import type { Provider } from '../../ports/provider.ts';
import type { RunConclusion, RunFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, textOf, timeOf } from '../answers.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { wholeSha } from './commits.ts';
import { readPull } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { type Ask, type Bitbucket, inRepo, isUuid, listAll, pathByName, uuidOf } from './questions.ts';

type Runs = Pick<Provider, 'readRun' | 'listRuns' | 'listRunsOfCommit' | 'findPullRequestsOfRun'>;

const LISTED = 50;

/** Bitbucket Pipelines. One of a fork's pull request does not run here. */
export function createPipelines(bitbucket: Bitbucket): Runs {
  const list = (repo: string, query: Readonly<Record<string, string>>) =>
    definiteAnswer(
      inRepo(bitbucket, repo, async (ask, path) => {
        const asked = { sort: '-created_on', pagelen: String(LISTED), ...query };
        const place = { path: `${path}/pipelines`, query: asked, max: LISTED };
        const found: RunFacts[] = [];
        for (const one of await listAll(ask, OPERATIONS.listPipelines, place)) {
          const run = await toRun(bitbucket, ask, { repo, path, pipeline: one });
          if (run !== undefined) found.push({ ...run, pullRequests: [] });
        }
        return found;
      }),
    );
  const read = (repo: string, run: string) =>
    definiteAnswer(inRepo(bitbucket, repo, (ask, path) => readPipeline(bitbucket, ask, { repo, path, run })));
  return {
    readRun: async ({ repo, run }) => (isRunIn(repo, run) ? read(repo, run) : undefined),
    listRuns: ({ repo }) => list(repo, {}),
    listRunsOfCommit: async ({ repo, commit }) =>
      isCommitSha(commit) ? list(repo, { 'target.commit.hash': commit.toLowerCase() }) : [],
    findPullRequestsOfRun: async ({ repo, run }) => {
      if (!isRunIn(repo, run)) return undefined;
      return definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) => {
          const found = await readPipeline(bitbucket, ask, { repo, path, run });
          const [number] = found?.pullRequests ?? [];
          return number === undefined ? [] : [await readPull(bitbucket, ask, { repo, path, number })];
        }),
      );
    },
  };
}

/** Throws if no repo can be called so. */
function isRunIn(repo: string, run: string): boolean {
  return pathByName(repo) !== '' && isUuid(run);
}

export async function readPipeline(
  bitbucket: Bitbucket,
  ask: Ask,
  { repo, path, run }: { readonly repo: string; readonly path: string; readonly run: string },
): Promise<RunFacts | undefined> {
  const asked = { path: `${path}/pipelines/${encodeURIComponent(run)}`, read: (one: Fields) => one };
  return toRun(bitbucket, ask, { repo, path, pipeline: await askFor(ask, OPERATIONS.readPipeline, asked) });
}

const ENDED: Readonly<Record<string, RunConclusion>> = { SUCCESSFUL: 'success', STOPPED: 'cancelled' };

/** Whatever ended otherwise failed: `FAILED`, `ERROR`, `EXPIRED`. */
function conclusionOf(state: unknown): RunConclusion {
  const word = textOf(fieldsOf(fieldsOf(state).result).name) ?? '';
  return ENDED[word] ?? 'failure';
}

const TAGS = 'refs/tags/';

/** What it tests of a pull request is the head: Bitbucket merges in the step itself. */
async function toRun(
  bitbucket: Bitbucket,
  ask: Ask,
  { repo, path, pipeline }: { readonly repo: string; readonly path: string; readonly pipeline: Fields },
): Promise<RunFacts | undefined> {
  const target = fieldsOf(pipeline.target);
  const [id, hash] = [uuidOf(pipeline.uuid), textOf(fieldsOf(target.commit).hash)];
  const repoId = uuidOf(fieldsOf(pipeline.repository).uuid);
  const headCommit = await wholeSha(bitbucket, ask, { repo, path, hash });
  if (id === undefined || headCommit === undefined || repoId === undefined) return undefined;
  const pull = idOf(fieldsOf(target.pullrequest).id);
  const [name, type] = [textOf(target.ref_name), textOf(target.ref_type)];
  const ref = name === undefined || pull !== undefined ? undefined : `${type === 'tag' ? TAGS : 'refs/heads/'}${name}`;
  // That there is an end says that it ended: the words of the state are not all known.
  const endedAt = timeOf(pipeline.completed_on);
  return {
    id,
    number: idOf(pipeline.build_number)?.toString(),
    repoId,
    headRepoId: repoId,
    headCommit,
    headBranch: pull !== undefined ? textOf(target.source) : ref?.startsWith(TAGS) ? undefined : name,
    ref,
    event: pull === undefined ? 'push' : 'pull_request',
    actor: textOf(fieldsOf(pipeline.creator).nickname),
    attempt: 1,
    ended: endedAt !== undefined,
    endedAt,
    awaitsApproval: false,
    conclusion: endedAt === undefined ? undefined : conclusionOf(pipeline.state),
    pullRequests: pull === undefined ? [] : [pull],
  };
}
