import type { RemedyJson } from '@coverage/shared';
import { z } from 'zod';
import { HISTORY_SOURCES, type HistorySource } from '../../../core/builds/imported.ts';

// What the shapes of several answers are made of. None of these has a name in the description of the API.

export const text = z.string();
export const count = z.int().min(0);

export const percent = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .meta({ description: 'Unrounded; null if nothing is relevant.' });
export const points = z.number().nullable().meta({ description: 'In percentage points, unrounded; null if unknown.' });
export const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
export const id = text.meta({ description: 'An integer as text.' });
export const address = z.url();

export const counts = {
  covered_lines: count,
  missed_lines: count,
  relevant_lines: count,
  covered_branches: count,
  missed_branches: count,
  relevant_branches: count,
};

export const nullableCounts = Object.fromEntries(Object.keys(counts).map((name) => [name, count.nullable()])) as Record<
  keyof typeof counts,
  z.ZodNullable<z.ZodInt>
>;

export const partVerdictFields = {
  state: z.enum(['success', 'failure', 'incomplete', 'error']),
  rule: text,
  explanation: text,
  informational: z.literal(true).exactOptional(),
  accepted: z.literal(true).exactOptional(),
};

export const ledgerBuild = z.object({ build: id, url: address, commit_sha: text, closed_at: time }).nullable();

export const flippingBlock = z.object({
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

export const remedy = z.object({
  count,
  unit: z.enum(['changed-lines', 'changed-code', 'lines', 'code']),
  sentence: text,
}) satisfies z.ZodType<RemedyJson>;

/** Unchanged lines that were covered in the base and are missed now, as first and last line. */
export const lost = {
  lost: z.array(z.tuple([count, count])),
  lost_ranges: count,
  lost_branches: z.array(count),
  lost_branch_lines: count,
};

export const patchFile = z.object({
  name: text,
  covered_percent: percent,
  ...counts,
  uncovered: z.array(z.tuple([count, count])).meta({ description: 'First and last line, from 1, both included.' }),
  uncovered_ranges: count,
});

export const importedFrom = z
  .enum(Object.keys(HISTORY_SOURCES) as [HistorySource, ...HistorySource[]])
  .meta({ description: 'Where an imported build comes from.' });

export const setAside = z.object({ at: time, attempts: count, reason: text });
