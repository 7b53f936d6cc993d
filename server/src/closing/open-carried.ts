import type { Build, CarryforwardRequest } from '../core/builds/build.ts';
import { placeOfRun } from '../core/builds/ended-run.ts';
import type { JobFacts } from '../core/builds/job.ts';
import type { GitHost } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { readRunIds, type VouchedRun } from '../core/repo/workflow-run.ts';
import type { AskProvider } from '../hosts/facts/ask-provider.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { Clock } from '../platform/clock.ts';
import type { Timers } from '../platform/timers.ts';
import type { Hosts } from '../ports/host.ts';
import type { RunFacts } from '../ports/provider-facts.ts';
import type { BuildStore } from '../storage/build-store.ts';

/** The close waits for the provider this long: its answer belongs to the eight seconds of the close. */
const RUN_LIMIT = 5_000;

export interface OpenCarriedDeps {
  readonly hosts: Pick<Hosts, 'of'>;
  readonly builds: Pick<BuildStore, 'openEmpty'>;
  readonly askProvider: AskProvider;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Milliseconds. */
  readonly quietPeriod: number;
}

/** A close that means no build, though flags are to be carried: every leg of its run was skipped. */
export interface EmptyClose {
  readonly repo: Repo;
  readonly buildNumber: string | undefined;
  readonly carryforward: CarryforwardRequest | undefined;
  /** The run that the close was vouched for with, if it was. */
  readonly vouchedRun: VouchedRun | undefined;
}

/** The build of the carried flags alone. Undefined: nothing is to be carried, or the run's commit is unknown. */
export type OpenCarried = (close: EmptyClose) => Promise<Build | undefined>;

/** Only the run's own provider can say what an upload would have said: commit, branch and pull request. */
export function createOpenCarried(deps: OpenCarriedDeps): OpenCarried {
  const { hosts, builds, askProvider, clock, timers, quietPeriod } = deps;
  return async ({ repo, buildNumber, carryforward, vouchedRun }) => {
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
      quiet: quietPeriod,
      at: clock.now(),
    });
  };
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
