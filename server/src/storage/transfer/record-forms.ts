import { z } from 'zod';
import type { Job, JobFacts } from '../../core/builds/job.ts';
import { REPO_SERVICES, type Repo } from '../../core/repo/repo.ts';
import type { Setting, Values } from '../../core/repo/setting.ts';
import { ALL_SETTINGS } from '../../core/repo/settings.ts';
import type { StoredFact } from '../repo-transfers.ts';
import { buildForm, type ExportedBuild } from './build-form.ts';
import {
  authors,
  count,
  type FormsOf,
  flag,
  form,
  id,
  is,
  link,
  list,
  percent,
  sentDiff,
  sentRules,
  sha256,
  text,
  time,
  totals,
  trust,
  vouchedRun,
} from './plain-forms.ts';

export type ExportedJob = Omit<Job, 'repoId'>;
export type ExportedRepo = Omit<Repo, 'id' | 'owner' | 'accessLost' | 'hostToken'> & { readonly lastSequence: number };

const jobForm = form({
  id,
  buildId: id,
  number: id,
  facts: form({
    serviceName: text,
    serviceNumber: text.optional(),
    serviceJobId: text.optional(),
    serviceRun: text.optional(),
    serviceJobNumber: text.optional(),
    serviceAttempt: count,
    serviceEventType: text.optional(),
    pullRequest: count.optional(),
    flag: text.optional(),
    parallel: flag,
    expectedJobs: count.optional(),
    commit: text.optional(),
    testedCommit: text.optional(),
    branch: text.optional(),
    tag: flag,
    mergeQueue: flag,
    baseBranch: text.optional(),
    baseCommit: text.optional(),
    compareRef: text.optional(),
    compareCommit: text.optional(),
    message: text.optional(),
    remotes: text.optional(),
    authors,
    buildUrl: link.optional(),
    jobUrl: link.optional(),
    runAt: time.optional(),
    diff: sentDiff.optional(),
    rulesFile: sentRules.nullable().optional(),
    trust,
    vouchedRun: vouchedRun.optional(),
  } satisfies FormsOf<JobFacts>),
  totals,
  files: count,
  contentDigest: sha256,
  warnings: list(text),
  createdAt: time,
} satisfies FormsOf<ExportedJob>);

const statusNames = form({ build: text, flag: text, patch: text });
const SETTING_FORMS = {
  switch: flag,
  limit: percent.nullable(),
  'limit-or-base': z.union([percent, is('base')]).nullable(),
  count,
  duration: count,
  branch: text,
  flags: list(text),
  'flag-settings': list(
    form({ flag: text, minimum: percent.nullable(), allowedDrop: percent.nullable(), informational: flag }),
  ),
  'status-names': statusNames,
  'former-names': list(form({ names: statusNames.optional(), at: time })),
  'ratchet-reset': form({ at: time, by: text, reason: text }),
} satisfies FormsOf<Values>;
const settingsForm = form(Object.fromEntries(ALL_SETTINGS.map((setting) => [setting.name, storedForm(setting)])));

function storedForm(setting: Setting): z.ZodType {
  const stored = setting.kind === 'choice' ? z.enum(Object.keys(setting.choices)) : SETTING_FORMS[setting.kind];
  // What an earlier version did not know, the store completes.
  return stored.optional();
}

const seenForm = form({
  defaultBranch: text,
  visibility: z.enum(['private', 'public']),
  at: time,
  changedAt: time.optional(),
});
const repoForm = form({
  service: z.enum(REPO_SERVICES),
  name: text,
  settings: settingsForm,
  providerId: text.optional(),
  suspended: text.optional(),
  seen: seenForm.optional(),
  createdAt: time,
  updatedAt: time,
  lastSequence: count,
} satisfies FormsOf<ExportedRepo>);
const factForm = form({ key: text, at: time, value: z.unknown() });

/** Each reads a line, already parsed; it throws for one that no export writes. */
export const readBuild = (line: unknown): ExportedBuild => buildForm.parse(line) as ExportedBuild;
export const readJob = (line: unknown): ExportedJob => jobForm.parse(line) as ExportedJob;
export const readRepo = (line: unknown): ExportedRepo => repoForm.parse(line) as ExportedRepo;

export function readFact(line: unknown): StoredFact {
  const { key, at, value } = factForm.parse(line);
  return { key, at, value: JSON.stringify(value ?? null) };
}
