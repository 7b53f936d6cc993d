import { defaultBranches } from '../core/builds/base-branches.ts';
import type { Build } from '../core/builds/build.ts';
import {
  branchesToExpectBy,
  type EndedRun,
  isChangedByRunEnd,
  isJobOfRun,
  isOfRun,
  numbersOfRun,
  statedByRun,
  stillReports,
} from '../core/builds/ended-run.ts';
import type { JobFacts } from '../core/builds/job.ts';
import { RECENT_BUILDS } from '../core/builds/missing-flags.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { Host } from '../ports/host.ts';
import type { Services } from '../services/services.ts';

/** Builds of one run: one for each commit and trust that its jobs state. */
const MAX_PER_RUN = 50;
/** Builds of the run's commit whose jobs are looked at. */
const MAX_LOOKED_INTO = 20;
/** In ms: a webhook's sender waits 10 s for an answer. */
const ANSWER_LIMIT = 5_000;

type Ending = Pick<Services, 'builds' | 'jobs' | 'facts' | 'askProvider' | 'config' | 'clock' | 'timers' | 'onDue'>;

/**
 * A run ended: nothing more comes, so its open builds are closed at once (rules 11 and 13). If none came of a
 * workflow that usually brings coverage, a build without jobs gives the answer that a required check waits for. Answers
 * what changed, in short sentences.
 */
export async function endRun(services: Ending, host: Host, { repo, run }: RunOfRepo): Promise<readonly string[]> {
  const found = await findBuilds(services, host, { repo, run });
  if (found.length === 0) return expectCoverage(services, host, { repo, run });
  const reporting = found.find((build) => build.jobs > 0);
  if (reporting !== undefined) await remember(services, { repo, run, serviceName: reporting.serviceName });
  return closeBuilds(services, found, run);
}

interface RunOfRepo {
  readonly repo: Repo;
  readonly run: EndedRun;
}

async function findBuilds(services: Ending, { runs }: Host, { repo, run }: RunOfRepo): Promise<readonly Build[]> {
  const { builds } = services;
  const numbered = [];
  for (const number of numbersOfRun(run))
    numbered.push(...(await builds.ofServiceNumber(repo.id, number, MAX_PER_RUN)));
  const ofCommit = await builds.ofCommit(repo.id, run.headCommit);
  const found = [...new Map([...numbered, ...ofCommit].map((build) => [build.id, build])).values()];
  const others = found.filter((build) => !isOfRun(build, run, runs) && runs.isServiceName(build.serviceName));
  const byJob = await holdingJobs(services, others.slice(0, MAX_LOOKED_INTO), run);
  return [...found.filter((build) => isOfRun(build, run, runs)), ...byJob];
}

/** Clients may name the run by the id of their jobs alone, as a close may (wire.md "Close"). */
async function holdingJobs({ jobs }: Ending, builds: readonly Build[], run: EndedRun): Promise<readonly Build[]> {
  const holding = [];
  for (const build of builds) {
    if ((await jobs.ofBuild(build.id)).some(({ facts }) => isJobOfRun(facts, run))) holding.push(build);
  }
  return holding;
}

async function closeBuilds(
  services: Ending,
  found: readonly Build[],
  { conclusion, attempt }: EndedRun,
): Promise<readonly string[]> {
  const { builds, clock, onDue } = services;
  const concerned = found.filter((build) => isChangedByRunEnd(build, { conclusion, attempt }));
  for (const { id } of concerned) {
    await builds.revise({ buildId: id, revision: { kind: 'run-ended', conclusion, attempt, at: clock.now() } });
  }
  if (concerned.length > 0) onDue();
  return concerned
    .filter((build) => build.state === 'open' || build.runConclusion !== conclusion)
    .map(
      ({ number, state }) =>
        `build ${number} is ${state === 'open' ? 'closed' : 'judged again'}: its run ended (${conclusion})`,
    );
}

/** What is kept of a workflow whose runs brought coverage. */
interface ReportingWorkflow {
  readonly reports: true;
  readonly serviceName: string;
  readonly at: Timestamp;
}

const keyOf = (run: EndedRun): string => `workflow/${run.workflowId}`;

async function remember(
  { facts, clock }: Ending,
  { repo, run, serviceName }: RunOfRepo & { readonly serviceName: string },
): Promise<void> {
  const known = (await facts.find(repo.id, keyOf(run))) as ReportingWorkflow | undefined;
  if (known?.serviceName === serviceName) return;
  const value: ReportingWorkflow = { reports: true, serviceName, at: clock.now() };
  await facts.put({ repoId: repo.id, key: keyOf(run), value, at: value.at });
}

/** A required check must not hang because nothing was due. A commit that has any build has its answer. */
async function expectCoverage(services: Ending, host: Host, { repo, run }: RunOfRepo): Promise<readonly string[]> {
  const { builds, facts, config, clock, onDue } = services;
  const workflow = (await facts.find(repo.id, keyOf(run))) as ReportingWorkflow | undefined;
  const stated = workflow && statedByRun(run, workflow.serviceName, host);
  if (stated === undefined || (await builds.ofCommit(repo.id, run.headCommit)).length > 0) return [];
  if (!(await isExpected(services, repo, stated)) || (await hasOtherHead(services, repo, stated))) return [];
  const opening = { repoId: repo.id, facts: stated, because: 'none-came', carryforward: undefined } as const;
  const opened = await builds.openEmpty({ ...opening, quiet: config.quietPeriod, at: clock.now() });
  if (opened === undefined) return [];
  onDue();
  return [`build ${opened.number} answers for the run, which brought no coverage`];
}

/**
 * The event may be from before the last push: a pull request waits for the run of its newest commit. No answer: as the
 * event says.
 */
async function hasOtherHead(
  { askProvider, timers }: Ending,
  repo: Repo,
  { commit, mergeQueue, pullRequest }: JobFacts,
): Promise<boolean> {
  if (pullRequest === undefined || mergeQueue) return false;
  const [deadline, call] = [createDeadline(timers, ANSWER_LIMIT), { repo: repo.name, pullRequest }];
  const answer = await askProvider({ repo, deadline, ask: (provider) => provider.describePullRequest(call) });
  return answer.kind === 'answer' && answer.value !== undefined && answer.value.headCommit !== commit;
}

async function isExpected({ builds }: Ending, repo: Repo, stated: JobFacts): Promise<boolean> {
  for (const branch of branchesToExpectBy(stated, defaultBranches(repo))) {
    const recent = await builds.closed({ repoId: repo.id, scope: { branch }, before: undefined, limit: RECENT_BUILDS });
    if (recent.length > 0) return stillReports(recent);
  }
  return false;
}
