/** The first step of the schema: the tables as they began. Like every released step, it is never edited. */
export const FIRST_TABLES = `
  -- Ids come from here and not from rowids, so that no number is ever given twice, on any store.
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE repos (
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    name_key TEXT NOT NULL,
    last_sequence INTEGER NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (service, name_key)
  ) STRICT;

  CREATE TABLE repo_tokens (
    id INTEGER PRIMARY KEY,
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    lookup TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL,
    expires_at INTEGER
  ) STRICT;
  CREATE INDEX repo_tokens_of_repo ON repo_tokens (repo_id, expires_at);
  CREATE UNIQUE INDEX repo_tokens_current ON repo_tokens (repo_id) WHERE expires_at IS NULL;

  CREATE TABLE personal_tokens (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE builds (
    id INTEGER PRIMARY KEY,
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    number TEXT NOT NULL,
    service_name TEXT NOT NULL,
    service_number TEXT,
    state TEXT NOT NULL,
    parallel INTEGER NOT NULL,
    pull_request INTEGER,
    nameless_close_at INTEGER,
    scope TEXT,
    closed INTEGER NOT NULL,
    base_rank INTEGER,
    due_at INTEGER,
    lease_until INTEGER,
    not_before INTEGER,
    claimable_at INTEGER GENERATED ALWAYS AS (max(due_at, coalesce(lease_until, 0), coalesce(not_before, 0))) VIRTUAL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX builds_sequence ON builds (repo_id, sequence);
  CREATE INDEX builds_service_number ON builds (repo_id, service_number, state, sequence)
    WHERE service_number IS NOT NULL;
  CREATE INDEX builds_numberless ON builds (repo_id, service_name, sequence) WHERE service_number IS NULL;
  CREATE INDEX builds_own_number ON builds (repo_id, number, sequence) WHERE service_number IS NULL;
  CREATE INDEX builds_open_parallel ON builds (repo_id, sequence) WHERE state = 'open' AND parallel = 1;
  CREATE INDEX builds_nameless_close ON builds (repo_id, nameless_close_at) WHERE nameless_close_at IS NOT NULL;
  CREATE INDEX builds_pull_request ON builds (repo_id, pull_request, sequence) WHERE pull_request IS NOT NULL;
  CREATE INDEX builds_closed ON builds (repo_id, sequence) WHERE closed = 1;
  CREATE INDEX builds_closed_scope ON builds (repo_id, scope, sequence) WHERE closed = 1;
  CREATE INDEX builds_base ON builds (repo_id, base_rank, sequence) WHERE base_rank IS NOT NULL;
  CREATE INDEX builds_base_scope ON builds (repo_id, scope, base_rank, sequence) WHERE base_rank IS NOT NULL;
  CREATE INDEX builds_claimable ON builds (claimable_at) WHERE claimable_at IS NOT NULL;
  CREATE INDEX builds_leased ON builds (lease_until) WHERE lease_until IS NOT NULL;

  CREATE TABLE build_reports (
    build_id INTEGER PRIMARY KEY REFERENCES builds (id) ON DELETE CASCADE,
    report BLOB NOT NULL
  ) STRICT;

  CREATE TABLE build_commits (
    build_id INTEGER NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    commit_sha TEXT NOT NULL,
    repo_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (build_id, commit_sha)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX build_commits_anywhere ON build_commits (commit_sha, sequence);
  CREATE INDEX build_commits_of_repo ON build_commits (repo_id, commit_sha, sequence);

  CREATE TABLE build_flags (
    build_id INTEGER NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    flag TEXT NOT NULL,
    repo_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    scope TEXT,
    PRIMARY KEY (build_id, flag)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX build_flags_of_repo ON build_flags (repo_id, flag, sequence);
  CREATE INDEX build_flags_scope ON build_flags (repo_id, flag, scope, sequence);

  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    build_id INTEGER NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    repo_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    upload_key TEXT NOT NULL,
    service_name TEXT NOT NULL,
    service_job_id TEXT,
    record TEXT NOT NULL,
    UNIQUE (build_id, number),
    UNIQUE (build_id, upload_key)
  ) STRICT;
  CREATE INDEX jobs_service_job_id ON jobs (repo_id, service_job_id, service_name, build_id)
    WHERE service_job_id IS NOT NULL;

  CREATE TABLE job_reports (
    job_id INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    report BLOB NOT NULL
  ) STRICT;

  CREATE TABLE sources (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (repo_id, digest)
  ) STRICT;

  -- No foreign key: a record outlives its repo while one of its contexts is to be ended (rule 22).
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    repo_id INTEGER NOT NULL,
    commit_sha TEXT,
    context_key TEXT,
    pull_request INTEGER,
    pending INTEGER NOT NULL,
    parked INTEGER NOT NULL,
    open_context INTEGER NOT NULL,
    next_attempt_at INTEGER NOT NULL,
    lease_until INTEGER,
    claimable_at INTEGER GENERATED ALWAYS AS (
      CASE WHEN pending = 1 AND parked = 0 THEN max(next_attempt_at, coalesce(lease_until, 0)) END
    ) VIRTUAL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_status ON deliveries (repo_id, commit_sha, context_key) WHERE commit_sha IS NOT NULL;
  CREATE UNIQUE INDEX deliveries_comment ON deliveries (repo_id, pull_request) WHERE pull_request IS NOT NULL;
  CREATE INDEX deliveries_of_repo ON deliveries (repo_id, open_context);
  CREATE INDEX deliveries_claimable ON deliveries (claimable_at) WHERE claimable_at IS NOT NULL;
  CREATE INDEX deliveries_leased ON deliveries (lease_until) WHERE lease_until IS NOT NULL;
  CREATE INDEX deliveries_parked ON deliveries (parked, id) WHERE parked = 1;
  `;
