import { bestBase, branchOf } from '../core/builds/base-build.ts';
import type { Build } from '../core/builds/build.ts';
import { flagTotals } from '../core/builds/flag-results.ts';
import { totalPercent } from '../core/coverage/percent.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { type Lineage, walkAncestors } from '../hosts/facts/list-ancestors.ts';
import { FIRST_PARENT_LIMIT } from '../ports/provider-facts.ts';
import type { BuildStore } from '../storage/build-store.ts';
import { type ChosenBase, isOf, type Past } from './choose-base.ts';

/** By name, the build that each flag is compared with which the base lacks; none has an entry without one. */
export interface FlagBases extends Pick<Lineage, 'unavailable' | 'refusal'> {
  readonly bases: ReadonlyMap<string, Build>;
}

/**
 * Verdict rule of flags: one that skipped the base is judged against the nearest report of it before that. `flags`:
 * those that jobs of the build uploaded.
 */
export async function chooseFlagBases(
  services: Past,
  wanted: {
    readonly build: Build;
    readonly repo: Repo;
    readonly base: ChosenBase | undefined;
    readonly flags: readonly string[];
    readonly deadline: Deadline;
  },
): Promise<FlagBases> {
  const { builds } = services;
  const { build, repo, base, flags, deadline } = wanted;
  const skipped = base === undefined ? [] : flags.filter((flag) => !hasPercentage(base.build, flag));
  if (base === undefined || skipped.length === 0) return { bases: new Map() };
  const commit = base.pick.foundAs ?? base.build.landed?.commit ?? base.build.commit;
  const { commits, unavailable, refusal } = await walkAncestors(services, { repo, commit, deadline });
  const before =
    commits.length === 0 ? await previousOnBranch(builds, base.build) : await ofEach(builds, base, commits);
  const bases = new Map<string, Build>();
  for (const nearest of before) {
    const reporting = nearest.map((one) => [one, uploadedFlags(one)] as const);
    for (const flag of skipped) {
      const ofFlag = reporting.filter(([, uploaded]) => uploaded.has(flag)).map(([one]) => one);
      const found = bases.has(flag) ? undefined : bestBase(ofFlag, build, flags);
      if (found !== undefined) bases.set(flag, found);
    }
  }
  return { bases, unavailable, refusal };
}

/** The builds of each of these commits, in their order. */
async function ofEach(builds: BuildStore, { build }: ChosenBase, commits: readonly string[]) {
  const candidates = await builds.ofCommits(build.repoId, commits);
  return commits.map((commit) => candidates.filter(isOf(commit)));
}

/** If nobody knows the commits before the base: what was built before it on its branch, the newest first. */
async function previousOnBranch(builds: BuildStore, base: Build): Promise<readonly (readonly Build[])[]> {
  const branch = branchOf(base);
  if (branch === undefined) return [];
  const query = { repoId: base.repoId, scope: { branch }, before: base.sequence, limit: FIRST_PARENT_LIMIT };
  return (await builds.closed(query)).map((one) => [one]);
}

/** Those with a percentage. */
function uploadedFlags({ result }: Build): ReadonlySet<string> {
  const uploaded = (result?.flags ?? []).filter(({ kind }) => kind === 'uploaded');
  return new Set(uploaded.filter(({ totals }) => totals && totalPercent(totals)).map(({ name }) => name));
}

function hasPercentage(build: Build, flag: string): boolean {
  const totals = flagTotals(build, flag);
  return totals !== undefined && totalPercent(totals) !== undefined;
}
