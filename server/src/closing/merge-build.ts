import { FILE_PLACES } from '@coverage/shared/coverage-file';
import { reportedFlags } from '../core/builds/base-build.ts';
import type { Build, CarriedPick } from '../core/builds/build.ts';
import type { KnownFlips } from '../core/builds/build-report.ts';
import { flagsToCarry } from '../core/builds/carryforward.ts';
import type { KnownDiffs } from '../core/builds/composed-change.ts';
import type { Findings } from '../core/builds/conclude-build.ts';
import { countedJobsOfFlag } from '../core/builds/counted-jobs.ts';
import { type FlagFindings, flagsToSplit } from '../core/builds/flag-results.ts';
import { flagsOf, type Job } from '../core/builds/job.ts';
import type { Diff, FileDiff } from '../core/diff/file-diff.ts';
import { Failure } from '../core/failure.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { MergeObstacle } from '../core/verdict/reason.ts';
import type { ChangeSums } from '../core/verdict/split-change.ts';
import { answerOf, refusalOf } from '../hosts/facts/ask-provider.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import { CannotMerge, type EncodedComposition, type EncodedFlags, type Merger } from '../reports/report-engine.ts';
import type { Services } from '../services/services.ts';
import type { JobStore } from '../storage/store.ts';
import { canAnnotate } from './announcing.ts';
import { askOrigins, diffCarried } from './carry-flags.ts';
import type { ChosenBase, Past } from './choose-base.ts';
import { type CarriedFlag, chooseCarried } from './choose-carried.ts';
import { diffSince, diffSourcesOf, findAnnotationDiff, findDiffs } from './find-diffs.ts';
import { findKnownFlips } from './known-flips.ts';
import { keepMerged, type Pieces, readPieces } from './read-pieces.ts';

type Merging = Past & Pick<Services, 'engine' | 'jobs' | 'mergedReports' | 'flipLedgers' | 'hosts' | 'logger'>;

export interface MergeInput {
  readonly build: Build;
  readonly repo: Repo;
  /** Those that count (rule 10). */
  readonly jobs: readonly Job[];
  readonly base: ChosenBase | undefined;
  /** Groups and owners that are to be counted. */
  readonly parts?: EncodedComposition['parts'];
  /** Which files count. */
  readonly choice?: EncodedComposition['choice'];
  /** The same for the base, if its report was made by another choice. */
  readonly baseChoice?: EncodedComposition['baseChoice'];
  /** Flags to carry besides those that the close names. */
  readonly carry?: readonly string[];
  readonly deadline: Deadline;
}

export interface MergedBuild extends Pick<Findings, 'composed' | 'carried' | 'notFound' | 'flagSplits'> {
  readonly report: ReportBytes;
  /** The change touches the repo's own file, or the list of what it touches was cut off before its end. */
  readonly mayChangeRules: boolean;
  /** What the provider did not say, though it may say it later. */
  readonly unavailable: {
    /** What changed since the base. */
    readonly changes: boolean;
    /** What a flag is to be carried from, or what changed since. */
    readonly carried: boolean;
    /** How the text to annotate differs from the tested one. */
    readonly annotations: boolean;
  };
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal: string | undefined;
}

/** Why a build can never be merged, as it is and with the limits of now. */
export interface RefusedMerge {
  readonly obstacle: MergeObstacle;
}

/** The jobs that count and the flags to carry, merged, and compared with the base (rules 6 to 8, 15 and 16). */
export async function mergeBuild(services: Merging, input: MergeInput): Promise<MergedBuild | RefusedMerge> {
  try {
    return await merge(services, input);
  } catch (error) {
    if (!(error instanceof CannotMerge)) throw error;
    const { obstacle } = error;
    services.logger.error({ build: input.build.id, obstacle, err: error }, 'a build can never be merged');
    return { obstacle };
  }
}

async function merge(services: Merging, input: MergeInput): Promise<MergedBuild> {
  const { build, repo, base, deadline } = input;
  const { carry = [] } = input;
  const named =
    build.carryforward === 'all' || carry.length === 0 ? build.carryforward : [...(build.carryforward ?? []), ...carry];
  const wanted = flagsToCarry(named, base ? reportedFlags(base.build) : [], flagsOf(input.jobs));
  const chosen = await chooseCarried(services, { build, repo, base, flags: wanted, deadline });
  const { carried } = chosen;
  const sources = diffSourcesOf(services);
  const { unavailable, refusal, ...diffs } = await findDiffs(sources, { build, repo, base, deadline });
  const origins = await askOrigins(carried, (one) => diffSince(sources, { build, repo, carried: one, deadline }));
  // Last: no verdict waits for it.
  const mayAnnotate = canAnnotate(services.hosts, repo);
  const annotated = await findAnnotationDiff(sources, { build, repo, mayAnnotate, deadline });
  const flips = await findKnownFlips(services, input);
  const known = { flips, carried, diffs: { ...diffs, shown: answerOf(annotated) }, knownDiffOf: origins.diffOf };
  const { merged, ...found } = await services.engine.merge(repo.id, (merger) =>
    mergeInTurn(services, merger, { ...input, ...known }),
  );
  await keepMerged(services.mergedReports, build.id, merged).catch((err: unknown) =>
    services.logger.warn({ build: build.id, err }, 'what a close has merged could not be kept; it is merged again'),
  );
  return {
    ...found,
    carried: carried.map((one) => one.pick),
    notFound: chosen.notFound,
    mayChangeRules: mayNameRules(diffs.patch ?? diffs.base),
    unavailable: {
      changes: unavailable,
      carried: origins.unavailable || chosen.unavailable === true,
      annotations: annotated.kind === 'unavailable',
    },
    refusal: refusalOf(annotated) ?? origins.refusal ?? chosen.refusal ?? refusal,
  };
}

function mayNameRules(diff: Diff | undefined): boolean {
  return diff !== undefined && (!diff.complete || diff.files.some(namesRules));
}

function namesRules({ name, previousName }: FileDiff): boolean {
  return FILE_PLACES.some((place) => place === name || place === previousName);
}

type TurnInput = MergeInput & {
  readonly carried: readonly CarriedFlag[];
  readonly diffs: KnownDiffs;
  readonly knownDiffOf: (origin: CarriedPick) => Diff | undefined;
  readonly flips: KnownFlips | undefined;
};

/** Other repos wait for the end of this: the store and threads are asked, nobody else. */
async function mergeInTurn(services: Merging, merger: Merger, input: TurnInput) {
  const { build, repo, base, diffs } = input;
  const read = await readPieces(services, build.id, input.jobs);
  const { pieces, composed } = await composePieces(services, merger, { ...input, pieces: read }).catch(
    async (error: unknown) => {
      const isDamaged = error instanceof CannotMerge && error.obstacle.kind === 'damaged';
      if (!isDamaged || read.pieces.every(({ key }) => key === undefined)) throw error;
      // The jobs' own reports may be sound.
      const plain = await readPieces(services, build.id, input.jobs, { plain: true });
      return composePieces(services, merger, { ...input, pieces: plain });
    },
  );
  const { report, mergedJobs, ...rest } = composed;
  const { settings } = repo;
  const { choice } = input;
  const countsBaseAnew = rest.baseTotals !== undefined;
  const split = { settings, flags: rest.flags, base, countsBaseAnew, jobs: pieces.jobs, diffs, choice, engine: merger };
  return {
    report,
    composed: rest,
    flagSplits: await splitFlags(services, split),
    merged: { ...pieces, merged: mergedJobs },
  };
}

async function composePieces(
  { builds, jobs: texts, hosts }: Merging,
  merger: Merger,
  {
    repo,
    base,
    carried,
    diffs,
    flips,
    knownDiffOf,
    pieces,
    parts,
    choice,
    baseChoice,
  }: TurnInput & { readonly pieces: Pieces },
) {
  const { jobs } = pieces;
  const known = { carried, knownDiffOf, assumesSame: hosts.of(repo)?.provider === undefined };
  const composed = await merger.compose({
    jobs,
    carried: await diffCarried(texts, { repoId: repo.id, jobs, ...known, engine: merger }),
    base: base && (await builds.report(base.build.id)),
    diffs,
    parts,
    choice,
    baseChoice,
    flips,
  });
  return { pieces, composed };
}

type Split = Pick<FlagFindings, 'settings' | 'flags' | 'base' | 'countsBaseAnew'> & {
  /** The build's own jobs that count, as they were composed. */
  readonly jobs: EncodedComposition['jobs'];
} & Omit<EncodedFlags, 'flags'> & {
    readonly engine: Pick<Merger, 'splitFlags'>;
  };

/**
 * What moved the flags that fail, by name; a flag whose reports are no longer stored is left out. A flag is merged of
 * its pieces on both sides, for failing flags alone.
 */
export async function splitFlags(
  services: StoredReports,
  { settings, flags, base, countsBaseAnew, jobs, diffs, choice, engine }: Split,
): Promise<ReadonlyMap<string, ChangeSums>> {
  if (base === undefined || diffs.base === undefined) return new Map();
  const wanted = flagsToSplit({ settings, flags, base, countsBaseAnew });
  const baseJobs = wanted.length === 0 ? [] : await services.jobs.ofBuild(base.build.id);
  const known: EncodedFlags['flags'][number][] = [];
  for (const flag of wanted) {
    const reports = jobs.filter((job) => job.flag === flag).map(({ report }) => report);
    const baseReports = await storedReports(services, base.build.id, countedJobsOfFlag(baseJobs, base.build, flag));
    if (baseReports !== undefined) known.push({ flag, reports, baseReports });
  }
  const splits = known.length === 0 ? [] : await engine.splitFlags({ flags: known, diffs, choice });
  return new Map(splits.map(({ flag, split }) => [flag, split]));
}

interface StoredReports {
  readonly jobs: Pick<JobStore, 'ofBuild' | 'reports'>;
  readonly mergedReports: Pick<Services['mergedReports'], 'ofBuild' | 'read'>;
}

/** Undefined if one is no longer stored. */
async function storedReports(
  services: StoredReports,
  buildId: number,
  jobs: readonly Job[],
): Promise<readonly ReportBytes[] | undefined> {
  try {
    const pieces = await readPieces(services, buildId, jobs);
    return pieces.jobs.map(({ report }) => report);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not-found') return undefined;
    throw error;
  }
}
