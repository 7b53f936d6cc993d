import { z } from 'zod';
import { MAX_REMARKS } from '../../core/builds/imported.ts';
import { count, form, historySource, sha256, text } from './plain-forms.ts';

/** Written last: a folder without it is not whole. */
export const MANIFEST = 'manifest.json';
/** As `sha256sum -c` reads it: a line for every other file. */
export const SUMS = 'SHA256SUMS';
export const REPO = 'repo.json';
export const BUILDS = 'builds.jsonl';
export const JOBS = 'jobs.jsonl';
export const FACTS = 'facts.jsonl';

const FORMAT = 'coverage-service-export';
/** A folder of a higher one is refused; a change that this program could not read makes it higher. */
export const VERSION = 2;
/** What an export without anything of a later version has, so that an earlier program reads it. */
const FIRST_VERSION = 1;

const KINDS = ['builds', 'jobs', 'sources', 'facts'] as const;
export type TransferKind = (typeof KINDS)[number];
export type TransferCounts = Readonly<Record<TransferKind, number>>;

function remarks<T extends z.ZodType>(item: T) {
  return z.array(item).max(MAX_REMARKS).optional();
}

const manifestForm = form({
  format: z.literal(FORMAT),
  version: z.union([z.literal(FIRST_VERSION), z.literal(VERSION)]),
  /** `<service>/<name>`. */
  repo: text,
  exportedAt: text,
  /** The server's version. */
  by: text,
  emails: z.boolean(),
  counts: form({ builds: count, jobs: count, sources: count, facts: count }),
  /** Builds that were open, and are not in it. */
  leftOut: count,
  /** For a history that another service had: its builds and jobs are not those of this program (history-forms.ts). */
  history: form({
    from: historySource,
    address: text,
    leftOut: remarks(form({ why: text, commits: count })),
    requests: count.optional(),
    notes: remarks(text),
  }).optional(),
  /** For SHA256SUMS. */
  sha256,
});
export type Manifest = Omit<z.infer<typeof manifestForm>, 'format' | 'version'>;

/** `needs`: the version that reads it. */
export function writeManifest(manifest: Manifest, needs: 'first' | 'latest' = 'latest'): string {
  const version = needs === 'first' ? FIRST_VERSION : VERSION;
  return `${JSON.stringify({ format: FORMAT, version, ...manifest }, null, 2)}\n`;
}

/** `newer`: a later version of this program wrote it. Undefined: it is no manifest. */
export function readManifest(json: unknown): Manifest | 'newer' | undefined {
  const newer = z.object({ format: z.literal(FORMAT), version: z.number().gt(VERSION) });
  if (newer.safeParse(json).success) return 'newer';
  return manifestForm.safeParse(json).data;
}

export function buildReportPath(buildId: number): string {
  return `reports/build-${buildId}.jsonl.gz`;
}

export function jobReportPath(jobId: number): string {
  return `reports/job-${jobId}.jsonl.gz`;
}

const DIFF = 'diff-';

/** Where a text is by the digest that reports and builds have; few texts to a folder. */
export function textPath(digest: string): string {
  const [folder, hex] = digest.startsWith(DIFF) ? ['diffs', digest.slice(DIFF.length)] : ['sources', digest];
  return `${folder}/${hex.slice(0, 2)}/${hex}.gz`;
}

/** The digest of such a path; undefined: it is of something else. */
export function digestOfPath(path: string): string | undefined {
  const [, folder, hex] = /^(diffs|sources)\/[0-9a-f]{2}\/([0-9a-f]{64})\.gz$/.exec(path) ?? [];
  return hex === undefined ? undefined : `${folder === 'diffs' ? DIFF : ''}${hex}`;
}

const REPORT_PATH = /^reports\/(?:build|job)-[1-9][0-9]{0,15}\.jsonl\.gz$/;

/** Whether an export may hold a file there: no path that a folder brings is opened otherwise. */
export function isPathOfExport(path: string): boolean {
  if ([REPO, BUILDS, JOBS, FACTS].includes(path) || REPORT_PATH.test(path)) return true;
  const digest = digestOfPath(path);
  return digest !== undefined && textPath(digest) === path;
}
