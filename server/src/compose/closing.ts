import { createChooseBase } from '../closing/choose-base.ts';
import { createChooseCarried } from '../closing/choose-carried.ts';
import { createCloseBuild } from '../closing/close-build.ts';
import { createDiffCarried } from '../closing/diff-carried.ts';
import { createFindAnnotationDiff } from '../closing/find-annotation-diff.ts';
import { createCompareCommits, createDiffSince, createFindDiffs } from '../closing/find-diffs.ts';
import { createMergeBuild, type MergeBuild } from '../closing/merge-build.ts';
import { type AnnouncingDeps, createPostPending, createReportTrouble } from '../closing/post-pending.ts';
import { createPrepareBuild } from '../closing/prepare-build.ts';
import { createReevaluateDependents } from '../closing/reevaluate-dependents.ts';
import { createReadSentDiff } from '../closing/sent-diff.ts';
import { createSettleDueBuilds } from '../closing/settle-due-builds.ts';
import { createSplitFlags } from '../closing/split-flags.ts';
import type { Links } from '../domain/announce/links.ts';
import type { Repo } from '../domain/repo/repo.ts';
import { annotationsRefusal } from '../domain/repo/warnings.ts';
import { createListAncestors } from '../facts/list-ancestors.ts';
import { createRefreshRepo } from '../facts/refresh-repo.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import { githubLines, githubWebAddress } from '../providers/github/web-address.ts';
import { createLandBuilds } from '../use-cases/provider-events/land-builds.ts';
import { createSettleLanding } from '../use-cases/provider-events/settle-landing.ts';
import { createLaneLoop } from '../workers/lane-loop.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
import { knownTo } from './administration.ts';
import type { Services } from './services.ts';
import { idleOf } from './workers.ts';

/** Builds that are closed at once: more than threads, since some of them wait for the provider. */
const CLOSING_LANES = 8;

/** The worker that opens and closes builds (rules 11 to 13). */
export function composeClosing(services: Services): WorkLoop {
  const { config, store, logger, clock, timers, outbox, askProvider } = services;
  const { builds } = store;
  const announcing = composeAnnouncing(services);
  const { claim, settle } = createSettleDueBuilds({
    builds,
    clock,
    logger,
    postPending: createPostPending(announcing),
    closeBuild: createCloseBuild({
      ...announcing,
      mergeBuild: composeMerging(services),
      latePeriod: config.latePeriod,
    }),
    reportTrouble: createReportTrouble(announcing),
    reevaluateDependents: createReevaluateDependents({ builds, clock }),
    settleLanding: createSettleLanding({
      repos: store.repos,
      builds,
      clock,
      // The lane that it is settled in looks for what is due when it is done.
      landBuilds: createLandBuilds({ builds, askProvider, clock, timers, onDue: () => {} }),
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
    timers,
    logger,
    ...idleOf(store),
  });
}

/** What openings and closes ask and say. */
function composeAnnouncing(services: Services): AnnouncingDeps {
  const { config, store, clock, timers, providers, askProvider } = services;
  const { builds, facts, repos } = store;
  const hasProvider = (repo: Repo): boolean => providers.for(repo.service) !== undefined;
  return {
    store,
    clock,
    timers,
    chooseBase: createChooseBase({ builds, listAncestors: createListAncestors({ facts, askProvider, clock }) }),
    prepareBuild: createPrepareBuild({ builds, facts, askProvider, hasProvider, clock }),
    refreshRepo: createRefreshRepo({ repos, askProvider, clock }),
    hasProvider,
    canAnnotate: canAnnotate(services),
    contextWord: config.statusContext,
    linksOf: (repo) => linksOf(services, repo),
  };
}

function composeMerging(services: Services): MergeBuild {
  const { store, pool: engine, askProvider } = services;
  const { jobs } = store;
  const compareCommits = createCompareCommits(askProvider);
  const readSent = createReadSentDiff({ jobs, engine });
  return createMergeBuild({
    store,
    chooseCarried: createChooseCarried(store),
    diffCarried: createDiffCarried({ jobs, engine }),
    diffSince: createDiffSince(compareCommits, readSent),
    findDiffs: createFindDiffs(compareCommits, readSent),
    findAnnotationDiff: createFindAnnotationDiff({ compareCommits, canAnnotate: canAnnotate(services) }),
    splitFlags: createSplitFlags({ jobs, engine }),
    engine,
  });
}

function canAnnotate(services: Services): (repo: Repo) => boolean {
  const known = knownTo(services);
  return ({ service }) => annotationsRefusal(service, known) === undefined;
}

function linksOf({ config, baseUrl }: Services, repo: Repo): Links {
  const lines = repo.service === 'github' ? githubLines(githubWebAddress(config.githubApiUrl), repo.name) : undefined;
  return { base: baseUrl(), build: createAddresses(baseUrl).build, lines };
}
