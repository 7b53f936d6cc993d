import { fileKey, keptText } from '../closing/kept-rules.ts';
import type { Build } from '../core/builds/build.ts';
import type { BuildFacts } from '../core/builds/build-facts.ts';
import { testedAtMerge } from '../core/builds/merge-commit.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import type { SentDiff } from '../core/diff/sent-diff.ts';
import type { Timestamp } from '../core/time.ts';
import type { Answer, AskProvider, Question } from '../hosts/facts/ask-provider.ts';
import type { FirstParents } from '../ports/provider-facts.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { FactStore } from '../storage/store.ts';
import type { PreviewQuestion } from './preview-question.ts';

/** Two commits whose diff was looked for. */
export interface WantedDiff {
  readonly base: string;
  readonly head: string;
}

/** What the git host would say, by the question and by what it said before: nobody is asked, and nothing is kept. */
export interface SentFacts {
  readonly facts: FactStore;
  readonly askProvider: AskProvider;
  /** Diffs that were looked for and not found. */
  wanted(): readonly WantedDiff[];
}

export interface SentFactsInput {
  readonly question: PreviewQuestion;
  readonly diffs: readonly SentDiff[];
  readonly readDiff: (diff: SentDiff) => Promise<Diff | undefined>;
  /** False: the repo's host has no adapter here, so that a close learns nothing from it either. */
  readonly hasProvider: boolean;
  readonly stored: Pick<FactStore, 'find'>;
}

const DIFF_KEY = /^diff\/([0-9a-f]{40,64})\/([0-9a-f]{40,64})$/;

export function createSentFacts({ question, diffs, readDiff, hasProvider, stored }: SentFactsInput): SentFacts {
  const missing = new Map<string, WantedDiff>();
  const ancestry: FirstParents | undefined = question.ancestors && { commits: question.ancestors, end: 'root' };
  const files = sentFiles(question);
  const find: FactStore['find'] = async (repoId, key) => {
    if (ancestry !== undefined && key === `ancestry/${question.mergeBase}`) return ancestry;
    return files.get(key) ?? stored.find(repoId, key);
  };
  const findDiff = async ({ base, head }: WantedDiff): Promise<Diff | undefined> => {
    const sent = diffs.find((one) => one.base === base && one.head === head);
    return sent && readDiff(sent);
  };
  const answer = async <T>({ repo, key }: Question<T>): Promise<T | undefined> => {
    if (!hasProvider || key === undefined) return undefined;
    const [, base, head] = DIFF_KEY.exec(key) ?? [];
    const range = base === undefined || head === undefined ? undefined : { base, head };
    const value = (range && (await findDiff(range))) ?? (await find(repo.id, key));
    if (value === undefined && range !== undefined) missing.set(key, range);
    return value as T | undefined;
  };
  return {
    facts: { find, put: async () => {}, add: async () => {} },
    askProvider: async <T>(asked: Question<T>): Promise<Answer<T>> => {
      const value = await answer(asked);
      // Nobody knows what the change makes of the file: that is another matter than a change that takes it away.
      if (value === undefined && asked.key === fileKey(question.head)) return { kind: 'unavailable' };
      return { kind: 'answer', value };
    },
    wanted: () => [...missing.values()],
  };
}

function sentFiles({ mergeBase, head, files }: PreviewQuestion): ReadonlyMap<string, unknown> {
  return new Map([
    ...(mergeBase === undefined || files.base === undefined
      ? []
      : [[fileKey(mergeBase), keptText(files.base)] as const]),
    ...(files.head === undefined ? [] : [[fileKey(head), keptText(files.head)] as const]),
  ]);
}

/** What a close would have learned of the pull request's commits (rules 18 to 21). */
export function pullFacts(
  { head, baseBranch, mergeBase }: PreviewQuestion,
  known: { readonly atMerge: boolean; readonly hasProvider: boolean; readonly at: Timestamp },
): BuildFacts {
  const { atMerge, hasProvider, at } = known;
  const start = hasProvider ? mergeBase : undefined;
  const isKnown = hasProvider && baseBranch !== undefined;
  return {
    askedAt: at,
    complete: true,
    pull: isKnown ? { headCommit: head, baseBranch, ...OPEN_PULL } : undefined,
    tree: undefined,
    mergeParent: atMerge ? start : undefined,
    mergeBase: atMerge ? undefined : start,
    ancestorsOf: start,
  };
}

const OPEN_PULL = { state: 'open', merged: false, landedCommit: undefined, fromFork: false } as const;

/** Builds of pull requests that are looked for among the newest of a repo. */
const RECENT_BUILDS = 20;

/** Whether the repo's CI tested its last pull request at the merge commit; false if there was none. */
export async function wasTestedAtMerge(builds: Pick<BuildStore, 'list'>, repoId: number): Promise<boolean> {
  const recent = await builds.list({ repoId, branch: undefined, trust: 'trusted', offset: 0, limit: RECENT_BUILDS });
  const last = recent.builds.find((build) => build.pullRequest !== undefined && !build.mergeQueue);
  return last !== undefined && isAtMerge(last);
}

function isAtMerge(build: Build): boolean {
  return build.facts?.mergeParent !== undefined || testedAtMerge(build);
}
