import { z } from 'zod';
import { cause } from './build-parts.ts';
import {
  address,
  count,
  counts,
  flippingBlock,
  id,
  importedFrom,
  lost,
  partVerdictFields,
  percent,
  points,
  text,
  time,
} from './forms.ts';

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
  group: text.nullable(),
  from: time,
  to: time,
  points: z.array(trendPoint),
});

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
