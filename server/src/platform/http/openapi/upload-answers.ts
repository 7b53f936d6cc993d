import type { CloseAnswer, JobAnswer, PreviewJson, UploadSettingsJson } from '@coverage/shared';
import { z } from 'zod';
import { cause, check, flag, overall, patch, verdict } from './build-parts.ts';
import { address, count, counts, id, lost, percent, points, remedy, text } from './forms.ts';

export const acceptedJob = z.object({
  message: text.meta({ description: '`Job #<build>.<n>`' }),
  url: address,
}) satisfies z.ZodType<JobAnswer>;

export const acceptedClose = z.object({
  done: z.literal(true),
  url: address,
  jobs: count,
}) satisfies z.ZodType<CloseAnswer>;

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
