import type { Build } from '../../domain/build/build.ts';
import {
  branchesToExpectBy,
  type EndedRun,
  hearsRunEnd,
  isOfRun,
  statedByRun,
  stillReports,
} from '../../domain/build/ended-run.ts';
import type { JobFacts, Timestamp } from '../../domain/build/job.ts';
import { RECENT_BUILDS } from '../../domain/build/missing-flags.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FactStore } from '../../ports/store.ts';
import { defaultBranches } from '../choose-base.ts';

/** Builds of one run: one for each commit and trust that its jobs state. */
const MOST_OF_RUN = 50;

export interface EndRunDeps {
  readonly builds: Pick<BuildStore, 'ofServiceNumber' | 'ofCommit' | 'closed' | 'revise' | 'openEmpty'>;
  readonly facts: FactStore;
  /** BUILD_QUIET_PERIOD, in milliseconds. */
  readonly quietPeriod: number;
  readonly clock: Clock;
  readonly onDue: () => void;
}

/** What changed, in short sentences. */
export type EndRun = (repo: Repo, run: EndedRun) => Promise<readonly string[]>;

/**
 * A run ended: nothing more comes, so its open builds are closed at once (rules 11 and 13). Where none came of a workflow that usually brings coverage, a
 * build without jobs gives the answer that a required check waits for.
 */
export function createEndRun(deps: EndRunDeps): EndRun {
  return async (repo, run) => {
    const found = await findBuilds(deps, repo, run);
    if (found.length === 0) return expectCoverage(deps, repo, run);
    const reporting = found.find((build) => build.jobs > 0);
    if (reporting !== undefined) await remember(deps, { repo, run, serviceName: reporting.serviceName });
    return closeBuilds(deps, found, run.conclusion);
  };
}

async function findBuilds({ builds }: EndRunDeps, repo: Repo, run: EndedRun): Promise<readonly Build[]> {
  const found = await builds.ofServiceNumber(repo.id, run.id, MOST_OF_RUN);
  const ofCommit = await builds.ofCommit(repo.id, run.headCommit);
  return [...new Map([...found, ...ofCommit].map((build) => [build.id, build])).values()].filter((build) => isOfRun(build, run));
}

async function closeBuilds(
  deps: EndRunDeps,
  found: readonly Build[],
  conclusion: EndedRun['conclusion'],
): Promise<readonly string[]> {
  const { builds, clock, onDue } = deps;
  const concerned = found.filter((build) => hearsRunEnd(build, conclusion));
  for (const { id } of concerned) {
    await builds.revise({ buildId: id, revision: { kind: 'run-ended', conclusion, at: clock.now() } });
  }
  if (concerned.length > 0) onDue();
  return concerned.map(
    ({ number, state }) => `build ${number} is ${state === 'open' ? 'closed' : 'judged anew'}: its run ended (${conclusion})`,
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
  { facts, clock }: EndRunDeps,
  { repo, run, serviceName }: { readonly repo: Repo; readonly run: EndedRun; readonly serviceName: string },
): Promise<void> {
  const known = (await facts.find(repo.id, keyOf(run))) as ReportingWorkflow | undefined;
  if (known?.serviceName === serviceName) return;
  const value: ReportingWorkflow = { reports: true, serviceName, at: clock.now() };
  await facts.put({ repoId: repo.id, key: keyOf(run), value, at: value.at });
}

/** A required check must not hang because nothing was due. A commit that has any build has its answer. */
async function expectCoverage(deps: EndRunDeps, repo: Repo, run: EndedRun): Promise<readonly string[]> {
  const { builds, facts, quietPeriod, clock, onDue } = deps;
  const workflow = (await facts.find(repo.id, keyOf(run))) as ReportingWorkflow | undefined;
  const stated = workflow && statedByRun(run, workflow.serviceName);
  if (stated === undefined || (await builds.ofCommit(repo.id, run.headCommit)).length > 0) return [];
  if (!(await isExpected(deps, repo, stated))) return [];
  const opening = { repoId: repo.id, facts: stated, because: 'none-came', carryforward: undefined } as const;
  const opened = await builds.openEmpty({ ...opening, quiet: quietPeriod, at: clock.now() });
  if (opened === undefined) return [];
  onDue();
  return [`build ${opened.number} answers for the run, which brought no coverage`];
}

async function isExpected({ builds }: EndRunDeps, repo: Repo, stated: JobFacts): Promise<boolean> {
  for (const branch of branchesToExpectBy(stated, defaultBranches(repo))) {
    const recent = await builds.closed({ repoId: repo.id, scope: { branch }, before: undefined, limit: RECENT_BUILDS });
    if (recent.length > 0) return stillReports(recent);
  }
  return false;
}
