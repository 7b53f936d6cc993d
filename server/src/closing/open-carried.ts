import type { Build, CarryforwardRequest } from '../core/builds/build.ts';
import { placeOfRun } from '../core/builds/ended-run.ts';
import type { JobFacts } from '../core/builds/job.ts';
import type { GitHost } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { readRunIds, type VouchedRun } from '../core/repo/workflow-run.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { RunFacts } from '../ports/provider-facts.ts';
import type { Services } from '../services/services.ts';

/** The close waits for the provider this long: its answer belongs to the eight seconds of the close. */
const RUN_LIMIT = 5_000;

/** A close that means no build, though flags are to be carried: every leg of its run was skipped. */
export interface EmptyClose {
  readonly repo: Repo;
  readonly buildNumber: string | undefined;
  readonly carryforward: CarryforwardRequest | undefined;
  /** The run that the close was vouched for with, if it was. */
  readonly vouchedRun: VouchedRun | undefined;
}

/**
 * The build of the carried flags alone. Only the run's own provider can say what an upload would have said: commit,
 * branch and pull request. Undefined: nothing is to be carried, or the run's commit is unknown.
 */
export async function openCarried(
  services: Pick<Services, 'hosts' | 'builds' | 'askProvider' | 'clock' | 'timers' | 'config'>,
  { repo, buildNumber, carryforward, vouchedRun }: EmptyClose,
): Promise<Build | undefined> {
  const { hosts, builds, askProvider, clock, timers, config } = services;
  const host = hosts.of(repo);
  if (host === undefined || carryforward === undefined) return undefined;
  const [run] = readRunIds([buildNumber], host.runs);
  if (run === undefined) return undefined;
  const deadline = createDeadline(timers, RUN_LIMIT);
  const answer = await askProvider({ repo, deadline, ask: (provider) => provider.readRun({ repo: repo.name, run }) });
  if (answer.kind === 'unavailable' || answer.value === undefined) return undefined;
  const facts = { ...factsOfRun(answer.value, host), ...(vouchedRun !== undefined && { vouchedRun }) };
  return builds.openEmpty({
    repoId: repo.id,
    facts,
    because: 'carried',
    carryforward,
    quiet: config.quietPeriod,
    at: clock.now(),
  });
}

/**
 * What a job of this run would have stated. A run of a fork has no secret, and its closing step has none either.
 */
export function factsOfRun(run: RunFacts, host: Pick<GitHost, 'runs' | 'refs'>): JobFacts {
  const isFork = run.headRepoId !== run.repoId;
  const [number] = run.pullRequests;
  const place = placeOfRun({ ...run, pull: number === undefined ? undefined : { number } }, host);
  return {
    serviceName: host.runs.serviceName,
    serviceNumber: run.id,
    serviceJobId: undefined,
    serviceJobNumber: undefined,
    serviceAttempt: run.attempt,
    serviceEventType: run.event,
    flag: undefined,
    parallel: true,
    commit: run.headCommit,
    testedCommit: undefined,
    ...place,
    tag: false,
    compareRef: undefined,
    compareCommit: undefined,
    message: undefined,
    authors: { authorName: undefined, authorEmail: undefined, committerName: undefined, committerEmail: undefined },
    buildUrl: undefined,
    jobUrl: undefined,
    runAt: undefined,
    trust: isFork ? 'run' : 'secret',
  };
}
