import type { DatabaseSync } from 'node:sqlite';
import { addBuildViews } from './build-view-rows.ts';
import { FIRST_TABLES } from './first-tables.ts';
import { upgradeRecords } from './upgrade-records.ts';

/** SQL, or what rewrites records. */
export type Migration = string | ((db: DatabaseSync) => void);

/**
 * The schema as numbered steps: step n brings a file from version n-1 to n. A released step is never edited; a change
 * is another step. A row holds the columns that queries need, and its whole record as JSON.
 */
export const MIGRATIONS: readonly Migration[] = [
  FIRST_TABLES,
  `
  -- A branch's own builds, open ones too: a page of them.
  CREATE INDEX builds_scope ON builds (repo_id, scope, sequence) WHERE scope IS NOT NULL;
  `,
  `
  -- What the provider said once; the builds that wait for a base, or have one (rule 20); repos by the provider's id
  -- (rule 28).
  CREATE TABLE facts (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (repo_id, key)
  ) STRICT;

  CREATE TABLE build_wants (
    build_id INTEGER NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    want TEXT NOT NULL,
    repo_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (build_id, want)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX build_wants_of_repo ON build_wants (repo_id, want, sequence);

  ALTER TABLE builds ADD COLUMN base_id INTEGER;
  UPDATE builds SET base_id = json_extract(record, '$.result.base.buildId');
  CREATE INDEX builds_based_on ON builds (repo_id, base_id, sequence) WHERE base_id IS NOT NULL;

  ALTER TABLE repos ADD COLUMN provider_id TEXT;
  UPDATE repos SET provider_id = json_extract(record, '$.providerId');
  CREATE INDEX repos_provider_id ON repos (service, provider_id) WHERE provider_id IS NOT NULL;
  `,
  upgradeRecords,
  addBuildViews,
  `
  -- What tells whether a write-ahead log belongs to the file that it lies beside (log-mark.ts).
  CREATE TABLE log_mark (id INTEGER PRIMARY KEY CHECK (id = 1), mark TEXT NOT NULL) STRICT;

  -- For the metrics, which count in these indexes alone.
  ALTER TABLE deliveries ADD COLUMN service TEXT;
  ALTER TABLE deliveries ADD COLUMN unsent_since INTEGER;
  UPDATE deliveries SET service = json_extract(record, '$.service'), unsent_since = next_attempt_at;
  CREATE INDEX deliveries_unsent ON deliveries (service, parked, unsent_since) WHERE pending = 1;
  CREATE INDEX builds_put_off ON builds (not_before, due_at) WHERE not_before IS NOT NULL;
  `,
  `
  -- What a repo sent on its last day; not copied to another store.
  CREATE TABLE repo_usage (
    repo_id INTEGER PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    day INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  `,
  // Repos take turns in closes and deliveries; builds that were set aside are listed.
  `
  CREATE INDEX builds_turn ON builds (repo_id, claimable_at) WHERE claimable_at IS NOT NULL;
  CREATE INDEX deliveries_turn ON deliveries (repo_id, claimable_at) WHERE claimable_at IS NOT NULL;
  ALTER TABLE builds ADD COLUMN set_aside INTEGER;
  CREATE INDEX builds_set_aside ON builds (set_aside, id) WHERE set_aside = 1;
  `,
  // A tag's builds are found by it (rule 18).
  `
  UPDATE builds SET scope = 'tag:' || (record ->> 'branch')
  WHERE scope IS NULL AND record ->> 'tag' AND record ->> 'branch' IS NOT NULL AND pull_request IS NULL
    AND NOT record ->> 'mergeQueue' AND record ->> 'landed' IS NULL AND record ->> 'trust' IS NOT 'run';
  UPDATE build_flags SET scope = (SELECT scope FROM builds WHERE id = build_id) WHERE scope IS NULL;
  `,
  `
  -- Source texts that the provider was asked for: a cache, which is not copied to another store.
  CREATE TABLE provider_sources (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (repo_id, key)
  ) STRICT;
  CREATE INDEX provider_sources_age ON provider_sources (repo_id, at, key, size);
  `,
  `
  -- People: who they are, where they are signed in (not copied to another store), and in which repos they are members.
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (issuer, subject)
  ) STRICT;

  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
  CREATE INDEX sessions_expiring ON sessions (expires_at);

  CREATE TABLE members (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    record TEXT NOT NULL,
    PRIMARY KEY (repo_id, account_id)
  ) STRICT;
  CREATE INDEX members_of_account ON members (account_id, repo_id);

  CREATE TABLE share_links (
    id INTEGER PRIMARY KEY,
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    hash TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX share_links_of_repo ON share_links (repo_id, id);

  ALTER TABLE personal_tokens ADD COLUMN account_id INTEGER;
  CREATE INDEX personal_tokens_of_account ON personal_tokens (account_id, id) WHERE account_id IS NOT NULL;
  `,
  // Trends read the newest build of each span of time; lists show the sums of changed lines.
  `
  ALTER TABLE builds ADD COLUMN created_at INTEGER;
  UPDATE builds SET created_at = (SELECT record ->> 'createdAt' FROM build_summaries WHERE build_id = builds.id);
  CREATE INDEX builds_trend ON builds (repo_id, scope, created_at, sequence) WHERE closed = 1;
  UPDATE build_summaries SET record = json_set(build_summaries.record, '$.result.patch',
      json_remove(details.record -> '$.patch', '$.files', '$.unmeasured'))
    FROM build_details details
    WHERE details.build_id = build_summaries.build_id AND details.record -> '$.patch' IS NOT NULL;
  `,
  `
  -- Uploads that were refused, for those who set their clients up; not copied to another store.
  CREATE TABLE refused_uploads (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    last_at INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (repo_id, key)
  ) STRICT;
  CREATE INDEX refused_uploads_newest ON refused_uploads (repo_id, last_at);
  `,
  `
  -- Who did what. No foreign key: an entry outlives its repo. It is never changed.
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    repo_id INTEGER,
    repo_key TEXT,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_at ON audit (at);
  CREATE INDEX audit_of_action ON audit (action, id);
  CREATE INDEX audit_of_repo ON audit (repo_id, id) WHERE repo_id IS NOT NULL;
  CREATE INDEX audit_repo_key ON audit (repo_key, repo_id) WHERE repo_key IS NOT NULL;
  CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN
    SELECT raise(ABORT, 'an entry of the audit log is never changed');
  END;

  -- By which clients a repo's token was used last; not copied to another store.
  CREATE TABLE repo_token_uses (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    named TEXT NOT NULL,
    at INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (repo_id, named)
  ) STRICT;
  CREATE INDEX repo_token_uses_newest ON repo_token_uses (repo_id, at);
  `,
  `
  -- The newest builds of a repo's pull requests, found by the index alone.
  CREATE INDEX builds_newest_pulls ON builds (repo_id, sequence, pull_request, created_at)
    WHERE pull_request IS NOT NULL;
  -- Builds of all repos that were taken out of the bases.
  ALTER TABLE builds ADD COLUMN excluded_at INTEGER;
  UPDATE builds SET excluded_at = excluded.at FROM (
      SELECT build_id, record ->> '$.excludedAsBase.at' AS at FROM build_summaries
    ) excluded WHERE excluded.build_id = builds.id AND excluded.at IS NOT NULL;
  CREATE INDEX builds_excluded ON builds (excluded_at, id) WHERE excluded_at IS NOT NULL;
  `,
  `
  -- What id-tokens were used for, until they expire; not copied to another store.
  CREATE TABLE used_id_tokens (
    key TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX used_id_tokens_expiring ON used_id_tokens (expires_at);
  `,
  `
  -- Apps that were made at git hosts by /setup, sealed.
  CREATE TABLE host_apps (
    service TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What came to the webhooks of git hosts; not copied to another store.
  CREATE TABLE webhooks (
    service TEXT PRIMARY KEY,
    delivered_at INTEGER,
    refused INTEGER NOT NULL,
    refused_at INTEGER
  ) STRICT;
  `,
  `
  -- Reports of a build's jobs that were merged before somebody asked; not copied to another store.
  CREATE TABLE merged_reports (
    build_id INTEGER NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    flag TEXT,
    jobs TEXT NOT NULL,
    report BLOB NOT NULL,
    PRIMARY KEY (build_id, key)
  ) STRICT;
  `,
  // Unverified builds (rule 29) are counted and listed apart from the others.
  `
  ALTER TABLE builds ADD COLUMN unverified INTEGER;
  UPDATE builds SET unverified = 1 WHERE record ->> 'trust' = 'run';
  CREATE INDEX builds_trust ON builds (repo_id, unverified, sequence);
  DROP INDEX builds_newest_pulls;
  CREATE INDEX builds_newest_pulls_of_trust ON builds (repo_id, unverified, sequence, pull_request, created_at)
    WHERE pull_request IS NOT NULL;
  `,
  `
  -- What uploads of unverified runs brought on a day, by quota; not copied to another store.
  CREATE TABLE unverified_usage (
    key TEXT PRIMARY KEY,
    day INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX unverified_usage_day ON unverified_usage (day);
  `,
  `
  -- When an upload named a source text last; one without a row is old. And the last look for texts that no build names
  -- (ports/source-store.ts). Neither is copied to another store.
  CREATE TABLE source_ages (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    named_at INTEGER NOT NULL,
    PRIMARY KEY (repo_id, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE source_looks (
    repo_id INTEGER PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    removed_builds INTEGER NOT NULL,
    clean_builds INTEGER,
    begun_at INTEGER
  ) STRICT;
  `,
  `
  -- Which lines of a branch flip without a change of their text, as JSON (tables/flip-ledgers.ts).
  CREATE TABLE flip_ledgers (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    branch TEXT NOT NULL,
    head INTEGER NOT NULL,
    ledger TEXT NOT NULL,
    PRIMARY KEY (repo_id, branch)
  ) STRICT;
  `,
  `
  -- Histories of other services that were uploaded, until they are imported; not copied to another store.
  CREATE TABLE history_imports (
    repo_id INTEGER PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE history_parts (
    repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (repo_id, part)
  ) STRICT;
  `,
];
