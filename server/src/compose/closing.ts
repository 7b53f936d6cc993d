import { createDiffCarried } from '../closing/carry-flags.ts';
import { createCheckPull } from '../closing/check-pull.ts';
import { createChooseBase } from '../closing/choose-base.ts';
import { createChooseCarried } from '../closing/choose-carried.ts';
import { createChooseFlagBases } from '../closing/choose-flag-bases.ts';
import { createCloseBuild } from '../closing/close-build.ts';
import { createClosingWorker } from '../closing/closing-worker.ts';
import { createCompareCommits } from '../closing/compare-commits.ts';
import { createDiffSince, createFindAnnotationDiff, createFindDiffs } from '../closing/find-diffs.ts';
import { createGatherClose, type GatherDeps } from '../closing/gather-close.ts';
import { gatherRules, proposeRules } from '../closing/gather-rules.ts';
import { createMergeAhead, type MergeAhead } from '../closing/merge-ahead.ts';
import { createMergeBuild, createSplitFlags } from '../closing/merge-build.ts';
import { createPostPending, createReportTrouble, type PostPendingDeps } from '../closing/post-pending.ts';
import { createPrepareBuild } from '../closing/prepare-build.ts';
import { createReadPieces } from '../closing/read-pieces.ts';
import { reevaluateDependents } from '../closing/reevaluate-dependents.ts';
import { type ReadSentDiff, readSentDiff } from '../closing/sent-diff.ts';
import { createSettleOrigin } from '../closing/settle-origin.ts';
import type { Links } from '../core/announce/links.ts';
import { termsOf } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { annotationsRefusal } from '../core/repo/warnings.ts';
import { createFindRunOrigin } from '../hosts/facts/find-run-origin.ts';
import { createListAncestors } from '../hosts/facts/list-ancestors.ts';
import { refreshRepo } from '../hosts/facts/refresh-repo.ts';
import { timed } from '../platform/metrics/timed.ts';
import { createSlotLoop } from '../platform/timers/slot-loop.ts';
import { createWorkLoop, type WorkLoop } from '../platform/timers/work-loop.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import { settleLanding } from '../webhooks/settle-landing.ts';
import type { Parts, ServerServices } from './services.ts';
import { idleOf } from './workers.ts';

/** Builds of one repo that are closed at once: more than threads, since some of them wait for the provider. */
const SLOTS_PER_REPO = 8;
/** Builds of all repos: what one repo's merges hold up leaves slots for others. */
const CLOSING_SLOTS = 3 * SLOTS_PER_REPO;

/** The worker that does what is due in builds (rules 11 to 13). */
export function composeClosing(services: ServerServices): WorkLoop {
  const { config, store, logger, clock, timers, onResumed, metrics } = services;
  const { builds } = store;
  const pending = composePending(services);
  const { chooseBase } = pending;
  const gatherClose = createGatherClose({ ...pending, ...composeMerging(services) });
  const worker = createClosingWorker({
    builds,
    clock,
    logger,
    closeBuild: timed(
      createCloseBuild({ store, clock, timers, gatherClose, chooseBase, latePeriod: config.latePeriod }),
      metrics.closeEnded,
    ),
    postPending: createPostPending(pending),
    reevaluateDependents: (base) => reevaluateDependents(services, base),
    settleLanding: (build) => settleLanding(services, build),
    reportTrouble: createReportTrouble(pending),
    onDone: onResumed,
    slotsPerRepo: SLOTS_PER_REPO,
  });
  return createSlotLoop({
    name: 'closing',
    slots: CLOSING_SLOTS,
    ...worker,
    clock,
    timers,
    logger,
    ...idleOf(store),
  });
}

/** Merges reports of builds that are still open. */
export interface MergingAhead extends Pick<MergeAhead, 'noteJob'> {
  readonly loop: WorkLoop;
}

export function composeMergingAhead(
  { store, timers, logger }: Parts,
  { pool: engine, clock }: Pick<ServerServices, 'pool' | 'clock'>,
): MergingAhead {
  const { noteJob, run } = createMergeAhead({ store, engine, logger }, () => loop.nudge());
  const loop = createWorkLoop({
    name: 'merge-ahead',
    run: async () => ({ nextAt: undefined, didWork: await run() }),
    clock,
    timers,
    logger,
  });
  return { noteJob, loop };
}

/** What pending statuses and closes need of store and provider. */
export function composePending(services: ServerServices): PostPendingDeps & Pick<GatherDeps, 'proposeRules'> {
  const { config, store, clock, timers, askProvider, hosts } = services;
  const { builds, facts } = store;
  return {
    store,
    clock,
    timers,
    chooseBase: createChooseBase({ builds, listAncestors: createListAncestors({ facts, askProvider, clock }) }),
    prepareBuild: createPrepareBuild({
      builds,
      facts,
      askProvider,
      settleOrigin: createSettleOrigin({ builds, findRunOrigin: createFindRunOrigin({ hosts, askProvider }) }),
      hosts,
      checkPull: createCheckPull({ askProvider, hosts }),
      clock,
    }),
    refreshRepo: (input) => refreshRepo(services, input),
    gatherRules: (asked) => gatherRules(services, asked),
    proposeRules: (asked) => proposeRules(services, asked),
    hasProvider: providerKnown(services),
    termsOf: (repo) => termsOf(hosts, repo),
    canAnnotate: canAnnotate(services),
    contextWord: config.statusContext,
    linksOf: (repo) => linksOf(services, repo),
  };
}

/** What compares and merges the reports of a build. */
export function composeMerging(services: ServerServices): Pick<GatherDeps, 'chooseFlagBases' | 'mergeBuild'> {
  const { store, pool: engine, askProvider, logger, clock } = services;
  const { builds, jobs, facts } = store;
  const listAncestors = createListAncestors({ facts, askProvider, clock });
  const readPieces = createReadPieces(store);
  const compareCommits = createCompareCommits(askProvider);
  const readSent: ReadSentDiff = (build) => readSentDiff(services, build);
  const mergeBuild = createMergeBuild({
    store,
    readPieces,
    chooseCarried: createChooseCarried({ builds, jobs, readPieces, listAncestors }),
    diffCarried: createDiffCarried({ jobs }),
    diffSince: createDiffSince(compareCommits, readSent),
    findDiffs: createFindDiffs(compareCommits, readSent),
    findAnnotationDiff: createFindAnnotationDiff({ compareCommits, canAnnotate: canAnnotate(services) }),
    splitFlags: createSplitFlags({ jobs, readPieces }),
    hasProvider: providerKnown(services),
    engine,
    clock,
    logger,
  });
  return { chooseFlagBases: createChooseFlagBases({ builds, listAncestors }), mergeBuild };
}

function providerKnown({ hosts }: ServerServices): (repo: Repo) => boolean {
  return (repo) => hosts.of(repo)?.provider !== undefined;
}

function canAnnotate({ hosts }: ServerServices): (repo: Repo) => boolean {
  return ({ service }) => annotationsRefusal(service, hosts) === undefined;
}

function linksOf({ baseUrl }: ServerServices, { service, name }: Repo): Links {
  const { build, file } = createAddresses(baseUrl);
  return { base: baseUrl(), build, file: (place) => file(service, name, place) };
}
