import type { Build, CarriedPick } from '../domain/builds/build.ts';
import { newerBuild, toCarriedPick } from '../domain/builds/carryforward.ts';
import { countedJobsOfFlag } from '../domain/builds/counted-jobs.ts';
import type { Job } from '../domain/builds/job.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { BuildStore, ClosedQuery } from '../ports/build-store.ts';
import type { ReportBytes } from '../ports/report-bytes.ts';
import type { JobStore } from '../ports/store.ts';
import { baseBranchesOf } from './choose-base.ts';

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
export function createChooseCarried(deps: { readonly builds: BuildStore; readonly jobs: JobStore }): ChooseCarried {
  const { builds, jobs } = deps;
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
      else
        carried.push({
          pick: toCarriedPick(flag, origin),
          reports: await jobs.reports(countedJobsOfFlag(await ofOrigin(origin.id), origin, flag).map(({ id }) => id)),
        });
    }
    return { carried, notFound };
  };
}

async function keptOrigin(builds: BuildStore, build: Build, flag: string): Promise<Build | undefined> {
  const kept = build.result?.carried.find((pick) => pick.flag === flag);
  const origin = kept && (await builds.find(kept.buildId));
  if (origin?.excludedAsBase !== undefined) return undefined;
  return origin?.result?.flags.some((one) => one.name === flag && one.kind === 'uploaded') ? origin : undefined;
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
