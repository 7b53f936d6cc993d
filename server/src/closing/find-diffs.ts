import { SAME_TEXT } from '../core/builds/annotations.ts';
import { baseTextCommit, hasTextOf } from '../core/builds/base-build.ts';
import type { BasePick, Build } from '../core/builds/build.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { diffAcross } from '../core/diff/compose-diffs.ts';
import { diffBetween } from '../core/diff/diff-between.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import type { DiffSource } from '../core/diff/sent-diff.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { DiffBefore } from '../core/verdict/split-change.ts';
import type { Answer } from '../hosts/facts/ask-provider.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { Services } from '../services/services.ts';
import type { CarriedFlag } from './choose-carried.ts';
import { type CommitPair, compareCommits } from './compare-commits.ts';
import { chooseDiff, isOpen, readSentDiff } from './sent-diff.ts';

/** What changed, by the provider, or by the diff that the upload brought. */
export interface FoundDiffs {
  /** From the base build's commit to what was tested. */
  readonly base: Diff | undefined;
  /** What the pull request, or the push against its base, changes. */
  readonly patch: Diff | undefined;
  /** What others did between the two; absent if they begin at the same text, and where one is not known. */
  readonly before?: DiffBefore;
  /** Where the patch comes from. */
  readonly patchSource: DiffSource;
  /** The provider gave no answer, and no upload brought one: it may give one later. */
  readonly unavailable: boolean;
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal?: string | undefined;
}

/** Where diffs come from. */
export interface DiffSources {
  compare(pair: CommitPair): Promise<Answer<Diff>>;
  /** What a build's upload brought. */
  readSent(build: Pick<Build, 'repoId' | 'diff'>): Promise<Diff | undefined>;
}

export function diffSourcesOf(services: Pick<Services, 'askProvider' | 'engine' | 'jobs'>): DiffSources {
  return {
    compare: (pair) => compareCommits(services, pair),
    readSent: (build) => readSentDiff(services, build),
  };
}

interface Compared {
  readonly build: Pick<
    Build,
    'repoId' | 'commit' | 'testedCommit' | 'pullRequest' | 'baseBranch' | 'facts' | 'trust' | 'diff'
  >;
  readonly repo: Repo;
  readonly base: DiffBase | undefined;
  readonly deadline: Deadline;
}

/** For a base what its diff is found by. */
export interface DiffBase {
  readonly build: Pick<Build, 'commit' | 'testedCommit' | 'landed'>;
  readonly pick: BasePick;
}

const NO_DIFF: Answer<Diff> = { kind: 'answer', value: undefined };

/**
 * A base that was found by its branch is no ancestor, so the provider's diff does not fit it. An upload's diff from
 * that very commit does: it compares the texts themselves.
 */
export async function findDiffs(sources: DiffSources, { build, repo, base, deadline }: Compared): Promise<FoundDiffs> {
  const head = testedCommitOf(build);
  const from = base && baseTextCommit(base.build, base.pick);
  const start = build.pullRequest === undefined ? from : (build.facts?.mergeParent ?? build.facts?.mergeBase);
  const compare = async (commit: string | undefined): Promise<Answer<Diff>> => {
    if (head === undefined || commit === undefined) return NO_DIFF;
    // The host's longer list is of what the pull request changes.
    const pullRequest = commit === start ? build.pullRequest : undefined;
    return sources.compare({ repo, base: commit, head, pullRequest, deadline });
  };
  const sentFrom = sentBase(build, head);
  const read = once(() => sources.readSent(build));
  const ofBase = await compare(from);
  const ofPatch = start === from ? ofBase : await compare(start);
  const fitsBase = base !== undefined && sentFrom !== undefined && hasTextOf(base.build, sentFrom);
  const fitsPatch = build.pullRequest === undefined ? fitsBase : fitsPullRequest(build, start, sentFrom);
  const baseDiff = await chooseDiff(ofBase, fitsBase ? read : undefined);
  const patchDiff = await chooseDiff(ofPatch, fitsPatch ? read : undefined);
  const ends = { from, begin: start ?? (fitsPatch ? sentFrom : undefined) };
  const earlier = await findBefore({ build, base, ...ends, whole: baseDiff.diff, own: patchDiff.diff }, (range) =>
    sources.compare({ repo, ...range, deadline }),
  );
  return {
    base: baseDiff.diff,
    patch: patchDiff.diff,
    patchSource: patchDiff.source,
    ...(earlier && { before: earlier.before }),
    unavailable: baseDiff.unavailable || patchDiff.unavailable || earlier?.unavailable === true,
    refusal: patchDiff.refusal ?? baseDiff.refusal ?? earlier?.refusal,
  };
}

/** What others did since the base. The provider is asked only where the two diffs leave something open. */
async function findBefore(
  found: Pick<Compared, 'build' | 'base'> & {
    /** The base's commit, and the one where the pull request's own change begins. */
    readonly from: string | undefined;
    readonly begin: string | undefined;
    readonly whole: Diff | undefined;
    readonly own: Diff | undefined;
  },
  compare: (range: { readonly base: string; readonly head: string }) => Promise<Answer<Diff>>,
): Promise<(Pick<FoundDiffs, 'unavailable' | 'refusal'> & { readonly before: DiffBefore }) | undefined> {
  const { build, base, from, begin, whole, own } = found;
  if (build.pullRequest === undefined || base === undefined || whole === undefined) return undefined;
  const isAway = base.pick.commitsAway !== undefined && base.pick.commitsAway > 0;
  if (begin === undefined ? !isAway : begin === from || hasTextOf(base.build, begin)) return undefined;
  const commits = isAway ? base.pick.commitsAway : undefined;
  const branch = build.facts?.pull?.baseBranch ?? build.baseBranch ?? base.pick.branch;
  const derived = own && diffBetween(whole, own);
  const isAsked = derived !== undefined && isOpen(derived) && from !== undefined && begin !== undefined;
  const answer = isAsked ? await compare({ base: from, head: begin }) : NO_DIFF;
  const { diff, unavailable, refusal } = await chooseDiff(answer, async () => derived);
  return { before: { diff, commits, branch }, unavailable, refusal };
}

/** Where the diff begins that an upload brought; undefined if none leads to what the build tests. */
function sentBase({ diff }: Pick<Build, 'diff'>, head: string | undefined): string | undefined {
  return diff !== undefined && diff.head === head ? diff.base : undefined;
}

/** If the provider does not say what a pull request was merged onto, a trusted upload decides (rule 29). */
function fitsPullRequest(
  { trust }: Pick<Build, 'trust'>,
  start: string | undefined,
  sentFrom: string | undefined,
): boolean {
  if (sentFrom === undefined) return false;
  return start === undefined ? trust !== 'run' : sentFrom === start;
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

interface OfBuild {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
}

/** What changed since the build that a flag is carried from; no value if no diff is known. */
export async function diffSince(
  sources: DiffSources,
  asked: OfBuild & { readonly carried: Pick<CarriedFlag, 'pick' | 'origin'> },
): Promise<Answer<Diff>> {
  const { build, repo, deadline } = asked;
  const { pick, origin } = asked.carried;
  const head = testedCommitOf(build);
  const base = pick.textCommit ?? pick.commit;
  if (head === undefined || base === undefined) return NO_DIFF;
  if (base === head) return { kind: 'answer', value: SAME_TEXT };
  const answer = await sources.compare({ repo, base, head, across: true, deadline });
  const sent = () => sentSince(sources, { build, head }, { origin, base });
  const { diff, unavailable, refusal } = await chooseDiff(answer, sent);
  return unavailable ? { kind: 'unavailable', refusal } : { kind: 'answer', value: diff };
}

/** By the upload's diff from there, or by both uploads' diffs from one commit. */
async function sentSince(
  { readSent }: DiffSources,
  { build, head }: { readonly build: Build; readonly head: string },
  { origin, base }: { readonly origin: Build; readonly base: string },
): Promise<Diff | undefined> {
  const from = sentBase(build, head);
  if (from === base) return readSent(build);
  if (from === undefined || sentBase(origin, base) !== from) return undefined;
  const [toOne, toOther] = [await readSent(origin), await readSent(build)];
  return toOne && toOther && diffAcross({ toOne, toOther });
}

/**
 * From the commit that annotations go to (the one of the statuses) to the one that was tested, which may be the
 * temporary merge commit (rule 21). No value: nothing is annotated. Only for a pull request's own head: a push and a
 * merge queue have no page that shows changed lines. `mayAnnotate`: whether this server can make check runs there.
 */
export async function findAnnotationDiff(
  { compare }: Pick<DiffSources, 'compare'>,
  { build, repo, mayAnnotate, deadline }: OfBuild & { readonly mayAnnotate: boolean },
): Promise<Answer<Diff>> {
  const { target, pullRequest, mergeQueue } = build;
  const tested = testedCommitOf(build);
  const isWanted = repo.settings.annotations && mayAnnotate && pullRequest !== undefined && !mergeQueue;
  if (!isWanted || target === undefined || tested === undefined) return NOTHING;
  if (target === tested) return { kind: 'answer', value: SAME_TEXT };
  const answer = await compare({ repo, base: target, head: tested, deadline });
  return answer.kind === 'answer' && answer.value === undefined ? UNKNOWN_DIFF : answer;
}

const NOTHING: Answer<Diff> = { kind: 'answer', value: undefined };
/** What was tested is no descendant of the commit: the place of no line is known. */
const UNKNOWN_DIFF: Answer<Diff> = { kind: 'answer', value: { files: [], complete: false } };
