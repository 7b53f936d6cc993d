import type { DescribedRun } from '../../core/repo/fork-run.ts';
import type { InstalledRepo, OpenTokenView, RefreshedRepo } from '../../ports/provider.ts';
import type { ListedPullRequest } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';
import { type Ask, createCalls } from '../rest/calls.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { createFacts, identityOf, listFrom, readChange } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { conclusionOf, toRun } from './pipelines.ts';
import { createProjects, type Gitlab, inProject, pathByName } from './questions.ts';
import { REFS } from './refs.ts';
import { restApiOf } from './rest-api.ts';

/** From Developer on. */
const MAY_PUSH = 30;

/**
 * GitLab as the token of a request sees it. A job's token only says which job it belongs to: everything else is asked
 * with the server's own token, `own`; undefined: it has none, and no fork's job is believed.
 */
export function createOpenTokenView(
  { fetch, clock, timers }: HostDeps,
  web: string,
  own: Gitlab | undefined,
): OpenTokenView {
  return ({ token, timeLimit }) => {
    const calls = createCalls({ fetch, clock, timers, host: restApiOf(web), token, timeLimit });
    const seen: Gitlab = { calls, projects: createProjects(() => clock.now()) };
    const facts = createFacts(token.startsWith('glcbt-') ? (own ?? seen) : seen);
    let run: DescribedRun | undefined;
    return {
      readRepo: ({ repo }) =>
        definiteAnswer(
          calls((ask) => askFor(ask, OPERATIONS.readProject, { path: pathByName(repo), read: toSeenRepo })),
        ),
      async findInstalled({ repo }) {
        const job = await definiteAnswer(
          calls((ask) => askFor(ask, OPERATIONS.readJob, { path: '/job', read: toJob(web) })),
        );
        if (job === undefined) return { repo: undefined, covered: 0 };
        const found = await findProject(job, repo, own);
        run = found.run;
        return found;
      },
      readRun: async () => run,
      describeCommit: facts.describeCommit,
      describePullRequest: facts.describePullRequest,
    };
  };
}

function toSeenRepo(project: Fields): RefreshedRepo | undefined {
  const identity = identityOf(project);
  return identity && { ...identity, mayPush: accessOf(project) >= MAY_PUSH };
}

/** The larger of what somebody has in the project and in its group. */
export function accessOf({ permissions }: Fields): number {
  const { project_access: own, group_access: ofGroup } = fieldsOf(permissions);
  return Math.max(0, ...[own, ofGroup].map((one) => idOf(fieldsOf(one).access_level) ?? 0));
}

interface Job {
  /** For the project in which it runs. */
  readonly repo: RefreshedRepo;
  readonly run: DescribedRun;
  /** What it tests: a branch, or the ref of a merge request of whichever project it goes to. */
  readonly ref: string;
}

/** The job of a token, while it runs. Its page is below its project's. */
function toJob(web: string): (job: Fields) => Job | undefined {
  return (job) => {
    const pipeline = fieldsOf(job.pipeline);
    const [page = '', id] = [textOf(job.web_url), idOf(pipeline.project_id)?.toString()];
    const name = page.startsWith(`${web}/`) ? page.slice(web.length + 1).split('/-/', 1)[0] : undefined;
    const ref = textOf(pipeline.ref) ?? textOf(job.ref) ?? '';
    const run = toRun({ ...pipeline, ref, user: job.user }, '');
    if (id === undefined || name === undefined || run === undefined) return undefined;
    const ended = conclusionOf(job.status) !== undefined;
    return {
      ref,
      repo: { id, name: decodeURIComponent(name), mayPush: true },
      run: { ...run, ended, endedAt: undefined },
    };
  };
}

/**
 * The job's own project, where it may test a merge request of a fork anyway; or the one that a merge request of the
 * job's project goes to. Both as the server's own token shows them.
 */
async function findProject(job: Job, wanted: string | undefined, own: Gitlab | undefined): Promise<InstalledRepo> {
  const { repo, run } = job;
  if (wanted === undefined || wanted.toLowerCase() === repo.name.toLowerCase())
    return { repo, covered: 1, run: await withHead(job, own) };
  const target =
    own &&
    (await definiteAnswer(
      inProject(own, wanted, async (ask, path) => {
        const change = await findChange(ask, path, job);
        return change && { change, ...(await askFor(ask, OPERATIONS.readProject, { path, read: identityOf })) };
      }),
    ));
  if (target === undefined) return { repo: undefined, covered: 1 };
  const { id, name, change } = target;
  const ofFork = { repoId: id, headRepoId: repo.id, headBranch: change.headBranch, event: 'merge_request_event' };
  return { repo: { id, name, mayPush: false }, covered: 1, run: { ...run, ...ofFork } };
}

/** Where the head of what the job tests is; undefined if it is unknown. */
async function withHead({ repo, run, ref }: Job, own: Gitlab | undefined): Promise<DescribedRun> {
  const number = REFS.pullRequestOf(ref);
  if (number === undefined) return run;
  const change = own && (await definiteAnswer(inProject(own, repo.name, (ask, path) => readChange(ask, path, number))));
  return { ...run, headRepoId: change?.headRepoId, headBranch: change?.headBranch };
}

/** The open merge request that comes from the job's project and from what the job tests. */
async function findChange(ask: Ask, path: string, { repo, ref }: Job): Promise<ListedPullRequest | undefined> {
  const number = REFS.pullRequestOf(ref);
  const named = number === undefined ? undefined : await definiteAnswer(readChange(ask, path, number));
  const listed = number === undefined ? await listFrom(ask, path, ref) : [named].filter((one) => one !== undefined);
  return listed.find(({ headRepoId, state }) => headRepoId === repo.id && state === 'open');
}
