import type { BuildJson, JobJson, OwnerJson, ToCoverJson } from '@coverage/shared';
import { z } from 'zod';
import { cause, check, flag, group, imported, judgedRules, overall, patch, verdict } from './build-parts.ts';
import {
  address,
  count,
  counts,
  flippingBlock,
  id,
  lost,
  nullableCounts,
  patchFile,
  percent,
  points,
  setAside,
  text,
  time,
} from './forms.ts';

const owner = z.object({
  owner: text.nullable().meta({ description: 'As in CODEOWNERS; null for the files that nobody owns.' }),
  covered_percent: percent,
  coverage_change: points,
  ...counts,
  files: count,
}) satisfies z.ZodType<OwnerJson>;

const toCover = z
  .object({
    check: text,
    files: z.array(patchFile.extend({ flag_name: text.nullable() })),
    more_files: count,
  })
  .meta({ description: 'Only with `check` in the query.' }) satisfies z.ZodType<ToCoverJson>;

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

export const fileList = z.object({
  page: count,
  total_pages: count,
  total: count,
  source_files: text.meta({ description: 'A list as JSON text: the name, covered_percent and counts of each file.' }),
});

export const lineHits = z.array(count.nullable()).meta({ description: 'For each line; null if it is not relevant.' });

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
