/** One source file of a job, as the API documents it. */
export interface SourceFile {
  /** Repo-relative path. */
  name: string;
  /** Digest of the file's full text, up to 128 characters, opaque to the server. */
  source_digest?: string;
  /** One entry per line: hits, 0, or null if the line is not relevant. */
  coverage: (number | null)[];
  /** Flat groups of four: line, block, branch, hits. */
  branches?: number[];
  /** The file's text; the server needs it only for repos of the service `manual`. */
  source?: string;
}

/** What git says about the commit. */
export interface GitInfo {
  head?: {
    id?: string;
    author_name?: string;
    author_email?: string;
    committer_name?: string;
    committer_email?: string;
    message?: string;
  };
  branch?: string;
  remotes?: { name: string; url: string }[];
}

/**
 * What a job's commit changed: names and line numbers, never text. The server takes it where its git host does not say
 * (docs/api.md, "The diff of a job").
 */
export interface JobDiff {
  /** The whole sha of the commit that the lines are compared with. */
  base_sha: string;
  /** The whole sha of the commit that was tested. */
  head_sha: string;
  files: DiffFile[];
  /** False if more files may have changed than are listed. */
  complete: boolean;
}

/** One file of a diff, by its repo-relative path, as in `source_files`. */
export interface DiffFile {
  /** The new name; of a removed file, the one it had. */
  name: string;
  /** For a renamed file. */
  previous_name?: string;
  kind: 'added' | 'removed' | 'modified' | 'renamed';
  /** In order, with at least one unchanged line between two; null if the lines are not known (binary, left out). */
  hunks: DiffHunk[] | null;
}

/**
 * Lines that were removed, added or replaced, without an unchanged line among them. Lines count from 1. If none was
 * removed, `oldStart` is the old line that the new ones precede; `newStart` likewise. (Git's own headers name the line
 * before instead.)
 */
export type DiffHunk = [oldStart: number, oldLines: number, newStart: number, newLines: number];

/** What the reports of a job name and the job does not hold: its build warns of it. */
export interface LeftOut {
  /** Files that are not in the checkout. */
  files?: number;
  /** Folders of these, those with the most files first; at most 5. */
  folders?: string[];
  /** Files that match several files of the checkout. */
  ambiguous?: number;
  /** Lines beyond the end of their file, and of how many files they are. */
  beyond_end?: { lines: number; files: number };
}

/** A `coverage.yml`. */
export interface RepoFileJson {
  path: string;
  text: string;
}

/** The body of `POST /api/v1/jobs` as our own action sends it; the server takes far more (docs/api.md). */
export interface JobPayload {
  /** Absent if the run alone vouches for the job, as a fork's does. */
  repo_token?: string;
  /** `<owner>/<name>`: which repo is meant when `repo_token` is a provider's token. */
  repo_name?: string;
  service_name: string;
  service_number?: string;
  service_job_id?: string;
  /** Tells the legs of a matrix apart and stays the same when a leg is run again. */
  service_job_number?: string;
  /** The host's id of the run, if no other field is it: a status is shown beside that run. */
  service_run_id?: string;
  /** 1 for the first run, one more for each re-run. */
  service_attempt?: number;
  service_pull_request?: string;
  service_branch?: string;
  service_build_url?: string;
  service_job_url?: string;
  service_event_type?: string;
  service_base_branch?: string;
  service_base_sha?: string;
  /** The commit that was tested (a pull request's merge commit), where it is not `commit_sha`. */
  service_tested_sha?: string;
  commit_sha?: string;
  flag_name?: string;
  parallel?: boolean;
  /** For the whole build, the largest that a job states: once that many have arrived, it is closed. */
  expected_jobs?: number;
  compare_ref?: string;
  compare_sha?: string;
  run_at?: string;
  git?: GitInfo;
  diff?: JobDiff;
  left_out?: LeftOut;
  /** The repo's own file at the tested commit, null for none: for a server that can ask no git host for it. */
  coverage_yml?: RepoFileJson | null;
  source_files: SourceFile[];
}

/** The answer to an accepted job: exactly these two keys (strict clients fail on any other). */
export interface JobAnswer {
  /** `Job #<build>.<n>` */
  message: string;
  /** The job's page. */
  url: string;
}
