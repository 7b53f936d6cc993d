import { baseStanding } from '../../core/builds/base-standing.ts';
import type { FileChange, FlagResult } from '../../core/builds/build.ts';
import type { PatchResult } from '../../core/builds/build-facts.ts';
import type { BuildSummary } from '../../core/builds/build-summary.ts';
import { filesWithLostLines } from '../../core/builds/file-changes.ts';
import { unverifiedReason } from '../../core/builds/run-origin.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import type { ChangeCause, FlagVerdict } from '../../core/verdict/verdict.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Paged } from '../../platform/paging.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import { describeStanding } from '../../wording/base-words.ts';
import { readWarnings } from '../../wording/build-warnings.ts';
import { describeCause } from '../../wording/change-words.ts';
import type { FoundBuild } from '../find-readable.ts';
import type { LinesOfChecks } from '../read-lines-of-checks.ts';
import type { ShownBuild } from '../show-build.ts';
import { checksJson, overallJson, partVerdictJson, rulesJson, setAsideJson } from './build-parts-json.ts';
import { flipsJson } from './flipping-json.ts';
import { buildPercentJson, countsJson, importedJson, percentJson, ratioJson } from './percentages.ts';

/** `GET /builds/<id or sha>.json`. E-mail addresses are null unless the caller is trusted with them (rule 30). */
export function presentBuild(
  shown: ShownBuild,
  addresses: Addresses,
  options: { readonly showEmail: boolean; readonly toCover?: LinesOfChecks | undefined },
): Answer<'build'> {
  const { build, flags, jobs } = shown;
  const { result } = build;
  return {
    ...presentBuildFacts(shown, addresses, options),
    ...setAsideJson(build),
    base: baseJson(build),
    is_base: isBaseJson(build),
    patch: patchJson(result?.patch),
    lost: (result ? filesWithLostLines(result) : []).map((change) => ({ name: change.name, ...lostJson(change) })),
    flips: flipsJson(shown.flips, addresses),
    cause: causeJson(result),
    checks: result ? checksJson({ ...result, flags: flags.entries }) : [],
    flags: flags.entries.map(presentFlag),
    ...rulesJson(result),
    jobs: jobs.entries.map((job) => ({
      number: `${build.number}.${job.number}`,
      flag_name: job.facts.flag ?? null,
      service_job_id: job.facts.serviceJobId ?? null,
      covered_percent: percentJson(job.totals),
      url: addresses.job(job.id),
    })),
    warnings: readWarnings({ ...shown, jobs: jobs.entries, deliveries: shown.parked }),
    ...(options.toCover && { to_cover: toCoverJson(options.toCover) }),
    ...pagingJson(shown, addresses),
  };
}

type Part = NonNullable<Answer<'build'>['paging']>['flags'];

/** Only of a build whose flags or jobs do not fit into one answer: which of them these are. */
function pagingJson({ build, flags, jobs }: ShownBuild, addresses: Addresses): Pick<Answer<'build'>, 'paging'> {
  if ([flags, jobs].every(({ page, pages }) => page === 1 && pages <= 1)) return {};
  const address = (pages: { readonly flags: number; readonly jobs: number }): string =>
    `${addresses.build(build.id)}.json?flags_page=${pages.flags}&jobs_page=${pages.jobs}&per_page=${flags.size}`;
  const here = { flags: flags.page, jobs: jobs.page };
  const part = (list: 'flags' | 'jobs', { page, pages, total }: Paged): Part => {
    const next = page < pages ? address({ ...here, [list]: page + 1 }) : null;
    return { page, pages, total, next };
  };
  return { paging: { flags: part('flags', flags), jobs: part('jobs', jobs) } };
}

/** What a list says of a build, without what hangs on it. */
export function presentBuildFacts(
  { build, repo }: Pick<FoundBuild, 'build' | 'repo'>,
  addresses: Addresses,
  options: { readonly showEmail: boolean },
): Answer<'listedBuild'> {
  const { result } = build;
  return {
    id: String(build.id),
    url: addresses.build(build.id),
    number: build.number,
    service_number: build.serviceNumber ?? null,
    state: build.state,
    closed_by: result?.closedBy ?? null,
    repo_name: repo.name,
    badge_url: addresses.badge(repo.service, repo.name),
    branch: build.branch ?? null,
    commit_sha: build.commit ?? null,
    commit_message: build.message ?? null,
    committer_name: build.authors.committerName ?? null,
    committer_email: options.showEmail ? (build.authors.committerEmail ?? null) : null,
    pull_request: build.pullRequest ?? null,
    created_at: new Date(build.createdAt).toISOString(),
    closed_at: timeJson(result?.closedAt),
    covered_percent: buildPercentJson(result?.totals, build.imported),
    // Rule 13: never a drop where something did not report.
    coverage_change:
      result?.verdict.state === 'incomplete' ? null : ratioJson(changeOf(result?.totals, result?.baseTotals)),
    ...(result && build.imported?.detail !== 'percentage' ? countsJson(result.totals) : NO_COUNTS),
    verdict: verdictJson(build),
    overall: overallJson(build),
    ...acceptanceJson(build),
    landed: landedJson(build),
    provisional_since: timeJson(result?.provisionalSince),
    unverified: build.trust === 'run',
    unverified_reason: build.trust === 'run' ? unverifiedReason(build) : null,
    ...expectedJobsJson(build),
    ...importedJson(build.imported),
  };
}

function expectedJobsJson({ expectedJobs: stated }: BuildSummary): Pick<Answer<'listedBuild'>, 'expected_jobs'> {
  return stated === undefined ? {} : { expected_jobs: { expected: stated.jobs, arrived: stated.arrived } };
}

const NO_COUNTS = {
  covered_lines: null,
  missed_lines: null,
  relevant_lines: null,
  covered_branches: null,
  missed_branches: null,
  relevant_branches: null,
} as const;

export function verdictJson(build: BuildSummary): Answer<'verdict'> | null {
  const verdict = build.result?.verdict;
  if (verdict === undefined) return null;
  return { ...partVerdictJson(verdict, build.result?.cause), provisional: verdict.provisional };
}

function acceptanceJson({ result }: BuildSummary): Pick<Answer<'listedBuild'>, 'acceptance'> {
  const acceptance = result?.acceptance;
  return acceptance ? { acceptance: { ...acceptance, at: new Date(acceptance.at).toISOString() } } : {};
}

function landedJson({ landed }: BuildSummary): Answer<'listedBuild'>['landed'] {
  if (landed === undefined) return null;
  return { branch: landed.branch, commit_sha: landed.commit, how: landed.how, at: new Date(landed.at).toISOString() };
}

function timeJson(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

export function baseJson(build: BuildSummary): Answer<'build'>['base'] {
  const base = build.result?.base;
  if (base === undefined) return null;
  return {
    build: String(base.buildId),
    commit_sha: base.commit ?? null,
    rule: base.rule,
    commits_away: base.commitsAway ?? null,
  };
}

function isBaseJson(build: BuildSummary): Answer<'build'>['is_base'] {
  const { mayBe, reason = null } = baseStanding(build);
  return { may_be: mayBe, reason, explanation: describeStanding(build) };
}

export function patchJson(patch: PatchResult | undefined): Answer<'patch'> | null {
  if (patch === undefined) return null;
  return {
    covered_percent: percentJson(patch.totals),
    ...countsJson(patch.totals),
    files: patch.files.map(patchFileJson),
    file_count: patch.fileCount,
    unmeasured: patch.unmeasured,
    unmeasured_count: patch.unmeasuredCount,
    not_measured: patch.notMeasured ?? { files: 0, lines: 0 },
    complete: patch.complete,
    source: patch.source ?? 'provider',
    verdict: patch.verdict ? partVerdictJson(patch.verdict) : null,
  };
}

function patchFileJson({ name, totals, uncovered, uncoveredRanges }: PatchResult['files'][number]) {
  return {
    name,
    covered_percent: percentJson(totals),
    ...countsJson(totals),
    uncovered,
    uncovered_ranges: uncoveredRanges,
  };
}

function toCoverJson({ selected, lines }: LinesOfChecks): NonNullable<Answer<'build'>['to_cover']> {
  const files = lines?.files ?? [];
  return {
    check: selected,
    files: files.map(({ file, flag }) => ({ ...patchFileJson(file), flag_name: flag ?? null })),
    more_files: lines?.left ?? 0,
  };
}

/** The unchanged lines of a file that were covered in the base and are missed now, or lost a branch (rule 25). */
export function lostJson({
  newlyMissed = [],
  newlyMissedRanges = 0,
  newlyPartly = [],
  newlyPartlyLines = 0,
}: FileChange): Omit<Answer<'build'>['lost'][number], 'name'> {
  return {
    lost: newlyMissed,
    lost_ranges: newlyMissedRanges,
    lost_branches: newlyPartly,
    lost_branch_lines: newlyPartlyLines,
  };
}

export function causeJson(
  judged: { readonly cause?: ChangeCause | undefined; readonly verdict: FlagVerdict } | undefined,
): Answer<'cause'> | null {
  if (judged?.cause === undefined) return null;
  const { sentence, parts } = describeCause(judged.cause, judged.verdict);
  if (sentence === '' && parts.length === 0) return null;
  return {
    sentence,
    parts: parts.map(({ part, points, before }) => ({
      part,
      points,
      ...(before && { commits: before.commits ?? null, branch: before.branch ?? null }),
    })),
  };
}

export function presentFlag(flag: FlagResult): Answer<'flag'> {
  const origin = flag.carried;
  return {
    name: flag.name,
    covered_percent: percentJson(flag.totals),
    coverage_change: ratioJson(changeOf(flag.totals, flag.baseTotals)),
    ...(flag.changes && { changes_percent: percentJson(flag.changes) }),
    verdict: partVerdictJson(flag.verdict, flag.cause),
    cause: causeJson(flag),
    carried_from: origin
      ? {
          build: String(origin.buildId),
          commit_sha: origin.commit ?? null,
          closed_at: new Date(origin.closedAt).toISOString(),
        }
      : null,
  };
}
