import { baseBranchesOf } from '../core/builds/base-branches.ts';
import type { Build, ExpectedJobs } from '../core/builds/build.ts';
import { countedJobs } from '../core/builds/counted-jobs.ts';
import { awaitsUploads } from '../core/builds/expected-jobs.ts';
import { flagsOf, type Job } from '../core/builds/job.ts';
import { saysSameFiles } from '../core/builds/list-rules.ts';
import { RECENT_BUILDS } from '../core/builds/missing-flags.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { refreshRepo } from '../hosts/facts/refresh-repo.ts';
import type { Services } from '../services/services.ts';
import type { Announcing } from '../wording/plan.ts';
import { announcingFor } from './announcing.ts';
import { type BaseChoice, type ChosenBase, chooseBase } from './choose-base.ts';
import { chooseFlagBases, type FlagBases } from './choose-flag-bases.ts';
import { type GatheredRules, gatherRules, type ProposedRules, proposeRules } from './gather-rules.ts';
import { type MergedBuild, mergeBuild, type RefusedMerge } from './merge-build.ts';
import { prepareBuild } from './prepare-build.ts';

/** All that a close is decided by. */
export interface GatheredClose {
  /** With the settings that are in force: those of the repo's own file go before its own. */
  readonly repo: Repo;
  readonly rules: GatheredRules['rules'];
  /** With what its provider says of it; its `revision` is the one that was merged. */
  readonly build: Build;
  /** Those that count (rule 10). */
  readonly jobs: readonly Job[];
  readonly choice: BaseChoice;
  readonly flagBases: FlagBases['bases'];
  readonly merged: MergedBuild | RefusedMerge;
  /** Recent closed builds of the base branch, newest first (rule 13). */
  readonly recent: readonly Build[];
  readonly announcing: Announcing;
  /** The provider did not say something that the base depends on: it may say it later. */
  readonly baseUncertain: boolean;
  /** Why the provider denied us access, a sentence; undefined: it did not. */
  readonly refusal: string | undefined;
}

/** The repo's file asks for more uploads than the build has so far. */
export interface AwaitedUploads {
  readonly build: Build;
  /** Undefined: a flag alone lacks some. */
  readonly uploads: ExpectedJobs | undefined;
}

/** Asks provider, store and threads all that the close of a build needs; undefined: build or repo was removed. */
export async function gatherClose(
  services: Services,
  stored: Build,
  deadline: Deadline,
): Promise<GatheredClose | AwaitedUploads | undefined> {
  const known = await services.repos.find(stored.repoId);
  if (known === undefined) return undefined;
  const refreshed = await refreshRepo(services, { repo: known, deadline });
  const prepared = await prepareBuild(services, { build: stored, repo: refreshed.repo, deadline });
  const { build } = prepared;
  const rules = await gatherRules(services, { build, repo: refreshed.repo, deadline });
  const before = { unavailable: refreshed.unavailable, refusal: prepared.refusal ?? refreshed.refusal };
  const gathered = await gatherMerged(services, { build, rules, before, deadline });
  if (!('merged' in gathered)) return gathered;
  return { ...gathered, announcing: await announcingFor(services, { repo: gathered.repo, build }) };
}

/** A build of which the provider was asked, and the rules that it is judged by. */
interface Prepared {
  readonly build: Build;
  readonly rules: GatheredRules;
  /** What the provider did not say so far. */
  readonly before?: Pick<GatheredRules, 'unavailable' | 'refusal'>;
  readonly deadline: Deadline;
}

/** What is chosen, compared and merged for a close, which alone stores something of it. */
export async function gatherMerged(
  services: Services,
  { build, rules: gathered, before, deadline }: Prepared,
): Promise<Omit<GatheredClose, 'announcing'> | AwaitedUploads> {
  const { repo, parts, choice: fileChoice } = gathered;
  const jobs = countedJobs(await services.jobs.ofBuild(build.id));
  const { uploads, carry } = gathered.rules.rules;
  if (awaitsUploads(build, { rules: gathered.rules.rules, jobs, at: services.clock.now() }))
    return { build, uploads: uploads === undefined ? undefined : { jobs: uploads, arrived: jobs.length } };
  const flags = flagsOf(jobs);
  const choice = await chooseBase(services, { build, repo, flags, deadline });
  const { base } = choice;
  const ofFlags = await chooseFlagBases(services, { build, repo, base, flags, deadline });
  const baseChoice = saysSameFiles(gathered.rules.judged, base?.build.result?.rules) ? undefined : fileChoice;
  const counted = { parts, choice: fileChoice, baseChoice, carry };
  const merged = await mergeBuild(services, { build, repo, jobs, base, ...counted, deadline });
  const mayChange = !('obstacle' in merged) && merged.mayChangeRules;
  const proposal = mayChange ? await proposeRules(services, { build, repo, gathered, deadline }) : undefined;
  const asked = [ofFlags, choice, before, gathered];
  return {
    repo,
    rules: withProposal(gathered.rules, proposal),
    build,
    jobs,
    choice,
    flagBases: ofFlags.bases,
    merged,
    recent: await recentBuilds(services, { build, repo, base }),
    baseUncertain: asked.some((one) => one?.unavailable) || build.facts?.complete === false,
    refusal:
      ('obstacle' in merged ? undefined : merged.refusal) ??
      asked.map((one) => one?.refusal).find((one) => one !== undefined),
  };
}

function withProposal(rules: GatheredRules['rules'], proposal: ProposedRules | undefined): GatheredClose['rules'] {
  if (proposal === undefined) return rules;
  const { rules: proposed, ...shown } = proposal;
  return { ...rules, judged: { ...rules.judged, proposal: shown }, ...(proposed && { proposed }) };
}

/** Rule 13: the last closed builds of the base branch. */
async function recentBuilds(
  { builds }: Pick<Services, 'builds'>,
  place: { readonly build: Build; readonly repo: Repo; readonly base: ChosenBase | undefined },
): Promise<readonly Build[]> {
  const { build, repo, base } = place;
  const before = build.pullRequest === undefined ? build.sequence : undefined;
  const branches = base?.pick.branch === undefined ? baseBranchesOf(build, repo) : [base.pick.branch];
  for (const branch of branches) {
    const closed = await builds.closed({ repoId: repo.id, scope: { branch }, before, limit: RECENT_BUILDS });
    if (closed.length > 0) return closed;
  }
  return [];
}
