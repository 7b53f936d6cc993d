import type { Build, BuildResult } from './build.ts';
import { overallOf } from './build-checks.ts';
import type { PatchResult } from './build-facts.ts';

/** For the changed lines only their sums and verdict. */
export type PatchSummary = Omit<PatchResult, 'files' | 'unmeasured'>;

/** For a result only what is short, whatever was uploaded. */
type ResultSummary = Omit<
  BuildResult,
  'flags' | 'carried' | 'countedJobs' | 'fileChanges' | 'patch' | 'marks' | 'groups' | 'owners' | 'rules'
> & {
  readonly patch?: PatchSummary | undefined;
};

/** A build as lists show it: reading a hundred of them is quick, however many flags and jobs each has. */
export type BuildSummary = Omit<Build, 'openedContexts' | 'carryforward' | 'missingBases' | 'acceptance' | 'result'> & {
  readonly result: ResultSummary | undefined;
};

/** What the page of a build shows of its result beside the summary and its flags. */
export type ResultDetails = Pick<BuildResult, 'countedJobs' | 'fileChanges' | 'patch' | 'groups' | 'owners' | 'rules'>;

/** A build as its own page shows it; its flags and jobs are read page by page. */
export type BuildView = Omit<BuildSummary, 'result'> & {
  readonly result: (Omit<ResultSummary, 'patch'> & ResultDetails) | undefined;
};

export function summarizeBuild(build: Build): BuildSummary {
  const { openedContexts: _, carryforward: __, missingBases: ___, acceptance: ____, result, ...summary } = build;
  return { ...summary, result: result && summarizeResult(result) };
}

function summarizeResult(result: BuildResult): ResultSummary {
  const { flags: _, carried: __, countedJobs: ___, fileChanges: ____, patch, marks: _____, ...more } = result;
  const { groups: ______, owners: _______, rules: ________, ...short } = more;
  const summary = { ...short, overall: overallOf(result) };
  return patch === undefined ? summary : { ...summary, patch: summarizePatch(patch) };
}

function summarizePatch({ files: _, unmeasured: __, ...sums }: PatchResult): PatchSummary {
  return sums;
}

export function resultDetails(result: BuildResult): ResultDetails {
  const { countedJobs, fileChanges, patch, groups, owners, rules } = result;
  return { countedJobs, fileChanges, patch, groups, owners, rules };
}
