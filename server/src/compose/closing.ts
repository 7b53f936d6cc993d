import type { Links } from '../domain/announce/links.ts';
import type { Repo } from '../domain/repo/repo.ts';
import { annotationsRefusal } from '../domain/repo/warnings.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import { githubLines, githubWebAddress } from '../providers/github/web-address.ts';
import { createChooseBase } from '../use-cases/choose-base.ts';
import { createChooseCarried } from '../use-cases/choose-carried.ts';
import { createDiffCarried } from '../use-cases/diff-carried.ts';
import { createCompareCommits, createDiffSince, createFindDiffs } from '../use-cases/find-diffs.ts';
import { createFindShownText } from '../use-cases/find-shown-text.ts';
import { createFinishBuild } from '../use-cases/finish-build.ts';
import { createLandBuilds } from '../use-cases/hear-github/land-builds.ts';
import { createListAncestors } from '../use-cases/list-ancestors.ts';
import { createMergeBuild, type MergeBuild } from '../use-cases/merge-build.ts';
import { type AnnouncingDeps, createOpenBuild, createReportTrouble } from '../use-cases/open-build.ts';
import { createPrepareBuild } from '../use-cases/prepare-build.ts';
import { createSeeRepo } from '../use-cases/see-repo.ts';
import { createReadSentDiff } from '../use-cases/sent-diff.ts';
import { createSettleDueBuilds } from '../use-cases/settle-due-builds.ts';
import { createSettleLanding } from '../use-cases/settle-landing.ts';
import { createSplitFlags } from '../use-cases/split-flags.ts';
import { createTellDependants } from '../use-cases/tell-dependants.ts';
import { createLaneLoop } from '../workers/lane-loop.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
import { knownTo } from './administration.ts';
import type { Machinery } from './machinery.ts';
import { idleOf } from './workers.ts';

/** Builds that are closed at once: more than threads, since some of them wait for the provider. */
const CLOSING_LANES = 8;

/** The worker that opens and closes builds (rules 11 to 13). */
export function composeClosing(machinery: Machinery): WorkLoop {
  const { config, store, logger, clock, outbox, askProvider } = machinery;
  const { builds } = store;
  const announcing = composeAnnouncing(machinery);
  const { claim, settle } = createSettleDueBuilds({
    builds,
    clock,
    logger,
    openBuild: createOpenBuild(announcing),
    finishBuild: createFinishBuild({
      ...announcing,
      mergeBuild: composeMerging(machinery),
      latePeriod: config.latePeriod,
    }),
    reportTrouble: createReportTrouble(announcing),
    tellDependants: createTellDependants({ builds, clock }),
    settleLanding: createSettleLanding({
      repos: store.repos,
      builds,
      clock,
      // The lane that it is settled in looks for what is due when it is done.
      landBuilds: createLandBuilds({ builds, askProvider, clock, onDue: () => {} }),
    }),
    onSettled: outbox.nudge,
  });
  return createLaneLoop({
    name: 'closing',
    lanes: CLOSING_LANES,
    claim,
    work: settle,
    nextDueAt: builds.nextDueAt,
    clock,
    logger,
    ...idleOf(store),
  });
}

/** What openings and closes ask and say. */
function composeAnnouncing(machinery: Machinery): AnnouncingDeps {
  const { config, store, clock, providers, askProvider } = machinery;
  const { builds, facts, repos } = store;
  const hasProvider = (repo: Repo): boolean => providers.for(repo.service) !== undefined;
  return {
    store,
    clock,
    chooseBase: createChooseBase({ builds, listAncestors: createListAncestors({ facts, askProvider, clock }) }),
    prepareBuild: createPrepareBuild({ builds, facts, askProvider, hasProvider, clock }),
    seeRepo: createSeeRepo({ repos, askProvider, clock }),
    hasProvider,
    canAnnotate: canAnnotate(machinery),
    contextWord: config.statusContext,
    linksOf: (repo) => linksOf(machinery, repo),
  };
}

function composeMerging(machinery: Machinery): MergeBuild {
  const { store, pool: engine, askProvider } = machinery;
  const { jobs } = store;
  const compareCommits = createCompareCommits(askProvider);
  const readSent = createReadSentDiff({ jobs, engine });
  return createMergeBuild({
    store,
    chooseCarried: createChooseCarried(store),
    diffCarried: createDiffCarried({ jobs, engine }),
    diffSince: createDiffSince(compareCommits, readSent),
    findDiffs: createFindDiffs(compareCommits, readSent),
    findShownText: createFindShownText({ compareCommits, canAnnotate: canAnnotate(machinery) }),
    splitFlags: createSplitFlags({ jobs, engine }),
    engine,
  });
}

function canAnnotate(machinery: Machinery): (repo: Repo) => boolean {
  const known = knownTo(machinery);
  return ({ service }) => annotationsRefusal(service, known) === undefined;
}

function linksOf({ config, baseUrl }: Machinery, repo: Repo): Links {
  const lines = repo.service === 'github' ? githubLines(githubWebAddress(config.githubApiUrl), repo.name) : undefined;
  return { base: baseUrl(), build: createAddresses(baseUrl).build, lines };
}
