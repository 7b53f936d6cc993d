import type { Build } from '../core/builds/build.ts';
import { type BuildFacts, MAX_TITLE } from '../core/builds/build-facts.ts';
import { namesMergeCommit } from '../core/builds/merge-commit.ts';
import { printable } from '../core/printable.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import { type Answer, answerOf, refusalOf } from '../hosts/facts/ask-provider.ts';
import type { CommitFacts, PullRequestFacts } from '../ports/provider.ts';

/** What is asked of the provider about a build. */
export interface Inquiry extends Pick<HostTerms, 'mergedBy'> {
  pull(pullRequest: number): Promise<Answer<PullRequestFacts>>;
  commit(commit: string): Promise<Answer<CommitFacts>>;
  mergeBase(base: string, head: string): Promise<Answer<string>>;
}

export interface Answers {
  /** As it was answered; undefined: it was not asked for. */
  readonly pull?: Answer<PullRequestFacts>;
  readonly facts: Omit<BuildFacts, 'askedAt'>;
  readonly target: string | undefined;
  readonly refusal?: string | undefined;
}

const NOTHING = {
  pull: undefined,
  tree: undefined,
  mergeParent: undefined,
  mergeBase: undefined,
  ancestorsOf: undefined,
};

/** What rules 18 to 21 ask for. */
export async function inquire(build: Build, inquiry: Inquiry): Promise<Answers> {
  const { commit, pullRequest, mergeQueue } = build;
  if (commit === undefined) return { facts: { ...NOTHING, complete: true }, target: undefined };
  if (mergeQueue) return askQueue(commit, inquiry);
  if (pullRequest === undefined) return { facts: { ...NOTHING, complete: true, ancestorsOf: commit }, target: commit };
  return askPullRequest(build, { commit, pullRequest }, inquiry);
}

/** rules.md "Branches": statuses go to the queue's commit itself; the base is its first parent's build. */
async function askQueue(commit: string, inquiry: Inquiry): Promise<Answers> {
  const described = await inquiry.commit(commit);
  const mergeParent = answerOf(described)?.parents[0];
  const facts = { ...NOTHING, tree: answerOf(described)?.tree, mergeParent, ancestorsOf: mergeParent };
  return {
    facts: { ...facts, complete: described.kind === 'answer' },
    target: commit,
    refusal: refusalOf(described),
  };
}

async function askPullRequest(
  build: Build,
  { commit, pullRequest }: { readonly commit: string; readonly pullRequest: number },
  inquiry: Inquiry,
): Promise<Answers> {
  const pull = await inquiry.pull(pullRequest);
  const tested = await askTested(build, { commit, pull: answerOf(pull) }, inquiry);
  const { target, mergeParent } = tested;
  const base = mergedOnto(answerOf(pull)) ?? answerOf(pull)?.baseBranch ?? build.baseBranch;
  const mergeBase =
    mergeParent !== undefined || base === undefined || target === undefined || !tested.complete
      ? undefined
      : await inquiry.mergeBase(base, target);
  const complete = pull.kind === 'answer' && tested.complete && mergeBase?.kind !== 'unavailable';
  const found = mergeBase && answerOf(mergeBase);
  return {
    pull,
    facts: {
      complete,
      pull: answerOf(pull) && pullOf(answerOf(pull) as PullRequestFacts),
      tree: tested.tree,
      mergeParent,
      mergeBase: found,
      ancestorsOf: mergeParent ?? found,
    },
    target,
    refusal: (mergeBase && refusalOf(mergeBase)) ?? tested.refusal ?? refusalOf(pull),
  };
}

/** Once merged, a head is part of the base branch as it is now: it is compared with the branch as it was. */
function mergedOnto(pull: PullRequestFacts | undefined): string | undefined {
  return pull?.merged === true ? pull.baseCommit : undefined;
}

interface Tested {
  /** Undefined while it is not known whether the commit is the temporary merge commit: once given, it stays. */
  readonly target: string | undefined;
  readonly mergeParent: string | undefined;
  readonly tree: string | undefined;
  readonly complete: boolean;
  readonly refusal?: string | undefined;
}

/**
 * Rule 21: whether what was tested is the temporary merge commit. An upload that names it apart from the head needs no
 * guess.
 */
async function askTested(
  build: Build,
  { commit, pull }: { readonly commit: string; readonly pull: PullRequestFacts | undefined },
  inquiry: Inquiry,
): Promise<Tested> {
  const apart = build.testedCommit !== undefined && build.testedCommit !== commit ? build.testedCommit : undefined;
  if (apart === undefined && pull?.headCommit === commit) {
    return { target: commit, mergeParent: undefined, tree: undefined, complete: true };
  }
  const described = await inquiry.commit(apart ?? commit);
  const known = answerOf(described);
  const complete = described.kind === 'answer';
  const refusal = refusalOf(described);
  if (apart !== undefined) {
    return {
      target: commit,
      // The other one is the head.
      mergeParent: known?.parents.length === 2 ? (known.parents.find((one) => one !== commit) ?? commit) : undefined,
      tree: known?.tree,
      complete,
      refusal,
    };
  }
  const isMerge =
    known !== undefined &&
    known.parents.length === 2 &&
    (pull?.mergeCommit === commit || namesMergeCommit(known, inquiry));
  const [first, second] = isMerge ? known.parents : [];
  const named = pull?.mergeCommit === commit ? pull.headCommit : undefined;
  // By its message the commit is a merge commit of the host, or it is none.
  const stated = build.message === undefined ? undefined : (inquiry.mergedBy(build.message)?.head ?? commit);
  const target = complete ? (second ?? named ?? commit) : stated;
  return { target, mergeParent: first, tree: known?.tree, complete, refusal };
}

function pullOf(pull: PullRequestFacts): NonNullable<BuildFacts['pull']> {
  const { headCommit, baseBranch, state, openedAt, merged, landedCommit, fromFork } = pull;
  const title = printable(pull.title, MAX_TITLE);
  return {
    ...{ headCommit, baseBranch, state, openedAt, merged, landedCommit, fromFork },
    ...(title !== '' && { title }),
  };
}
