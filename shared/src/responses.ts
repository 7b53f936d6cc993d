/** The answer to an accepted job: exactly these two keys (strict clients fail on any other). */
export interface JobAnswer {
  /** `Job #<build>.<n>` */
  message: string;
  /** The job's page. */
  url: string;
}

/** The answer to a close. */
export interface CloseAnswer {
  done: true;
  /** The build's page. */
  url: string;
  /** How many jobs the build has. */
  jobs: number;
}

/** Every failure, from every layer. */
export interface FailureAnswer {
  /** What happened and what to do. */
  message: string;
  error: true;
}

export interface VerdictJson {
  state: 'success' | 'failure' | 'incomplete';
  /** Which rule decided. */
  rule: string;
  explanation: string;
  provisional: boolean;
}

export interface FlagJson {
  name: string;
  covered_percent: number | null;
  coverage_change: number | null;
  verdict: { state: 'success' | 'failure' | 'incomplete'; rule: string; explanation: string };
  carried_from: { build: string; commit_sha: string | null; closed_at: string } | null;
}

/** `GET /builds/<id or sha>.json`. Percentages are unrounded; null where nothing is relevant. */
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
  verdict: VerdictJson | null;
  base: { build: string; commit_sha: string | null; rule: string; commits_away: number | null } | null;
  flags: FlagJson[];
  jobs: {
    number: string;
    flag_name: string | null;
    service_job_id: string | null;
    covered_percent: number | null;
    url: string;
  }[];
  warnings: string[];
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
  warnings: string[];
}
