import { changeOf } from '../../core/coverage/percent.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import { partsOf } from '../../wording/change-words.ts';
import type { ComparedBuilds, ComparedFlag, ComparedSide } from '../compare-builds.ts';
import { lostJson } from './build-json.ts';
import { countsJson, percentJson, ratioJson } from './percentages.ts';

/** `GET /<service>/<owner>/<repo>/compare/<base>...<head>.json` */
export function presentComparison(shown: ComparedBuilds, addresses: Addresses): Answer<'comparison'> {
  const { repo, base, head, flags, groups, files, split } = shown;
  return {
    service: repo.service,
    name: repo.name,
    base: sideJson(base, addresses),
    head: sideJson(head, addresses),
    coverage_change: ratioJson(changeOf(head.totals, base.totals)),
    diff_known: shown.isDiffKnown,
    parts: split === undefined ? [] : partsOf(split).map(({ part, points }) => ({ part, points })),
    flags: flags.map(partJson),
    groups: groups.map(partJson),
    files: files.map((change) => ({
      name: change.name,
      kind: change.kind,
      covered_percent: percentJson(change.totals),
      base_covered_percent: percentJson(change.baseTotals),
      ...lostJson(change),
    })),
    file_count: shown.fileCount,
    lost_files: shown.lost.total,
    gained_files: shown.gained.total,
  };
}

function partJson({ name, totals, baseTotals }: ComparedFlag) {
  return { name, covered_percent: percentJson(totals), base_covered_percent: percentJson(baseTotals) };
}

function sideJson({ build, totals }: ComparedSide, addresses: Addresses): Answer<'comparison'>['base'] {
  return {
    build: String(build.id),
    url: addresses.build(build.id),
    branch: build.branch ?? null,
    commit_sha: build.commit ?? null,
    covered_percent: percentJson(totals),
    ...countsJson(totals),
  };
}
