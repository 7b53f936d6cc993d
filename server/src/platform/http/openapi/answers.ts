import type {
  BuildJson,
  CauseJson,
  CheckJson,
  CloseAnswer,
  FailureAnswer,
  FlagJson,
  GroupJson,
  JobAnswer,
  JobJson,
  JudgedRulesJson,
  OverallJson,
  OwnerJson,
  PartVerdictJson,
  PatchJson,
  PreviewJson,
  RemedyJson,
  ToCoverJson,
  UploadSettingsJson,
  VerdictJson,
} from '@coverage/shared';
import { z } from 'zod';
import { HISTORY_SOURCES, type HistorySource } from '../../../core/builds/imported.ts';
import { AUDIT_ACTIONS } from '../../../core/repo/audit.ts';
import { REPO_SERVICES } from '../../../core/repo/repo.ts';
import { ALL_SETTINGS } from '../../../core/repo/settings.ts';
import { CHECK_KINDS, MAX_LISTED } from '../../../core/verdict/checks.ts';
import { answeredForm } from '../written-settings.ts';

// The shapes of answers: as people and generators of clients read them, and as presenters make them (Answer). Answers
// are not checked by them; a test holds that every answer has its shape. The types of shared are what our own action
// reads, of earlier servers too.

const text = z.string();
const count = z.int().min(0);
const percent = z.number().min(0).max(100).nullable().meta({ description: 'Unrounded; null if nothing is relevant.' });
const points = z.number().nullable().meta({ description: 'In percentage points, unrounded; null if unknown.' });
const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const id = text.meta({ description: 'An integer as text.' });
const address = z.url();

export const failure = z.object({
  message: text.meta({ description: 'What happened and what to do.' }),
  error: z.literal(true),
}) satisfies z.ZodType<FailureAnswer>;

const counts = {
  covered_lines: count,
  missed_lines: count,
  relevant_lines: count,
  covered_branches: count,
  missed_branches: count,
  relevant_branches: count,
};

const nullableCounts = Object.fromEntries(Object.keys(counts).map((name) => [name, count.nullable()])) as Record<
  keyof typeof counts,
  z.ZodNullable<z.ZodInt>
>;

const partVerdictFields = {
  state: z.enum(['success', 'failure', 'incomplete', 'error']),
  rule: text,
  explanation: text,
  informational: z.literal(true).exactOptional(),
  accepted: z.literal(true).exactOptional(),
};
export const partVerdict = z.object(partVerdictFields) satisfies z.ZodType<PartVerdictJson>;
export const verdict = z.object({ ...partVerdictFields, provisional: z.boolean() }) satisfies z.ZodType<VerdictJson>;

export const cause = z.object({
  sentence: text,
  parts: z.array(
    z.object({
      part: z.enum(['changed', 'outside', 'untouched', 'unstable', 'removed', 'before', 'unexplained']),
      points: text.meta({ description: 'Percentage points as decimal text.' }),
      commits: count.nullable().exactOptional().meta({ description: 'Only for `before`.' }),
      branch: text.nullable().exactOptional().meta({ description: 'Only for `before`.' }),
    }),
  ),
}) satisfies z.ZodType<CauseJson>;

const ledgerBuild = z.object({ build: id, url: address, commit_sha: text, closed_at: time }).nullable();

const flippingBlock = z.object({
  file: text,
  first: count,
  last: count,
  lines: count,
  branches: count,
  covered: count.meta({ description: 'How many of the `known` states are covered.' }),
  known: count,
  states: text.meta({ description: 'The last 50 builds, newest first: 1 covered, 0 missed, ? unknown.' }),
  flipped_in: ledgerBuild,
  lost_since: ledgerBuild.meta({ description: 'The first build of a row of misses that is too long for chance.' }),
});

export const flag = z.object({
  name: text,
  covered_percent: percent,
  coverage_change: points,
  changes_percent: percent
    .exactOptional()
    .meta({ description: 'For its changed lines, if the repo’s coverage.yml has a rule for them.' }),
  verdict: partVerdict,
  cause: cause.nullable(),
  carried_from: z.object({ build: id, commit_sha: text.nullable(), closed_at: time }).nullable(),
}) satisfies z.ZodType<FlagJson>;

export const group = z.object({
  id: text.meta({ description: 'Its name in URLs.' }),
  name: text,
  digest: text.meta({ description: 'Changes whenever its patterns change.' }),
  files: count,
  touched: z.boolean().meta({ description: 'Whether the change touches one of its files.' }),
  covered_percent: percent,
  coverage_change: points,
  ...counts,
  changes_percent: percent.meta({ description: 'For its changed lines.' }),
  verdict: partVerdict.nullable().meta({ description: 'Null if it has no rule.' }),
}) satisfies z.ZodType<GroupJson>;

const owner = z.object({
  owner: text.nullable().meta({ description: 'As in CODEOWNERS; null for the files that nobody owns.' }),
  covered_percent: percent,
  coverage_change: points,
  ...counts,
  files: count,
}) satisfies z.ZodType<OwnerJson>;

const brokenFile = z.object({
  path: text,
  commit_sha: text.nullable(),
  problems: count,
  line: count,
  message: text,
});

export const judgedRules = z.object({
  file: z.object({ path: text, commit_sha: text.nullable(), digest: text }).nullable(),
  broken: brokenFile
    .nullable()
    .meta({ description: 'The invalid file at the base; `file` is then the last valid one.' }),
  proposal: z
    .object({
      path: text,
      commit_sha: text,
      changes: z.array(z.object({ key: text, from: text.nullable(), to: text.nullable() })),
      more: count,
      broken: brokenFile.nullable(),
      would: z.enum(['success', 'failure', 'incomplete', 'error']).nullable(),
    })
    .nullable()
    .meta({ description: 'How the change edits the file. It takes effect after the merge.' }),
  owners_available: z.boolean(),
  values: z.array(
    z.object({
      key: text,
      value: text,
      from: z.enum(['file', 'settings', 'server', 'default']),
      line: count.nullable(),
    }),
  ),
}) satisfies z.ZodType<JudgedRulesJson>;

const remedy = z.object({
  count,
  unit: z.enum(['changed-lines', 'changed-code', 'lines', 'code']),
  sentence: text,
}) satisfies z.ZodType<RemedyJson>;

export const check = z.object({
  id: text.meta({ description: '`total`, `changes`, or `flag:<name>`.' }),
  kind: z.enum(CHECK_KINDS),
  name: text.nullable(),
  ...partVerdictFields,
  required: z.boolean().meta({ description: 'If false, it is shown, but `overall` does not depend on it.' }),
  covered_percent: percent,
  coverage_change: points,
  remedy: remedy.nullable().meta({ description: 'What would make it pass.' }),
}) satisfies z.ZodType<CheckJson>;

const checkIds = z.array(text).meta({ description: `Ids of checks, at most ${MAX_LISTED}.` });
export const overall = z.object({
  state: z.enum(['error', 'failure', 'incomplete', 'pending', 'success']),
  sentence: text,
  failing: checkIds,
  failing_count: count,
  would_fail: checkIds,
  would_fail_count: count,
  passing_count: count,
  accepted: z.literal(true).exactOptional(),
}) satisfies z.ZodType<OverallJson>;

/** Unchanged lines that were covered in the base and are missed now, as first and last line. */
const lost = {
  lost: z.array(z.tuple([count, count])),
  lost_ranges: count,
  lost_branches: z.array(count),
  lost_branch_lines: count,
};

const patchFile = z.object({
  name: text,
  covered_percent: percent,
  ...counts,
  uncovered: z.array(z.tuple([count, count])).meta({ description: 'First and last line, from 1, both included.' }),
  uncovered_ranges: count,
});

const toCover = z
  .object({
    check: text,
    files: z.array(patchFile.extend({ flag_name: text.nullable() })),
    more_files: count,
  })
  .meta({ description: 'Only with `check` in the query.' }) satisfies z.ZodType<ToCoverJson>;

export const patch = z.object({
  covered_percent: percent,
  ...counts,
  files: z.array(patchFile),
  file_count: count,
  unmeasured: z.array(text),
  unmeasured_count: count,
  not_measured: z.object({ files: count, lines: count }),
  complete: z.boolean(),
  source: z.enum(['provider', 'upload']),
  verdict: partVerdict.nullable(),
}) satisfies z.ZodType<PatchJson>;

const importedFrom = z
  .enum(Object.keys(HISTORY_SOURCES) as [HistorySource, ...HistorySource[]])
  .meta({ description: 'Where an imported build comes from.' });
export const imported = z.object({
  from: importedFrom,
  at: time,
  detail: z.enum(['lines', 'counts', 'percentage']).meta({ description: 'What is known of it.' }),
  shown_percent: percent.meta({ description: 'What was shown there; null if nothing was shown.' }),
  partial_lines: count.nullable().meta({ description: 'Lines that are partly covered, as counted there.' }),
});

const buildFacts = {
  id,
  url: address,
  number: text,
  service_number: text.nullable(),
  state: z.enum(['open', 'closed']),
  closed_by: z.enum(['job', 'webhook', 'deadline', 'provider']).nullable(),
  repo_name: text,
  badge_url: address,
  branch: text.nullable(),
  commit_sha: text.nullable(),
  commit_message: text.nullable(),
  committer_name: text.nullable(),
  committer_email: text.nullable(),
  pull_request: z.int().nullable(),
  created_at: time,
  closed_at: time.nullable(),
  covered_percent: percent,
  coverage_change: points,
  ...nullableCounts,
  verdict: verdict.nullable().meta({ description: 'For the total.' }),
  overall: overall.meta({ description: 'For all checks together.' }),
  landed: z
    .object({
      branch: text,
      commit_sha: text,
      how: z.enum(['merge-queue', 'same-commit', 'same-tree']),
      at: time,
    })
    .nullable(),
  acceptance: z.object({ by: text, at: time, reason: text, holds: z.boolean() }).exactOptional(),
  provisional_since: time.nullable(),
  unverified: z.boolean(),
  unverified_reason: z.enum(['no-secret', 'fork', 'not-answered', 'access-denied', 'not-confirmed']).nullable(),
  expected_jobs: z.object({ expected: z.int(), arrived: z.int() }).exactOptional(),
  imported: imported.exactOptional(),
};

export const listedBuild = z.object(buildFacts);

const part = z.object({ page: count, pages: count, total: count, next: address.nullable() });

const setAside = z.object({ at: time, attempts: count, reason: text });

export const build = z.object({
  ...buildFacts,
  set_aside: setAside.exactOptional(),
  base: z.object({ build: id, commit_sha: text.nullable(), rule: text, commits_away: count.nullable() }).nullable(),
  is_base: z.object({
    may_be: z.enum(['yes', 'fallback', 'no']),
    reason: z.enum(['open', 'unverified', 'excluded', 'cannot-merge', 'no-percentage', 'incomplete']).nullable(),
    explanation: text,
  }),
  patch: patch.nullable(),
  lost: z.array(z.object({ name: text, ...lost })),
  flips: z
    .object({ branch: text, missed: z.array(flippingBlock) })
    .nullable()
    .meta({ description: 'Which of the lines in `lost` flip without a change, or used to.' }),
  cause: cause.nullable(),
  checks: z.array(check).meta({ description: 'Failing ones first.' }),
  flags: z.array(flag),
  groups: z.array(group),
  owners: z.array(owner),
  rules: judgedRules.nullable(),
  jobs: z.array(
    z.object({
      number: text,
      flag_name: text.nullable(),
      service_job_id: text.nullable(),
      covered_percent: percent,
      url: address,
    }),
  ),
  warnings: z.array(text),
  to_cover: toCover.exactOptional(),
  paging: z.object({ flags: part, jobs: part }).exactOptional(),
}) satisfies z.ZodType<BuildJson>;

export const buildList = z
  .object({ page: count, pages: count, total: count, builds: z.array(listedBuild) })
  .extend(listedBuild.partial().shape)
  .meta({ description: 'Without `page` in the query, the keys of the newest build are beside the list.' });

export const job = z.object({
  id,
  url: address,
  number: text,
  build: id,
  build_url: address,
  repo_name: text,
  flag_name: text.nullable(),
  service_name: text,
  service_job_id: text.nullable(),
  commit_sha: text.nullable(),
  branch: text.nullable(),
  parallel: z.boolean(),
  run_at: time,
  created_at: time,
  covered_percent: percent,
  ...counts,
  warnings: z.array(text),
}) satisfies z.ZodType<JobJson>;

export const acceptedJob = z.object({
  message: text.meta({ description: '`Job #<build>.<n>`' }),
  url: address,
}) satisfies z.ZodType<JobAnswer>;
export const acceptedClose = z.object({
  done: z.literal(true),
  url: address,
  jobs: count,
}) satisfies z.ZodType<CloseAnswer>;

export const fileList = z.object({
  page: count,
  total_pages: count,
  total: count,
  source_files: text.meta({ description: 'A list as JSON text: the name, covered_percent and counts of each file.' }),
});
export const lineHits = z.array(count.nullable()).meta({ description: 'For each line; null if it is not relevant.' });

const settingsFields = (setAt: 'repo' | undefined) =>
  Object.fromEntries(
    ALL_SETTINGS.filter((setting) => (setting.setAt === 'repo') === (setAt === 'repo')).map((setting) => [
      setting.key,
      answeredForm(setting),
    ]),
  );
const repoFields = {
  service: z.enum(REPO_SERVICES),
  name: text,
  ...settingsFields('repo'),
  created_at: time,
  updated_at: time,
};
export const newRepo = z.object({ repo: z.object({ ...repoFields, id: z.int(), token: text }) });
export const changedRepo = z.object({ repo: z.object(repoFields) });
export const repo = z.object({
  ...repoFields,
  id: z.int(),
  has_badge: z.boolean(),
  token: text.exactOptional(),
  token_last_used_at: time.nullable().exactOptional(),
  token_last_client: text.nullable().exactOptional().meta({ description: 'The name that the client sends.' }),
  badge_token: text.exactOptional(),
  warnings: z.array(text),
});
export const repoList = z.object({
  page: count,
  pages: count,
  total: count,
  repos: z.array(z.object({ ...repoFields, id: z.int(), url: address })),
});
export const webhook = z.object({
  webhook: z.object({ result: z.enum(['made', 'repaired', 'unchanged']), address: text }),
});
export const newToken = z.object({ token: text, old_token_valid_until: time.nullable() });

export const settings = z.object({
  ...settingsFields(undefined),
  effective: z.object({
    default_branches: z.array(text),
    default_branch_from: text,
    visibility: text,
    visibility_from: text,
    accept_forks: z.boolean(),
  }),
});

export const exclusion = z.object({
  id,
  excluded: z.boolean(),
  excluded_by: text.nullable(),
  excluded_at: time.nullable(),
});
export const acceptance = z.object({
  id,
  accepted: z.boolean(),
  accepted_by: text.nullable(),
  accepted_at: time.nullable(),
  reason: text.nullable(),
});
export const setAsideList = z.object({
  builds: z.array(z.object({ id, url: address, number: text, service: text, repo_name: text, set_aside: setAside })),
});
export const eventOutcome = z.object({
  event: text,
  outcome: z.enum(['heard', 'unknown-repo', 'ignored']),
  effects: z.array(z.unknown()),
});
export const health = z.object({ status: z.literal('ok') });
export const liveness = health.extend({
  identity: text.exactOptional().meta({ description: 'With `?identity`; the same for all instances of this server.' }),
});
const examination = z.object({
  status: z.enum(['ok', 'warning', 'failed']).meta({ description: 'The worst of the checks.' }),
  checks: z.array(
    z.object({
      name: text,
      state: z.enum(['ok', 'warning', 'failed', 'skipped']),
      seen: text,
      remedy: text.nullable().meta({ description: 'What to do.' }),
    }),
  ),
});
export const readiness = z.union([health, examination]);
export const welcome = z.object({ message: text, url: address });

const comparedSide = z.object({
  build: id,
  url: address,
  branch: text.nullable(),
  commit_sha: text.nullable(),
  covered_percent: percent,
  ...counts,
});
const comparedPercents = { covered_percent: percent, base_covered_percent: percent };
export const comparison = z.object({
  service: text,
  name: text,
  base: comparedSide,
  head: comparedSide,
  coverage_change: points,
  diff_known: z.boolean().meta({ description: 'Whether the lines that changed between the two are known.' }),
  parts: cause.shape.parts,
  flags: z.array(z.object({ name: text, ...comparedPercents })),
  groups: z.array(z.object({ name: text, ...comparedPercents })),
  files: z.array(
    z.object({
      name: text,
      kind: z.enum(['changed', 'added', 'removed', 'newly-measured', 'no-longer-measured', 'elsewhere']),
      ...comparedPercents,
      ...lost,
    }),
  ),
  file_count: count,
  lost_files: count,
  gained_files: count,
});

const trendPoint = z.object({
  at: time,
  build_id: z.int(),
  url: address,
  commit_sha: text.nullable(),
  covered_percent: percent,
  coverage_change: points,
  ...counts,
  verdict: partVerdictFields.state,
  rule: text,
  informational: z.boolean(),
  carried: z.boolean().exactOptional().meta({ description: 'For a flag: whether its report was carried forward.' }),
  imported_from: importedFrom.exactOptional(),
});
export const trend = z.object({
  service: text,
  name: text,
  branch: text.nullable(),
  flag: text.nullable(),
  from: time,
  to: time,
  points: z.array(trendPoint),
});

export const refusedUploads = z.object({
  refused: z.array(
    z.object({
      code: text,
      message: text,
      field: text.nullable(),
      client: text.nullable(),
      count,
      proven: z.boolean(),
      first_at: time,
      last_at: time,
    }),
  ),
});

export const uploadSettings = z.object({
  send_source: z.enum(['all', 'none']),
}) satisfies z.ZodType<UploadSettingsJson>;

export const checkedFile = z.object({
  valid: z.boolean(),
  problems: z
    .array(z.object({ line: count, column: count, message: text }))
    .optional()
    .meta({ description: 'What is wrong, in the order of the lines. Absent if it is valid.' }),
  file: z.record(text, z.unknown()).optional().meta({ description: 'Its content, as it was read.' }),
});

const memberFields = {
  account: z.int(),
  name: text.nullable(),
  role: z.enum(['reader', 'maintainer']),
  added_by: text,
  added_at: time,
};
export const members = z.object({ members: z.array(z.object(memberFields)) });
export const member = z.object({ member: z.object(memberFields) });

const shareLinkFields = {
  id: z.int(),
  name: text,
  source: z.boolean(),
  created_by: text,
  created_at: time,
  expires_at: time,
};
export const shareLinks = z.object({ share_links: z.array(z.object(shareLinkFields)) });
export const newShareLink = z.object({ share_link: z.object({ ...shareLinkFields, token: text, url: address }) });

const auditAccount = z.object({ id: z.int(), issuer: text.nullable(), subject: text.nullable() });
export const auditEntry = z.object({
  id: z.int(),
  at: time,
  action: z.enum(AUDIT_ACTIONS),
  by: z.object({
    kind: z.enum(['account', 'token', 'admin-token', 'command-line', 'repo-token', 'provider', 'unknown']),
    account: auditAccount.nullable().meta({ description: 'Without issuer and subject after the person was erased.' }),
    token_id: z.int().nullable(),
    service: text.nullable(),
  }),
  address: text.nullable().meta({ description: 'The IP address that this server sees behind its trusted proxies.' }),
  repo: z.object({ id: z.int(), name: text }).nullable(),
  build_id: id.nullable(),
  account: auditAccount.nullable(),
  token_id: z.int().nullable(),
  share_link_id: z.int().nullable(),
  before: z.looseObject({}).nullable(),
  after: z.looseObject({}).nullable(),
  omitted_before: count.meta({ description: 'Sign-ins before this one that were not logged.' }),
  confirmed: z
    .boolean()
    .meta({ description: 'If false, the entry was written, but the change may not have been made.' }),
});
export const auditPage = z.object({ entries: z.array(auditEntry), next_before: z.int().nullable() });

export const preview = z.object({
  passes: z.boolean().meta({ description: 'False if a commit status would not succeed.' }),
  verdict,
  overall,
  checks: z.array(check),
  sentence: text.meta({ description: "What the build's commit status will say." }),
  statuses: z.array(z.object({ context: text, state: z.enum(['success', 'failure', 'error']), description: text })),
  covered_percent: percent,
  coverage_change: points,
  ...counts,
  base: z
    .object({
      build: id,
      url: address,
      commit_sha: text.nullable(),
      rule: text,
      commits_away: count.nullable(),
      chosen: text.meta({ description: 'How it was chosen, to end a sentence with.' }),
      covered_percent: percent,
    })
    .nullable(),
  patch: patch.nullable(),
  cause: cause.nullable(),
  remedies: z.array(remedy.extend({ of: text.meta({ description: '`build`, `patch`, or `flag:<name>`.' }) })),
  flags: z.array(flag),
  files: z.array(
    z.object({
      name: text,
      kind: z.enum(['changed', 'added', 'removed', 'newly-measured', 'no-longer-measured', 'elsewhere']),
      covered_percent: percent,
      base_covered_percent: percent,
      uncovered: z.array(z.tuple([count, count])),
      uncovered_ranges: count,
      ...lost,
    }),
  ),
  file_count: count,
  warnings: z.array(text),
  wanted_diffs: z.array(z.object({ base_sha: text, head_sha: text })),
}) satisfies z.ZodType<PreviewJson>;

const forgivenBuild = z.object({
  build: id,
  url: address,
  commit_sha: text.nullable(),
  pull_request: count.nullable(),
});

export const flipping = z.object({
  branch: text.nullable(),
  builds: count.meta({ description: 'Recorded builds of the branch, at most 64.' }),
  complete: z
    .boolean()
    .meta({ description: 'If false, more lines changed at once in one of the last 50 builds than can be recorded.' }),
  usually_missed: z
    .tuple([count, count])
    .meta({ description: 'The smallest and largest number of blocks that 99.9% of builds miss.' }),
  total: count,
  usually_worth: points.meta({ description: 'What that number of the largest blocks is worth.' }),
  blocks: z.array(
    flippingBlock.extend({
      forgiven_in: z
        .array(forgivenBuild)
        .meta({ description: 'Builds that miss it but passed, because only such lines would have made them fail.' }),
    }),
  ),
});
