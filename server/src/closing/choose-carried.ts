import { baseBranchesOf } from '../core/builds/base-branches.ts';
import { branchOf, keepsPicks } from '../core/builds/base-build.ts';
import type { Build, CarriedPick } from '../core/builds/build.ts';
import { newerBuild, toCarriedPick } from '../core/builds/carryforward.ts';
import { isRefused } from '../core/builds/conclude-refused.ts';
import { countedJobsOfFlag } from '../core/builds/counted-jobs.ts';
import type { Job } from '../core/builds/job.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { type Lineage, walkAncestors } from '../hosts/facts/list-ancestors.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { Services } from '../services/services.ts';
import type { BuildStore, ClosedQuery } from '../storage/build-store.ts';
import type { ChosenBase, Past } from './choose-base.ts';
import { readPieces } from './read-pieces.ts';

/** Enough to look past the build itself and those that were excluded. */
const CANDIDATES = 20;

/** A carried flag: where it comes from, and the encoded reports of the jobs that make it up. */
export interface CarriedFlag {
  readonly pick: CarriedPick;
  readonly origin: Build;
  readonly reports: readonly ReportBytes[];
}

/** The flags that are carried, those that no build holds, and whether the provider may still say of other origins. */
export interface ChosenCarried extends Pick<Lineage, 'unavailable' | 'refusal'> {
  readonly carried: readonly CarriedFlag[];
  readonly notFound: readonly string[];
}

interface Wanted {
  readonly build: Build;
  readonly repo: Repo;
  readonly base: ChosenBase | undefined;
  readonly deadline: Deadline;
}

/** Rules 15 and 16: for each flag its newest uploaded report. A build keeps the picks of its close before (rule 12). */
export async function chooseCarried(
  services: Past & Pick<Services, 'jobs' | 'mergedReports'>,
  { flags, ...wanted }: Wanted & { readonly flags: readonly string[] },
): Promise<ChosenCarried> {
  const { builds, jobs } = services;
  const carried: CarriedFlag[] = [];
  const notFound: string[] = [];
  const found = candidatesOf(services, wanted);
  // One origin often holds many of the flags.
  const jobsOf = new Map<number, Promise<readonly Job[]>>();
  const ofOrigin = (id: number): Promise<readonly Job[]> => {
    const known = jobsOf.get(id) ?? jobs.ofBuild(id);
    jobsOf.set(id, known);
    return known;
  };
  for (const flag of flags) {
    const origin = (await keptOrigin(builds, wanted, flag)) ?? (await findOrigin(found, wanted, flag));
    if (origin === undefined) notFound.push(flag);
    else {
      const counted = countedJobsOfFlag(await ofOrigin(origin.id), origin, flag);
      const pieces = await readPieces(services, origin.id, counted);
      const reports = pieces.jobs.map(({ report }) => report);
      carried.push({ pick: toCarriedPick(flag, origin), origin, reports });
    }
  }
  return { carried, notFound, ...found.left() };
}

async function keptOrigin(builds: BuildStore, { build, base }: Wanted, flag: string): Promise<Build | undefined> {
  if (!keepsPicks(build) || build.result?.base?.buildId !== base?.build.id) return undefined;
  const kept = build.result?.carried.find((pick) => pick.flag === flag);
  const origin = kept && (await builds.find(kept.buildId));
  return origin !== undefined && mayCarry(origin, flag) ? origin : undefined;
}

function mayCarry(origin: Build, flag: string): boolean {
  return uploadedFlags(origin).includes(flag);
}

/** What an administrator took out of the bases does not come back by its flags. */
function uploadedFlags(origin: Build): readonly string[] {
  if (origin.excludedAsBase !== undefined || origin.trust === 'run' || isRefused(origin)) return [];
  return (origin.result?.flags ?? []).filter(({ kind }) => kind === 'uploaded').map(({ name }) => name);
}

/** The build's own history or its base branch, whichever is newer; if there is none, the newest in the repo. */
async function findOrigin(found: Candidates, { build, repo }: Wanted, flag: string): Promise<Build | undefined> {
  const branches = baseBranchesOf(build, repo);
  const own = ownHistory(build);
  const isBaseBranch = own !== undefined && 'branch' in own && branches.includes(own.branch);
  const newest = own === undefined || isBaseBranch ? undefined : await found.newest(own, flag);
  return newerBuild(newest, await found.ofBaseBranch(flag)) ?? found.elsewhere(flag);
}

function ownHistory(build: Build): Exclude<ClosedQuery['scope'], 'repo'> | undefined {
  if (build.pullRequest !== undefined) return { pullRequest: build.pullRequest };
  return build.branch === undefined || build.tag ? undefined : { branch: build.branch };
}

type Candidates = ReturnType<typeof candidatesOf>;

/** Rule 15: a report of the base branch is never of newer code than was tested. */
function candidatesOf(services: Past, { build, repo, base, deadline }: Wanted) {
  const { builds } = services;
  const { repoId, facts } = build;
  const before = build.pullRequest === undefined ? build.sequence : undefined;
  const start = facts?.ancestorsOf;
  const branches = baseBranchesOf(build, repo);
  const isOfBase = (one: Build) => branches.includes(branchOf(one) ?? '');
  let asked: Promise<ReadonlyMap<string, Build>> | undefined;
  let lineage: Lineage | undefined;
  const readLine = async (): Promise<ReadonlyMap<string, Build>> => {
    lineage = await walkAncestors(services, { repo, commit: start, deadline });
    const ofLine = start === undefined ? [] : await builds.ofCommits(repoId, [start, ...lineage.commits]);
    const isBefore = ({ id, sequence }: Build) => id !== build.id && (before === undefined || sequence < before);
    return newestByFlag([...ofLine.filter(isBefore).filter(isOfBase), ...(base ? [base.build] : [])]);
  };
  const search = async (query: Pick<ClosedQuery, 'scope' | 'before'>, flag: string): Promise<readonly Build[]> => {
    const listed = await builds.withFlag({ repoId, ...query, limit: CANDIDATES, flag });
    return listed.filter((one) => one.id !== build.id && mayCarry(one, flag));
  };
  return {
    newest: async (scope: ClosedQuery['scope'], flag: string) => (await search({ scope, before }, flag))[0],
    async ofBaseBranch(flag: string): Promise<Build | undefined> {
      asked ??= readLine();
      const known = (await asked).get(flag);
      if (known !== undefined || lineage?.isWhole) return known;
      // Nobody knows what was there when: the base was, and what came before it.
      const bound = base === undefined ? build.sequence : base.build.sequence + 1;
      const scopes = branches.map((branch) => search({ scope: { branch }, before: bound }, flag));
      return (await Promise.all(scopes)).flat().reduce(newerBuild, undefined as Build | undefined);
    },
    elsewhere: async (flag: string) => (await search({ scope: 'repo', before }, flag)).find((one) => !isOfBase(one)),
    left: () => ({ unavailable: lineage?.unavailable, refusal: lineage?.refusal }),
  };
}

function newestByFlag(builds: readonly Build[]): ReadonlyMap<string, Build> {
  const oldestFirst = builds.toSorted((a, b) => a.sequence - b.sequence);
  return new Map(oldestFirst.flatMap((one) => uploadedFlags(one).map((flag) => [flag, one] as const)));
}
