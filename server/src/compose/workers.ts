import type { Links } from '../domain/announce/links.ts';
import type { Repo } from '../domain/repo/repo.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import { githubLines, githubWebAddress } from '../providers/github/web-address.ts';
import { createChooseBase } from '../use-cases/choose-base.ts';
import { createChooseCarried } from '../use-cases/choose-carried.ts';
import { createDiffCarried } from '../use-cases/diff-carried.ts';
import { createCompareCommits, createDiffSince, createFindDiffs } from '../use-cases/find-diffs.ts';
import { createFindShownText } from '../use-cases/find-shown-text.ts';
import { createFinishBuild } from '../use-cases/finish-build.ts';
import { createLandBuilds } from '../use-cases/hear-github/land-builds.ts';
import { createListAncestors } from '../use-cases/list-ancestors.ts';
import { type AnnouncingDeps, createOpenBuild, createReportTrouble } from '../use-cases/open-build.ts';
import { createPrepareBuild } from '../use-cases/prepare-build.ts';
import { createSeeRepo } from '../use-cases/see-repo.ts';
import { createReadSentDiff } from '../use-cases/sent-diff.ts';
import { createSettleDueBuilds } from '../use-cases/settle-due-builds.ts';
import { createSettleLanding } from '../use-cases/settle-landing.ts';
import { createSplitFlags } from '../use-cases/split-flags.ts';
import { createTellDependants } from '../use-cases/tell-dependants.ts';
import { createLaneLoop } from '../workers/lane-loop.ts';
import { createStoreClock } from '../workers/store-clock.ts';
import { createWorkLoop, type Round, type WorkLoop } from '../workers/work-loop.ts';
import type { Machinery, Parts } from './machinery.ts';

/** Builds that are closed at once: more than threads, since some of them wait for the provider. */
const CLOSING_LANES = 8;

/** How soon work is noticed that another instance left behind, in ms. */
const SHARED_IDLE = 3_000;
/** How often the database's clock is asked, in ms. */
const CLOCK_PAUSE = 30_000;
/** How often it is looked for what nothing refers to, in ms. */
const SWEEP_PAUSE = 30 * 60_000;

/** The worker that opens and closes builds (rules 11 to 13). */
export function composeClosing(machinery: Machinery): WorkLoop {
  const { config, store, logger, clock, providers, pool, outbox, askProvider } = machinery;
  const hasProvider = (repo: Repo): boolean => providers.for(repo.service) !== undefined;
  const canAnnotate = (repo: Repo): boolean => machinery.canAnnotate(repo.service);
  const { builds } = store;
  const compareCommits = createCompareCommits(askProvider);
  const readSent = createReadSentDiff({ jobs: store.jobs, engine: pool });
  const announcing: AnnouncingDeps = {
    store,
    clock,
    chooseBase: createChooseBase({ builds, listAncestors: createListAncestors({ facts: store.facts, askProvider, clock }) }),
    prepareBuild: createPrepareBuild({ builds, facts: store.facts, askProvider, hasProvider, clock }),
    seeRepo: createSeeRepo({ repos: store.repos, askProvider, clock }),
    hasProvider,
    canAnnotate,
    contextWord: config.statusContext,
    linksOf: (repo) => linksOf(machinery, repo),
  };
  const settling = createSettleDueBuilds({
    builds: store.builds,
    clock,
    logger,
    openBuild: createOpenBuild(announcing),
    finishBuild: createFinishBuild({
      ...announcing,
      chooseCarried: createChooseCarried(store),
      diffCarried: createDiffCarried({ jobs: store.jobs, engine: pool }),
      diffSince: createDiffSince(compareCommits, readSent),
      findDiffs: createFindDiffs(compareCommits, readSent),
      splitFlags: createSplitFlags({ jobs: store.jobs, engine: pool }),
      findShownText: createFindShownText({ compareCommits, canAnnotate }),
      engine: pool,
      latePeriod: config.latePeriod,
    }),
    reportTrouble: createReportTrouble(announcing),
    tellDependants: createTellDependants({ builds, clock }),
    settleLanding: createSettleLanding({
      repos: store.repos,
      builds,
      // The lane that it is settled in looks for what is due when it is done.
      landBuilds: createLandBuilds({ builds, askProvider, clock, onDue: () => {} }),
    }),
    onSettled: outbox.nudge,
  });
  const { claim, settle } = settling;
  return createLaneLoop({
    name: 'closing',
    lanes: CLOSING_LANES,
    claim,
    work: settle,
    nextDueAt: store.builds.nextDueAt,
    clock,
    logger,
    ...idleOf(store),
  });
}

/** Nobody tells a process what another has stored: it looks often. */
export function idleOf(store: Store): { readonly maxIdle?: number } {
  return store.isShared ? { maxIdle: SHARED_IDLE } : {};
}

/** The machine's clock; where several processes share a store, the store's. */
export function keepTime({ store, logger }: Parts): { readonly clock: Clock; readonly loop?: WorkLoop } {
  const machine: Clock = { now: Date.now };
  if (!store.isShared) return { clock: machine };
  const clock = createStoreClock({ readStoreTime: store.now, machine, logger });
  const run = async (): Promise<Round> => {
    await clock.adjust();
    return { nextAt: undefined, didWork: false };
  };
  return { clock, loop: createWorkLoop({ name: 'clock', run, maxIdle: CLOCK_PAUSE, clock: machine, logger }) };
}

/** Takes away what processes that died left behind. */
export function composeSweeping({ store, clock, logger }: Machinery): WorkLoop {
  return createWorkLoop({
    name: 'sweep',
    async run() {
      const swept = await store.sweep();
      if (swept !== undefined && Object.values(swept).some((count) => count > 0))
        logger.info({ ...swept }, 'took away leftovers');
      return { nextAt: undefined, didWork: false };
    },
    maxIdle: SWEEP_PAUSE,
    clock,
    logger,
  });
}

function linksOf({ config, baseUrl }: Machinery, repo: Repo): Links {
  const lines = repo.service === 'github' ? githubLines(githubWebAddress(config.githubApiUrl), repo.name) : undefined;
  return { base: baseUrl(), build: createAddresses(baseUrl).build, lines };
}
