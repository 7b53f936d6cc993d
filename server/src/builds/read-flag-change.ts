import { choiceOf } from '../closing/gather-rules.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { countedJobsOfFlag } from '../core/builds/counted-jobs.ts';
import { createFileChooser } from '../core/builds/file-choice.ts';
import { findPatch } from '../core/builds/patch-result.ts';
import type { FileCoverage, Report } from '../core/coverage/file-coverage.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import { compareNames, mergeReports } from '../core/coverage/merge.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { ReportReader } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findChange } from './find-change.ts';
import { readBuildRules } from './read-build-rules.ts';

/** The changed lines of a build as one flag alone measured them. */
export interface FlagChange {
  readonly flag: string;
  readonly patch: Omit<PatchResult, 'verdict'>;
  /** For the changed files alone. */
  readonly report: Report;
}

/** Limits: jobs of a build to search, jobs of a flag to read, changed files, and lines of each. */
const MAX = { listed: 200, jobs: 20, files: 300, lines: 20_000 };

/** Undefined if the change is unknown, or if no job of the build has the flag, or too many have it. */
export async function readFlagChange(
  services: Pick<Services, 'engine' | 'facts' | 'jobs' | 'reader'>,
  { build, repo, flag }: { readonly build: BuildView; readonly repo: Repo; readonly flag: string },
): Promise<FlagChange | undefined> {
  const { jobs, reader } = services;
  if (build.result === undefined || build.jobs > MAX.listed) return undefined;
  const { diff } = await findChange(services, build);
  if (diff === undefined) return undefined;
  const kept = diff.files.filter(({ kind }) => kind !== 'removed').map(({ name }) => normalizeFileName(name));
  const files = [...new Set(kept)].slice(0, MAX.files).map((name) => ({ name, offset: 0, limit: MAX.lines }));
  const listed = await jobs.list({ buildId: build.id, offset: 0, limit: MAX.listed });
  const own = countedJobsOfFlag(listed, build, flag);
  if (own.length === 0 || own.length > MAX.jobs) return undefined;
  const reports = await jobs.reports(own.map(({ id }) => id));
  const parts = await Promise.all(reports.map((report) => reader.readFiles({ report, files })));
  const judgedBy = await readBuildRules(services, { build, repo });
  const choose = createFileChooser(judgedBy && choiceOf(judgedBy.rules));
  const report = mergeReports(parts.map((some) => choose({ files: some.flatMap(toFile).toSorted(byName) }, flag)));
  return { flag, patch: findPatch({ report, base: undefined, diff }), report };
}

function toFile(part: Awaited<ReturnType<ReportReader['readFile']>>): readonly FileCoverage[] {
  if (part === undefined) return [];
  const { name, source, hits, branches } = part;
  return [{ name, digest: undefined, source, hits, branches }];
}

function byName(a: FileCoverage, b: FileCoverage): number {
  return compareNames(a.name, b.name);
}
