/** One source file of a job, as the API documents it. */
export interface SourceFile {
  /** Repo-relative path. */
  name: string;
  /** Digest of the file's full text, up to 128 characters, opaque to the server. */
  source_digest?: string;
  /** One entry per line: hits, 0, or null where the line is not relevant. */
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

/** The body of `POST /api/v1/jobs` as our own action sends it; the server takes far more (docs/api.md). */
export interface JobPayload {
  repo_token: string;
  /** `<owner>/<name>`: which repo is meant when `repo_token` is a provider's token. */
  repo_name?: string;
  service_name: string;
  service_number?: string;
  service_job_id?: string;
  /** Tells the legs of a matrix apart and stays the same when a leg is run again. */
  service_job_number?: string;
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
  compare_ref?: string;
  compare_sha?: string;
  run_at?: string;
  git?: GitInfo;
  source_files: SourceFile[];
}
