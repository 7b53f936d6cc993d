import type { Build } from '../core/builds/build.ts';
import type { BuildFacts } from '../core/builds/build-facts.ts';
import { mayCopyHead } from '../core/builds/pull-claim.ts';
import { reviseBuild } from '../core/builds/revise-build.ts';
import { awaitsAccess, awaitsOrigin } from '../core/builds/run-origin.ts';
import { termsOf } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { findRunOrigin, OWN } from '../hosts/facts/find-run-origin.ts';
import type { ChangedFiles } from '../ports/provider-facts.ts';
import type { Services } from '../services/services.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { FactStore } from '../storage/store.ts';
import { checkPull, type PullStanding } from './check-pull.ts';
import { diffKey, toDiff } from './compare-commits.ts';
import { type Answers, type Inquiry, inquire } from './inquire.ts';

type Preparation = Pick<Services, 'askProvider' | 'hosts' | 'clock'> & {
  readonly builds: Pick<BuildStore, 'revise'>;
  readonly facts: Pick<FactStore, 'put'>;
};

interface Preparing {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
}

export interface PreparedBuild {
  readonly build: Build;
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal: string | undefined;
}

/**
 * The build with what its provider says of its commits and pull request (rules 18 to 21 and 29), and the commit that
 * its statuses go to, fixed. Asked from the first job on; what was answered is stored with the build. Where the
 * provider gives no answer, `facts` is not complete.
 */
export async function prepareBuild(services: Preparation, stated: Preparing): Promise<PreparedBuild> {
  const { repo } = stated;
  if (stated.build.facts?.complete === true) return { build: await lookForCopy(services, stated), refusal: undefined };
  const first = await inquire(stated.build, inquiryOf(services, stated));
  const build = await settleOrigin(services, { ...stated, asked: first });
  const input = { ...stated, build };
  const asked = isSamePlace(build, stated.build) ? first : await inquire(build, inquiryOf(services, input));
  const { pull, target: head, refusal } = asked;
  const standing = await checkPull(services, { ...input, pull, target: head });
  const { facts: answers, target: answered } = await settle(services, input, { asked, standing });
  const complete = answers.complete && !awaitsOrigin(build);
  const facts = { ...answers, complete, askedAt: services.clock.now() };
  const target = build.target ?? answered;
  const known = { ...build, facts, target };
  // Without a provider there is nothing to remember.
  if (services.hosts.of(repo)?.provider === undefined || !facts.complete)
    return { build: await lookForCopy(services, { ...input, build: known }), refusal };
  const { pullRequest } = build;
  const refuted = standing.kind === 'refuted' ? standing : undefined;
  const revision = { kind: 'facts', facts, target, asked: { pullRequest }, refuted } as const;
  const revised = (await services.builds.revise({ buildId: build.id, revision })) ?? known;
  // A job named a pull request in the meantime.
  if (revised.facts === undefined) return prepareBuild(services, { ...input, build: revised });
  return { build: await lookForCopy(services, { ...input, build: revised }), refusal };
}

/** Whether the same is to be asked about both. */
function isSamePlace(build: Build, other: Build): boolean {
  return build.pullRequest === other.pullRequest && build.mergeQueue === other.mergeQueue;
}

/** What was answered, in the light of whether the pull request is the build's. */
async function settle(
  services: Preparation,
  input: Preparing,
  { asked, standing }: { readonly asked: Answers; readonly standing: PullStanding },
): Promise<Pick<Answers, 'facts' | 'target'>> {
  if (standing.kind === 'stands') return asked;
  if (standing.kind === 'refuted')
    return inquire({ ...input.build, pullRequest: undefined }, inquiryOf(services, input));
  const unproven = standing.mere ? ({ pullUnproven: true } as const) : undefined;
  return { ...asked, facts: { ...asked.facts, complete: false, ...unproven } };
}

/**
 * Rule 29: whether a fork's build is of a commit that a branch of the repo itself points to by now. Asked at each
 * close, since branches move; where it is not answered, what was known stays.
 */
async function lookForCopy({ askProvider, builds }: Preparation, { build, repo, deadline }: Preparing): Promise<Build> {
  const { facts, target: commit } = build;
  if (facts === undefined || commit === undefined || !mayCopyHead(build)) return build;
  const answer = await askProvider({
    repo,
    deadline,
    ask: (provider) => provider.listBranchesAt({ repo: repo.name, commit }),
  });
  if (answer.kind === 'unavailable')
    return facts.copiesHead ? build : { ...build, facts: { ...facts, complete: false } };
  const copies = answer.value !== undefined && answer.value.length > 0;
  if (copies === (facts.copiesHead === true)) return build;
  const { copiesHead: _, ...others } = facts;
  const seen: BuildFacts = copies ? { ...others, copiesHead: true } : others;
  if (!facts.complete) return { ...build, facts: seen };
  const { pullRequest } = build;
  const revision = { kind: 'facts', facts: seen, target: commit, asked: { pullRequest } } as const;
  return (await builds.revise({ buildId: build.id, revision })) ?? { ...build, facts: seen };
}

function inquiryOf({ facts, askProvider, hosts, clock }: Preparation, { repo, deadline }: Preparing): Inquiry {
  // The answer that names the merge base lists what changed since, so that is not asked for again.
  const rememberDiff = (range: { base: string; head: string }, changed: ChangedFiles): Promise<void> =>
    facts.put({ repoId: repo.id, key: diffKey(range.base, range.head), value: toDiff(changed), at: clock.now() });
  return {
    mergedBy: termsOf(hosts, repo).mergedBy,
    pull: (pullRequest) =>
      askProvider({
        repo,
        deadline,
        ask: (provider) => provider.describePullRequest({ repo: repo.name, pullRequest }),
      }),
    commit: (commit) =>
      askProvider({
        repo,
        deadline,
        key: `commit/${commit}`,
        ask: (provider) => provider.describeCommit({ repo: repo.name, commit }),
      }),
    mergeBase: (base, head) =>
      askProvider({
        repo,
        deadline,
        ask: async (provider) => {
          const found = await provider.findMergeBase({ repo: repo.name, base, head });
          if (found?.changed?.complete === true) await rememberDiff({ base: found.commit, head }, found.changed);
          return found?.commit;
        },
      }),
  };
}

/**
 * The build as what the run of its uploads makes it: of a branch, or of a fork's pull request, whatever its client said
 * (rule 29). Asked where a build is prepared, so that no upload waits for it. `asked`: what the provider said of it.
 */
async function settleOrigin(
  services: Pick<Services, 'hosts' | 'askProvider'> & { readonly builds: Pick<BuildStore, 'revise'> },
  input: {
    readonly build: Build;
    readonly repo: Repo;
    readonly deadline: Deadline;
    readonly asked: Pick<Answers, 'facts' | 'target' | 'refusal'>;
  },
): Promise<Build> {
  const { build } = input;
  const { facts, target, refusal } = input.asked;
  const { pull, complete } = facts;
  // Its head is on a branch of the repo: no run has to say so, unless the upload alone says what its run builds.
  const isOwn = pull !== undefined && !pull.fromFork && pull.headCommit === target && !awaitsAccess(build);
  const isAway = !complete && refusal === undefined;
  const origin = isOwn ? OWN : await findRunOrigin(services, { ...input, isAway });
  const revision = { kind: 'origin', origin } as const;
  if (reviseBuild(build, revision) === build) return build;
  return (await services.builds.revise({ buildId: build.id, revision })) ?? build;
}
