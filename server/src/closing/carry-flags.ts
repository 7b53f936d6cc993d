import { baseBranchesOf } from '../domain/builds/base-branches.ts';
import type { Build, CarriedPick } from '../domain/builds/build.ts';
import { newerBuild, toCarriedPick } from '../domain/builds/carryforward.ts';
import { isRefused } from '../domain/builds/conclude-refused.ts';
import { countedJobsOfFlag } from '../domain/builds/counted-jobs.ts';
import type { Job } from '../domain/builds/job.ts';
import { normaliseFileName } from '../domain/coverage/file-name.ts';
import type { Diff, FileDiff } from '../domain/diff/file-diff.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { BuildStore, ClosedQuery } from '../ports/build-store.ts';
import type { ReportBytes } from '../ports/report-bytes.ts';
import type { ChangedCarried, EncodedCarried, EncodedComposition, Merger } from '../ports/report-engine.ts';
import type { JobStore } from '../ports/store.ts';
import type { ReadPieces } from './read-pieces.ts';

/** Enough to look past the build itself and those that were excluded. */
const CANDIDATES = 20;

/** A carried flag: where it comes from, and the encoded reports of the jobs that make it up. */
export interface CarriedFlag {
  readonly pick: CarriedPick;
  readonly reports: readonly ReportBytes[];
}

export type ChooseCarried = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly flags: readonly string[];
}) => Promise<{ readonly carried: readonly CarriedFlag[]; readonly notFound: readonly string[] }>;

/** Rules 15 and 16: for each flag its newest uploaded report. A build keeps the picks of its close before (rule 12). */
export function createChooseCarried(deps: {
  readonly builds: BuildStore;
  readonly jobs: JobStore;
  readonly readPieces: ReadPieces;
}): ChooseCarried {
  const { builds, jobs, readPieces } = deps;
  return async ({ build, repo, flags }) => {
    const carried: CarriedFlag[] = [];
    const notFound: string[] = [];
    // One origin often holds many of the flags.
    const jobsOf = new Map<number, Promise<readonly Job[]>>();
    const ofOrigin = (id: number): Promise<readonly Job[]> => {
      const known = jobsOf.get(id) ?? jobs.ofBuild(id);
      jobsOf.set(id, known);
      return known;
    };
    for (const flag of flags) {
      const origin = (await keptOrigin(builds, build, flag)) ?? (await findOrigin(builds, { build, repo, flag }));
      if (origin === undefined) notFound.push(flag);
      else {
        const pieces = await readPieces(origin.id, countedJobsOfFlag(await ofOrigin(origin.id), origin, flag));
        carried.push({ pick: toCarriedPick(flag, origin), reports: pieces.jobs.map(({ report }) => report) });
      }
    }
    return { carried, notFound };
  };
}

async function keptOrigin(builds: BuildStore, build: Build, flag: string): Promise<Build | undefined> {
  const kept = build.result?.carried.find((pick) => pick.flag === flag);
  const origin = kept && (await builds.find(kept.buildId));
  if (origin === undefined || origin.excludedAsBase !== undefined || isRefused(origin)) return undefined;
  return origin.result?.flags.some((one) => one.name === flag && one.kind === 'uploaded') ? origin : undefined;
}

/** The build's own history or its base branch, whichever is newer; if there is none, the newest in the repo. */
async function findOrigin(
  builds: BuildStore,
  search: { readonly build: Build; readonly repo: Repo; readonly flag: string },
): Promise<Build | undefined> {
  const { build, repo, flag } = search;
  const before = build.pullRequest === undefined ? build.sequence : undefined;
  const newest = async (scope: ClosedQuery['scope']): Promise<Build | undefined> => {
    const found = await builds.withFlag({ repoId: build.repoId, scope, before, limit: CANDIDATES, flag });
    // What an administrator took out of the bases does not come back by its flags.
    return found.find((candidate) => candidate.id !== build.id && candidate.excludedAsBase === undefined);
  };
  const scopes = [ownHistory(build), ...baseBranchesOf(build, repo).map((branch) => ({ branch }))].filter(
    (scope) => scope !== undefined,
  );
  let origin: Build | undefined;
  for (const scope of scopes) origin = newerBuild(origin, await newest(scope));
  return origin ?? newest('repo');
}

function ownHistory(build: Build): ClosedQuery['scope'] | undefined {
  if (build.pullRequest !== undefined) return { pullRequest: build.pullRequest };
  return build.branch === undefined || build.tag ? undefined : { branch: build.branch };
}

/** Builds that flags are carried from and that the provider is asked about: usually there is one. */
export const MAX_ORIGINS = 5;

export interface DiffCarriedDeps {
  readonly jobs: Pick<JobStore, 'source'>;
}

/** The carried flags of a build with what changed since they were uploaded, as composing takes them (rule 16). */
export type DiffCarried = (input: {
  readonly repoId: number;
  /** The build's own jobs that count, as composing takes them. */
  readonly jobs: EncodedComposition['jobs'];
  readonly carried: readonly CarriedFlag[];
  /**
   * The provider's diff from the commit of a pick to the build's; undefined where none can be had, above all where the
   * pick's commit is no ancestor of the build's (a provider compares with the merge base). Asked once per origin, of at
   * most five.
   */
  readonly providerDiffOf: (pick: CarriedPick) => Promise<Diff | undefined>;
  readonly engine: Pick<Merger, 'findChangedCarried' | 'diffSources'>;
}) => Promise<readonly EncodedCarried[]>;

/** Stored texts go before the provider's compare: they are what was measured, on both sides. */
export function createDiffCarried({ jobs: texts }: DiffCarriedDeps): DiffCarried {
  return async ({ repoId, jobs, carried, providerDiffOf, engine }) => {
    if (carried.length === 0) return [];
    const ofOrigin = askOnce(providerDiffOf);
    const changed = await engine.findChangedCarried({
      jobs,
      carried: carried.map(({ pick, reports }) => ({ flag: pick.flag, reports })),
    });
    const ofTexts = createDiffTexts({ jobs: texts, engine }, repoId);
    const found: EncodedCarried[] = [];
    for (const { pick, reports } of carried) {
      const files: FileDiff[] = [];
      // One after the other: texts may be large, and other closes wait for the same threads.
      for (const file of changed.filter(({ flag }) => flag === pick.flag)) {
        const diff = await ofTexts(file);
        if (diff !== undefined) files.push(diff);
      }
      found.push({ flag: pick.flag, reports, diff: overlay(files, await ofOrigin(pick)) });
    }
    return found;
  };
}

/**
 * The diff of a changed file by its stored texts; undefined where one is no longer stored. Flags of one origin
 * share most files.
 */
function createDiffTexts(
  { jobs, engine }: DiffCarriedDeps & { readonly engine: Pick<Merger, 'diffSources'> },
  repoId: number,
) {
  const known = new Map<string, Promise<FileDiff | undefined>>();
  const diff = async ({ name, from, to }: ChangedCarried): Promise<FileDiff | undefined> => {
    const old = await jobs.source(repoId, from);
    const now = old && (await jobs.source(repoId, to));
    return old && now && engine.diffSources({ name, from: old.bytes, to: now.bytes });
  };
  return (file: ChangedCarried): Promise<FileDiff | undefined> => {
    const key = `${file.from} ${file.to} ${file.name}`;
    const found = known.get(key) ?? diff(file);
    known.set(key, found);
    return found;
  };
}

function askOnce(
  ask: (pick: CarriedPick) => Promise<Diff | undefined>,
): (pick: CarriedPick) => Promise<Diff | undefined> {
  const asked = new Map<number, Promise<Diff | undefined>>();
  return (pick) => {
    const known = asked.get(pick.buildId);
    if (known !== undefined) return known;
    const answer = asked.size < MAX_ORIGINS ? ask(pick) : Promise.resolve(undefined);
    asked.set(pick.buildId, answer);
    return answer;
  };
}

/** What the provider says of a file whose texts were compared is left out. */
function overlay(files: readonly FileDiff[], provider: Diff | undefined): Diff | undefined {
  if (files.length === 0) return provider;
  const compared = new Set(files.map(({ name }) => name));
  const others = provider?.files.filter(({ name }) => !compared.has(normaliseFileName(name))) ?? [];
  return { files: [...files, ...others], complete: provider?.complete ?? false };
}
