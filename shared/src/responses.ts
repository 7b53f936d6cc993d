/** Every failure, from every layer. */
export interface FailureAnswer {
  /** What happened and what to do. */
  message: string;
  error: true;
}

export interface VerdictJson {
  /** `error`: the reports can never be merged. Not sent by earlier servers. */
  state: 'success' | 'failure' | 'incomplete' | 'error';
  /** Which rule decided. */
  rule: string;
  explanation: string;
  /** Facts of the provider are missing; the verdict is made again when they arrive. */
  provisional: boolean;
  /** Present only where the repo asked for information alone: no commit status fails by it. */
  informational?: true;
  /** Present only where a maintainer accepted this failure: no commit status fails by it. */
  accepted?: true;
}

/** One part of a build's verdict: its total, its changed lines where they are judged, a flag, a group of files. */
export interface CheckJson extends PartVerdictJson {
  /** `total`, `changes`, or the kind before the name: `flag:pages`; of a group before its id: `group:backend`. */
  id: string;
  kind: 'total' | 'changes' | 'flag' | 'group' | 'elsewhere' | 'file';
  /** Null if there is one alone of its kind. */
  name: string | null;
  /** False: it is shown, and `overall` does not depend on it. */
  required: boolean;
  /** Unrounded; null if there is none. */
  covered_percent: number | null;
  coverage_change: number | null;
  /** What would make it pass; null if it passes, or covering more does not help. */
  remedy: RemedyJson | null;
}

/** What would make a check pass. */
export interface RemedyJson {
  /** How many more are to be covered. */
  count: number;
  /** What is counted; `changed-*` lie within the change. */
  unit: 'changed-lines' | 'changed-code' | 'lines' | 'code';
  sentence: string;
}

/** What the checks of a build amount to. */
export interface OverallJson {
  /** For the required check that is worst; `pending` before the first close. */
  state: 'error' | 'failure' | 'incomplete' | 'pending' | 'success';
  /** What fails, by name, or how the total passes. */
  sentence: string;
  /** Ids of required checks that do not pass, at most 20 of `failing_count`. */
  failing: readonly string[];
  failing_count: number;
  /** For checks that are not required and fall short, at most 20 of `would_fail_count`. */
  would_fail: readonly string[];
  would_fail_count: number;
  passing_count: number;
  /** Present only where a check passes since a maintainer accepted its failure. */
  accepted?: true;
}

/** A failure that a maintainer accepted. */
export interface AcceptanceJson {
  by: string;
  at: string;
  reason: string;
  /** False: something fails that was not accepted, or with worse numbers. */
  holds: boolean;
}

export interface FlagJson {
  name: string;
  covered_percent: number | null;
  coverage_change: number | null;
  /** For its changed lines; present only where the repo's coverage.yml has a rule for them. */
  changes_percent?: number | null;
  verdict: PartVerdictJson;
  /** For the flag alone; null if nothing is known or to be explained. Not sent by earlier servers. */
  cause?: CauseJson | null;
  carried_from: { build: string; commit_sha: string | null; closed_at: string } | null;
}

/** A group of files, by the repo's coverage.yml. */
export interface GroupJson extends CountsJson {
  id: string;
  name: string;
  digest: string;
  files: number;
  touched: boolean;
  covered_percent: number | null;
  coverage_change: number | null;
  changes_percent: number | null;
  /** Null if it has no rule: a number, and no check. */
  verdict: PartVerdictJson | null;
}

/** The files of an owner, by CODEOWNERS. */
export interface OwnerJson extends CountsJson {
  /** Null: of the files that nobody owns. */
  owner: string | null;
  files: number;
  covered_percent: number | null;
  coverage_change: number | null;
}

/** A coverage.yml that cannot be used: the first thing that is wrong with it. */
export interface BrokenFileJson {
  path: string;
  commit_sha: string | null;
  problems: number;
  line: number;
  /** Not sent by earlier servers, null in what they judged. */
  column?: number | null;
  message: string;
}

/** By which rules a build was judged. */
export interface JudgedRulesJson {
  file: { path: string; commit_sha: string | null; digest: string } | null;
  broken: BrokenFileJson | null;
  proposal: {
    path: string;
    commit_sha: string;
    changes: readonly { key: string; from: string | null; to: string | null }[];
    more: number;
    broken: BrokenFileJson | null;
    would: 'success' | 'failure' | 'incomplete' | 'error' | null;
  } | null;
  owners_available: boolean;
  values: readonly {
    key: string;
    value: string;
    from: 'file' | 'settings' | 'server' | 'default';
    line: number | null;
  }[];
}

/** The verdict on a flag or on the changed lines. */
export type PartVerdictJson = Omit<VerdictJson, 'provisional'>;

/** Exact counts, from which every percentage is made. */
export interface CountsJson {
  covered_lines: number;
  missed_lines: number;
  relevant_lines: number;
  covered_branches: number;
  missed_branches: number;
  relevant_branches: number;
}

/** The changed lines of a pull request, or of a push against its base. */
export interface PatchJson extends CountsJson {
  /** Unrounded; null if no changed line is relevant. */
  covered_percent: number | null;
  /** Files with changed relevant lines, worst first; at most 200 of `file_count`. */
  files: readonly PatchFileJson[];
  file_count: number;
  /** Changed source files that no report names; at most 200 of `unmeasured_count`. */
  unmeasured: readonly string[];
  unmeasured_count: number;
  /** Changed lines of files that carried reports alone name: neither covered nor missed. */
  readonly not_measured: { readonly files: number; readonly lines: number };
  /** False: the source of the changed lines did not list every file or line. */
  complete: boolean;
  /** Where the changed lines come from: the git host, or the upload itself (JobDiff). Not sent by earlier servers. */
  source?: 'provider' | 'upload';
  /** Null if the repo asks for neither a status nor a minimum of changed lines. */
  verdict: PartVerdictJson | null;
}

export interface PatchFileJson extends CountsJson {
  name: string;
  covered_percent: number | null;
  /**
   * Changed relevant lines without hits: first and last line, from 1, both included; at most 20 of `uncovered_ranges`.
   */
  uncovered: readonly (readonly [first: number, last: number])[];
  uncovered_ranges: number;
}

/** Unchanged lines of a file that were covered in the base and are missed now, as a whole or a branch of them. */
export interface LostJson {
  /** First and last line, from 1, both included; at most 20 of `lost_ranges`. */
  lost: readonly (readonly [first: number, last: number])[];
  lost_ranges: number;
  /** Lines that are covered still, and lost a branch; at most 20 of `lost_branch_lines`. */
  lost_branches: readonly number[];
  lost_branch_lines: number;
}

/** Neighboring lines and branches that change their state together while their text stays. */
export interface FlippingBlockJson {
  file: string;
  first: number;
  last: number;
  lines: number;
  branches: number;
  /** For the `known` states. */
  covered: number;
  known: number;
  /** The last 50 builds of the branch, the newest first: `1` covered, `0` missed, `?` not known. */
  states: string;
  flipped_in: LedgerBuildJson | null;
  /** The first of more missed builds in a row than chance makes. */
  lost_since: LedgerBuildJson | null;
}

/** A build of a branch, as far as lines that flip are recorded of it. */
export interface LedgerBuildJson {
  build: string;
  url: string;
  commit_sha: string;
  closed_at: string;
}

/** Where the change against the base comes from. */
export interface CauseJson {
  /** What moved the most, and what would pass. */
  sentence: string;
  /** Percentage points as decimal texts. */
  parts: readonly {
    part: 'changed' | 'outside' | 'untouched' | 'unstable' | 'removed' | 'before' | 'unexplained';
    points: string;
    /** Only of `before`: how many commits without a build there are, null if they were not counted. */
    commits?: number | null;
    /** Only of `before`: the branch that they are on, null if it is not known. */
    branch?: string | null;
  }[];
}

/** Whether other builds may be compared with this one, and why. */
export interface IsBaseJson {
  /** `fallback`: only if nothing better is found. */
  may_be: 'yes' | 'fallback' | 'no';
  /** What prevents it; null with `yes`. */
  reason: 'open' | 'unverified' | 'excluded' | 'cannot-merge' | 'no-percentage' | 'incomplete' | null;
  /** A sentence. */
  explanation: string;
}

/** A build that is not tried again before `rerun_build` asks for it. */
export interface SetAsideJson {
  at: string;
  /** How often it was tried. */
  attempts: number;
  /** A sentence. */
  reason: string;
}

/** The branch that a build counts for though it was not built on it. */
export interface LandedJson {
  branch: string;
  /** The commit on that branch. */
  commit_sha: string;
  how: 'merge-queue' | 'same-commit' | 'same-tree';
  at: string;
}

/** `GET /builds/<id or sha>.json`. Percentages are unrounded; null if nothing is relevant. */
export interface BuildJson {
  id: string;
  url: string;
  number: string;
  service_number: string | null;
  state: 'open' | 'closed';
  closed_by: 'job' | 'webhook' | 'deadline' | 'provider' | null;
  repo_name: string;
  badge_url: string;
  branch: string | null;
  commit_sha: string | null;
  commit_message: string | null;
  committer_name: string | null;
  committer_email: string | null;
  pull_request: number | null;
  created_at: string;
  closed_at: string | null;
  covered_percent: number | null;
  coverage_change: number | null;
  covered_lines: number | null;
  missed_lines: number | null;
  relevant_lines: number | null;
  covered_branches: number | null;
  missed_branches: number | null;
  relevant_branches: number | null;
  /** For the total. */
  verdict: VerdictJson | null;
  /** For all checks. Not sent by earlier servers. */
  overall?: OverallJson;
  /** This and the other keys that may be absent are not sent by earlier servers. */
  landed?: LandedJson | null;
  /** Since when the verdict waits for the provider; null once it answered. */
  provisional_since?: string | null;
  /** Whether it came from a fork's run, or another without secrets. Not sent by earlier servers. */
  unverified?: boolean;
  /** `access-denied`: kept until the git host lets the server see its run; then it is judged. */
  unverified_reason?: 'no-secret' | 'fork' | 'not-answered' | 'access-denied' | 'not-confirmed' | null;
  /** Only where a job said how many there will be; those that another attempt replaced do not count. */
  expected_jobs?: { readonly expected: number; readonly arrived: number };
  /** Only of a build that fails and was accepted. Not sent by earlier servers. */
  acceptance?: AcceptanceJson;
  /** Only of a build that was set aside. */
  set_aside?: SetAsideJson;
  base: { build: string; commit_sha: string | null; rule: string; commits_away: number | null } | null;
  is_base?: IsBaseJson;
  /** Null before the first close, and if no diff could be had. */
  patch?: PatchJson | null;
  /** Files with unchanged lines that were covered in the base and are missed now. Not sent by earlier servers. */
  lost?: readonly ({ name: string } & LostJson)[];
  /** What flips without a change, or used to, among those; null if nothing does. Not sent by earlier servers. */
  flips?: { branch: string; missed: readonly FlippingBlockJson[] } | null;
  /** Null if there is nothing to explain. */
  cause?: CauseJson | null;
  /**
   * Failing ones first; with `paging` those of the flags that are given. Empty before the first close. Not sent by
   * earlier servers.
   */
  checks?: readonly CheckJson[];
  flags: readonly FlagJson[];
  /** Not sent by earlier servers, nor are the next two. */
  groups?: readonly GroupJson[];
  owners?: readonly OwnerJson[];
  rules?: JudgedRulesJson | null;
  jobs: readonly {
    number: string;
    flag_name: string | null;
    service_job_id: string | null;
    covered_percent: number | null;
    url: string;
  }[];
  warnings: readonly string[];
  /** Present only if `?check=` asks for it: the changed lines that no test runs, as far as they concern that check. */
  to_cover?: ToCoverJson;
  /** Present only where `flags` or `jobs` are a part of the build's; then they are that page of them. */
  paging?: { flags: PartJson; jobs: PartJson };
}

/** Whose lines are to be covered. */
export interface ToCoverJson {
  /** The id of a check, `failing` for all that fail, or `all`: also if the build has no such check. */
  check: string;
  /** Those with something to cover, most missed first: at most 10. */
  files: readonly (PatchFileJson & {
    /** The flag whose own report misses the lines; null: the build's. */
    flag_name: string | null;
  })[];
  /** How many more files there are. */
  more_files: number;
}

/** Which part of a list is given, pages counted from 1. */
export interface PartJson {
  page: number;
  pages: number;
  /** Entries on all pages. */
  total: number;
  /** The address of the next page; null on the last. */
  next: string | null;
}

/** `GET /jobs/<id>.json` */
export interface JobJson {
  id: string;
  url: string;
  number: string;
  build: string;
  build_url: string;
  repo_name: string;
  flag_name: string | null;
  service_name: string;
  service_job_id: string | null;
  commit_sha: string | null;
  branch: string | null;
  parallel: boolean;
  run_at: string;
  created_at: string;
  covered_percent: number | null;
  covered_lines: number;
  missed_lines: number;
  relevant_lines: number;
  covered_branches: number;
  missed_branches: number;
  relevant_branches: number;
  warnings: readonly string[];
}

/** `GET /api/v1/upload-settings`: what our own action is asked to send. */
export interface UploadSettingsJson {
  /** `all`: nobody else has the texts of this repo's source files. */
  send_source: 'all' | 'none';
}
