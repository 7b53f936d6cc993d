import type {
  CauseJson,
  CheckJson,
  FlagJson,
  GroupJson,
  JudgedRulesJson,
  OverallJson,
  PartVerdictJson,
  PatchJson,
  VerdictJson,
} from '@coverage/shared';
import { z } from 'zod';
import { CHECK_KINDS, MAX_LISTED } from '../../../core/verdict/checks.ts';
import {
  count,
  counts,
  id,
  importedFrom,
  partVerdictFields,
  patchFile,
  percent,
  points,
  remedy,
  text,
  time,
} from './forms.ts';

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

const brokenFile = z.object({
  path: text,
  commit_sha: text.nullable(),
  problems: count,
  line: count,
  column: count.nullable().meta({ description: 'Null in what earlier versions judged.' }),
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

export const imported = z.object({
  from: importedFrom,
  at: time,
  detail: z.enum(['lines', 'counts', 'percentage']).meta({ description: 'What is known of it.' }),
  shown_percent: percent.meta({ description: 'What was shown there; null if nothing was shown.' }),
  partial_lines: count.nullable().meta({ description: 'Lines that are partly covered, as counted there.' }),
});
