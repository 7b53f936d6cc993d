import type { JobDiff, RepoFileJson } from './job.ts';
import type {
  CauseJson,
  CheckJson,
  CountsJson,
  FlagJson,
  LostJson,
  OverallJson,
  PatchJson,
  RemedyJson,
  VerdictJson,
} from './responses.ts';

/**
 * The first line of the body of `POST /api/v1/preview`: what is to be judged. Each further line is a job, as an upload
 * sends it (JobPayload), of which the flag and the source files count.
 */
export interface PreviewQuestion {
  /** The whole sha of the commit that the reports are about. */
  head_sha: string;
  /** The branch that it is on. */
  branch?: string;
  /** The branch that the pull request goes to. */
  base_branch?: string;
  /** The merge base of the two: a whole sha. */
  merge_base_sha?: string;
  /** First parents of the merge base, nearest first, without itself: whole shas, at most 100. */
  ancestors?: readonly string[];
  /** For a pull request that exists already. */
  pull_request?: number;
  /** True if its CI tests the merge commit, false if the head. Absent: as the repo's pull requests did last. */
  tested_at_merge?: boolean;
  /** Flags that the close will carry forward, or a list of them with commas, or `all`. */
  carryforward?: string | readonly string[];
  /**
   * The repo's own file as git has it at the merge base and at the head, null if there is none. What is absent: as this
   * server has read it before.
   */
  coverage_yml?: { base?: RepoFileJson | null; head?: RepoFileJson | null };
  /** From the merge base to the head, and what an earlier answer asked for. */
  diffs?: readonly JobDiff[];
}

/** The answer: what the pull request's build will say. */
export interface PreviewJson extends CountsJson {
  /** False if a commit status would not succeed. */
  passes: boolean;
  /** For the total. */
  verdict: VerdictJson;
  /** For all checks. Not sent by earlier servers, nor are `checks`. */
  overall?: OverallJson;
  checks?: readonly CheckJson[];
  /** What the build's commit status will say. */
  sentence: string;
  /** Every commit status that the repo asks for. */
  statuses: readonly PreviewStatusJson[];
  covered_percent: number | null;
  coverage_change: number | null;
  base: PreviewBaseJson | null;
  patch: PatchJson | null;
  cause: CauseJson | null;
  /** What would make it pass, the build first; empty if all passes, or covering more does not help. */
  remedies: readonly PreviewRemedyJson[];
  flags: readonly FlagJson[];
  /** Files whose numbers or text differ from the base's, worst first; at most 200 of `file_count`. */
  files: readonly PreviewFileJson[];
  file_count: number;
  warnings: readonly string[];
  /** Diffs that would tell more: the same question with them in `diffs` gets a complete answer. */
  wanted_diffs: readonly { base_sha: string; head_sha: string }[];
}

export interface PreviewStatusJson {
  context: string;
  state: 'success' | 'failure' | 'error';
  description: string;
}

export interface PreviewBaseJson {
  build: string;
  url: string;
  commit_sha: string | null;
  rule: string;
  commits_away: number | null;
  /** How it was chosen, to end a sentence with. */
  chosen: string;
  covered_percent: number | null;
}

export interface PreviewRemedyJson extends RemedyJson {
  /** `build`, `patch`, or a flag's name behind `flag:`. */
  of: string;
}

export interface PreviewFileJson extends LostJson {
  name: string;
  kind: 'changed' | 'added' | 'removed' | 'newly-measured' | 'no-longer-measured' | 'elsewhere';
  covered_percent: number | null;
  base_covered_percent: number | null;
  /** Relevant lines without hits; at most 20 of `uncovered_ranges`. */
  uncovered: readonly (readonly [first: number, last: number])[];
  uncovered_ranges: number;
}
