import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { ShownTrend } from '../trend.ts';
import { buildPercentJson, countsJson, ratioJson } from './percentages.ts';

/** `GET /<service>/<owner>/<repo>/trend.json` */
export function presentTrend(
  { repo, branch, flag, group, period, points }: ShownTrend,
  addresses: Addresses,
): Answer<'trend'> {
  return {
    service: repo.service,
    name: repo.name,
    branch: branch ?? null,
    flag: flag ?? null,
    group: group ?? null,
    from: toIso(period.from),
    to: toIso(period.to),
    points: points.map((point) => presentPoint(point, addresses)),
  };
}

function presentPoint(point: TrendPoint, addresses: Addresses) {
  const { at, buildId, commit, totals, baseTotals, verdict, kind, imported } = point;
  const isWhole = verdict.state !== 'incomplete';
  return {
    at: toIso(at),
    build_id: buildId,
    url: addresses.build(buildId),
    commit_sha: commit ?? null,
    covered_percent: buildPercentJson(totals, kind === undefined ? imported : undefined),
    coverage_change: isWhole ? ratioJson(changeOf(totals, baseTotals)) : null,
    ...countsJson(totals),
    verdict: verdict.state,
    rule: verdict.rule,
    informational: verdict.informational ?? false,
    ...(kind === undefined ? {} : { carried: kind === 'carried' }),
    ...(imported && { imported_from: imported.from }),
  };
}

/** The same as text: one line for each point, under the names of its keys. */
export function presentTrendCsv({ points }: ShownTrend, addresses: Addresses): string {
  const rows = points.map((point) => ({ carried: '', imported_from: '', ...presentPoint(point, addresses) }));
  const names = [
    'at',
    'build_id',
    'url',
    'commit_sha',
    'covered_percent',
    'coverage_change',
    'covered_lines',
    'missed_lines',
    'relevant_lines',
    'covered_branches',
    'missed_branches',
    'relevant_branches',
    'verdict',
    'rule',
    'informational',
    'carried',
    'imported_from',
  ] as const;
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((values) => `${values.map(cellOf).join(',')}\r\n`)
    .join('');
}

/** RFC 4180; what a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(value: string | number | boolean | null): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
