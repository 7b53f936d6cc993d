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
const percent = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .meta({ description: 'Unrounded; null where nothing is relevant.' });
const points = z.number().nullable().meta({ description: 'In percentage points, unrounded; null where unknown.' });
const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const id = text.meta({ description: 'A whole number as text.' });
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
      points: text.meta({ description: 'Percentage points as a decimal text.' }),
      commits: count.nullable().exactOptional().meta({ description: 'Only of `before`.' }),
      branch: text.nullable().exactOptional().meta({ description: 'Only of `before`.' }),
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
  covered: count.meta({ description: 'Of the `known` states.' }),
  known: count,
  states: text.meta({ description: 'The last 50 builds, the newest first: 1 covered, 0 missed, ? not known.' }),
  flipped_in: ledgerBuild,
  lost_since: ledgerBuild.meta({ description: 'The first of more missed builds in a row than chance makes.' }),
});

export const flag = z.object({
  name: text,
  covered_percent: percent,
  coverage_change: points,
  changes_percent: percent
    .exactOptional()
    .meta({ description: 'Of its changed lines, where the repo’s coverage.yml has a rule for them.' }),
  verdict: partVerdict,
  cause: cause.nullable(),
  carried_from: z.object({ build: id, commit_sha: text.nullable(), closed_at: time }).nullable(),
}) satisfies z.ZodType<FlagJson>;

export const group = z.object({
  id: text.meta({ description: 'What addresses call it.' }),
  name: text,
  digest: text.meta({ description: 'Another one where its patterns are others.' }),
  files: count,
  touched: z.boolean().meta({ description: 'Whether the change touches one of its files.' }),
  covered_percent: percent,
  coverage_change: points,
  ...counts,
  changes_percent: percent.meta({ description: 'Of its changed lines.' }),
  verdict: partVerdict.nullable().meta({ description: 'Null where it has no rule.' }),
}) satisfies z.ZodType<GroupJson>;

const owner = z.object({
  owner: text.nullable().meta({ description: 'As CODEOWNERS writes it; null: of the files that nobody owns.' }),
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
  broken: brokenFile.nullable().meta({ description: 'The file at the base; `file` is the last valid one then.' }),
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
    .meta({ description: 'What the change makes of the file. It takes effect after the merge.' }),
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
  required: z.boolean().meta({ description: 'False: shown, and `overall` does not depend on it.' }),
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
  .meta({ description: 'With `check` in the query alone.' }) satisfies z.ZodType<ToCoverJson>;

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
  shown_percent: percent.meta({ description: 'What was shown there; null where nothing was.' }),
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
  verdict: verdict.nullable().meta({ description: 'Of the total.' }),
  overall: overall.meta({ description: 'Of all checks.' }),
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
    .meta({ description: 'What flips without a change, or used to, among the lines in `lost`.' }),
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
  .meta({ description: 'Without `page` in the query the keys of the newest build stand beside the list.' });

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
  source_files: text.meta({ description: 'A list as JSON within a text: name, covered_percent and counts of each.' }),
});
export const lineHits = z.array(count.nullable()).meta({ description: 'Per line; null where it is not relevant.' });

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
  token_last_client: text.nullable().exactOptional().meta({ description: 'As the client calls itself.' }),
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
  identity: text.exactOptional().meta({ description: 'With `?identity`: the same for all instances of this server.' }),
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
  diff_known: z.boolean().meta({ description: 'Whether it is known which lines changed between the two.' }),
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
  carried: z.boolean().exactOptional().meta({ description: 'Of a flag: whether its report was carried forward.' }),
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
    .meta({ description: 'What is wrong, in the order of the lines. Absent where it is valid.' }),
  file: z.record(text, z.unknown()).optional().meta({ description: 'What it says, as it was read.' }),
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
    account: auditAccount.nullable().meta({ description: 'Without issuer and subject once the person was erased.' }),
    token_id: z.int().nullable(),
    service: text.nullable(),
  }),
  address: text.nullable().meta({ description: 'As this server sees it behind its trusted proxies.' }),
  repo: z.object({ id: z.int(), name: text }).nullable(),
  build_id: id.nullable(),
  account: auditAccount.nullable(),
  token_id: z.int().nullable(),
  share_link_id: z.int().nullable(),
  before: z.looseObject({}).nullable(),
  after: z.looseObject({}).nullable(),
  omitted_before: count.meta({ description: 'Sign-ins before this one that were not written.' }),
  confirmed: z.boolean().meta({ description: 'False: it was written, and the change may not have been made.' }),
});
export const auditPage = z.object({ entries: z.array(auditEntry), next_before: z.int().nullable() });

export const preview = z.object({
  passes: z.boolean().meta({ description: 'False where a commit status would not succeed.' }),
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
      chosen: text.meta({ description: 'How it was chosen, as the end of a sentence.' }),
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
  builds: count.meta({ description: 'Recorded builds of the branch, 64 at most.' }),
  complete: z
    .boolean()
    .meta({ description: 'False: in one of the last 50 builds more lines changed at once than are recorded.' }),
  usually_missed: z.tuple([count, count]).meta({ description: 'How many blocks all but a thousandth of builds miss.' }),
  total: count,
  usually_worth: points.meta({ description: 'What so many of the largest blocks are worth.' }),
  blocks: z.array(
    flippingBlock.extend({
      forgiven_in: z
        .array(forgivenBuild)
        .meta({ description: 'Builds that passed although they miss it, since only such lines made them fail.' }),
    }),
  ),
});
