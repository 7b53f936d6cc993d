import { causeJson, lostJson, patchJson, presentFlag, verdictJson } from '../../builds/http/build-json.ts';
import { checksJson, overallJson } from '../../builds/http/build-parts-json.ts';
import { countsJson, percentJson, ratioJson } from '../../builds/http/percentages.ts';
import type { BuildResult, FileChange } from '../../core/builds/build.ts';
import { overallOf } from '../../core/builds/build-checks.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import { describeBaseRule } from '../../wording/base-words.ts';
import { describeCloseWarnings } from '../../wording/build-warnings.ts';
import { listRemedies } from '../../wording/remedies.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import type { Preview } from '../preview-pull.ts';

/** What `remedies` calls some checks: older than these. */
const EARLIER_NAMES: Readonly<Record<string, string>> = { total: 'build', changes: 'patch' };

/** `POST /api/v1/preview`. */
export function presentPreview(preview: Preview, addresses: Addresses): Answer<'preview'> {
  const { build, result, status, statuses, wanted } = preview;
  const { totals, baseTotals, verdict } = result;
  return {
    passes: [overallOf(result), status, ...statuses].every(({ state }) => state === 'success'),
    verdict: verdictJson({ ...build, result }) as Answer<'verdict'>,
    overall: overallJson({ result }),
    checks: checksJson(result),
    sentence: status.description,
    statuses: statuses.map(({ context, state, description }) => ({
      context,
      state: state as Answer<'preview'>['statuses'][number]['state'],
      description,
    })),
    covered_percent: percentJson(totals),
    coverage_change: verdict.state === 'incomplete' ? null : ratioJson(changeOf(totals, baseTotals)),
    ...countsJson(totals),
    base: baseJson(result, addresses),
    patch: patchJson(result.patch),
    cause: causeJson(result),
    remedies: listRemedies(result).map(({ check, remedy: { count, of: unit }, sentence }) => ({
      of: EARLIER_NAMES[check.id] ?? check.id,
      count,
      unit,
      sentence,
    })),
    flags: result.flags.map(presentFlag),
    files: result.fileChanges.map(fileJson),
    file_count: result.fileChangeCount,
    warnings: [
      ...build.warnings,
      ...rulesSentences(result.rules),
      ...describeCloseWarnings(result),
      ...preview.warnings,
    ],
    wanted_diffs: wanted.map(({ base, head }) => ({ base_sha: base, head_sha: head })),
  };
}

function baseJson({ base, baseTotals }: BuildResult, addresses: Addresses): Answer<'preview'>['base'] {
  if (base === undefined) return null;
  return {
    build: String(base.buildId),
    url: addresses.build(base.buildId),
    commit_sha: base.commit ?? null,
    rule: base.rule,
    commits_away: base.commitsAway ?? null,
    chosen: describeBaseRule(base),
    covered_percent: percentJson(baseTotals),
  };
}

function fileJson(change: FileChange): Answer<'preview'>['files'][number] {
  const { name, kind, totals, baseTotals, uncovered, uncoveredRanges } = change;
  return {
    name,
    kind,
    covered_percent: percentJson(totals),
    base_covered_percent: percentJson(baseTotals),
    uncovered,
    uncovered_ranges: uncoveredRanges,
    ...lostJson(change),
  };
}
