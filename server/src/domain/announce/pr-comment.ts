import { describeBaseRule } from '../build/base-build.ts';
import type { BasePick, Build, BuildResult, FileChange, FlagResult } from '../build/build.ts';
import { showChange, showPercent, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { changeOf } from './commit-status.ts';
import { fitRows } from './fit-rows.ts';
import type { Links } from './links.ts';
import { code, codeCell, encodePath, link, prose } from './markdown.ts';

/** GitHub's limit is 65,536 characters; what is over gives way to a link (rule 25). */
export const MAX_COMMENT = 65_000;
/** Escaping makes hostile names up to eight times longer: flags must leave room for the files. */
const MAX_FLAG_TABLE = 20_000;
const MAX_FLAGS = 100;
const MAX_RANGE_LINKS = 8;

export interface CommentInput {
  readonly build: Build;
  readonly result: BuildResult;
  readonly repo: { readonly id: number; readonly sendBuildStatus: boolean };
  readonly links: Links;
  readonly warnings: readonly string[];
}

/** The first line of our comments, by which one is found again (rule 25): BASE_URL and the repo's id. */
export function commentMarker(base: string, repoId: number): string {
  return `<!-- coverage: ${base.replaceAll('-->', '').replaceAll('--', '-%2D')} repo ${repoId} -->`;
}

/** Rule 25: whether a close of a pull request's build gives a comment at all. */
export function deservesComment(result: BuildResult): boolean {
  return totalPercent(result.totals) !== undefined || result.verdict.state !== 'success';
}

/** The comment as Markdown, in the order of rule 25: total and change, verdict, flags, changed files, losses elsewhere, base. */
export function prComment(input: CommentInput): string {
  const { build, result, repo, links, warnings } = input;
  const page = links.build(build.id);
  const head = [
    commentMarker(links.base, repo.id),
    `## ${headline(result, links)}`,
    verdictLine(result),
    flagTable(result.flags),
  ];
  const foot = [
    ...warningList(warnings),
    baseLine(result, links),
    `${link(`Build ${prose(build.number, 60)}`, page)}${build.commit ? ` of commit ${code(build.commit.slice(0, 10))}` : ''}`,
  ];
  const changed = result.fileChanges.filter((change) => change.kind !== 'elsewhere');
  const elsewhere = result.fileChanges.filter((change) => change.kind === 'elsewhere');
  const room = MAX_COMMENT - [...head, ...foot].join('\n\n').length - 1_000;
  const body = fileSections(input, { changed, elsewhere, room });
  return [...head, ...body, ...foot].filter((part) => part !== '').join('\n\n');
}

function headline(result: BuildResult, links: Links): string {
  const percent = totalPercent(result.totals);
  const change = changeOf(result.totals, result.baseTotals);
  const against = result.base ? ` against ${baseLink(result.base, links)}` : '';
  // Never a drop where something did not report (rule 13).
  if (result.verdict.state === 'incomplete') return `Coverage incomplete${against}`;
  if (percent === undefined) return `Coverage: no relevant lines${against}`;
  return `Coverage ${showPercent(percent)}${change ? ` (${showChange(change)})` : ''}${against}`;
}

function baseLink(base: BasePick, links: Links): string {
  return link(`build ${prose(base.number, 60)}`, links.build(base.buildId));
}

function verdictLine(result: BuildResult): string {
  const sign = { success: '✅', failure: '❌', incomplete: '⚠️' }[result.verdict.state];
  const sums = `${result.totals.coveredLines} of ${result.totals.relevantLines} lines${branchSum(result.totals)} covered.`;
  return `${sign} **${result.verdict.state}** (${result.verdict.rule}): ${prose(result.verdict.explanation)}\n\n${sums}`;
}

function branchSum(totals: CoverageTotals): string {
  return totals.branches === 0 ? '' : ` and ${totals.coveredBranches} of ${totals.branches} branches`;
}

function flagTable(flags: readonly FlagResult[]): string {
  if (flags.length === 0) return '';
  const all = flags.slice(0, MAX_FLAGS).map((flag) => `| ${codeCell(flag.name, 100)} | ${cells(flag)} | ${flagNote(flag)} |`);
  const { rows } = fitRows(all, MAX_FLAG_TABLE);
  const left = flags.length - rows.length;
  const more = left > 0 ? `\n\n${left} more ${left === 1 ? 'flag' : 'flags'} on the build's page.` : '';
  return ['| Flag | Coverage | Change | |', '| --- | ---: | ---: | --- |', ...rows].join('\n') + more;
}

function flagNote(flag: FlagResult): string {
  if (flag.carried) {
    const day = new Date(flag.carried.closedAt).toISOString().slice(0, 10);
    return `carried from build ${prose(flag.carried.number, 60)} of ${day}`;
  }
  if (flag.kind === 'missing')
    return flag.verdict.state === 'incomplete'
      ? '⚠️ did not report'
      : `not reported; last in build ${prose(flag.lastSeen?.number ?? '', 60)}`;
  if (flag.verdict.state !== 'failure') return '';
  return flag.verdict.rule === 'no-coverage-arrived' ? '❌ no coverage arrived' : '❌ decreased';
}

/** `coverage | change` of a flag or file. */
function cells(row: { readonly totals: CoverageTotals | undefined; readonly baseTotals: CoverageTotals | undefined }): string {
  const change = changeOf(row.totals, row.baseTotals);
  return `${row.totals ? showPercent(totalPercent(row.totals)) : '—'} | ${change ? showChange(change) : '—'}`;
}

function fileSections(
  input: CommentInput,
  files: { readonly changed: readonly FileChange[]; readonly elsewhere: readonly FileChange[]; readonly room: number },
): readonly string[] {
  const page = link('the build’s page', input.links.build(input.build.id));
  const left = input.result.fileChangeCount - input.result.fileChanges.length;
  const changed = fitRows(
    files.changed.map((change) => changedRow(input, change)),
    files.room,
  );
  const elsewhere = fitRows(
    files.elsewhere.map((change) => `| ${codeCell(change.name)} | ${cells(change)} |`),
    files.room - changed.length,
  );
  const omitted = changed.omitted + elsewhere.omitted + left;
  const sections: string[] = [];
  if (changed.rows.length > 0)
    sections.push(
      [
        '### Changed files',
        '',
        '| File | Coverage | Change | Uncovered lines |',
        '| --- | ---: | ---: | --- |',
        ...changed.rows,
      ].join('\n'),
    );
  if (elsewhere.rows.length > 0) {
    const table = ['| File | Coverage | Change |', '| --- | ---: | ---: |', ...elsewhere.rows].join('\n');
    sections.push(
      `<details><summary>Lost coverage outside the change: ${files.elsewhere.length}</summary>\n\n${table}\n\n</details>`,
    );
  }
  if (omitted > 0) sections.push(`${omitted} more ${omitted === 1 ? 'file' : 'files'} on ${page}.`);
  return sections;
}

function changedRow(input: CommentInput, change: FileChange): string {
  const note = { added: ' (new)', removed: ' (no longer reported)', changed: '', elsewhere: '' }[change.kind];
  return `| ${codeCell(change.name)}${note} | ${cells(change)} | ${rangeLinks(input, change)} |`;
}

function rangeLinks(input: CommentInput, change: FileChange): string {
  const { build, links } = input;
  const commit = build.target ?? build.commit;
  const shown = change.uncovered.slice(0, MAX_RANGE_LINKS).map(([first, last]) => {
    const text = first === last ? `${first}` : `${first}–${last}`;
    if (commit === undefined || links.lines === undefined) return text;
    return link(text, links.lines({ commit, file: encodePath(change.name), first, last }));
  });
  const more = change.uncoveredRanges - shown.length;
  return shown.join(', ') + (more > 0 ? `, ${link(`${more} more`, links.build(build.id))}` : '');
}

function baseLine(result: BuildResult, links: Links): string {
  const { base } = result;
  if (base === undefined) return 'There is no base build to compare with.';
  const commit = base.commit ? ` (commit ${code(base.commit.slice(0, 10))})` : '';
  return `Compared with ${baseLink(base, links)}${commit}: ${prose(describeBaseRule(base))}.`;
}

function warningList(warnings: readonly string[]): readonly string[] {
  if (warnings.length === 0) return [];
  const shown = warnings.slice(0, 5).map((warning) => `- ⚠️ ${prose(warning, 300)}`);
  return [shown.join('\n')];
}
