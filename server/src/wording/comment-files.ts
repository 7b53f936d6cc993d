import type { Links } from '../domain/announce/links.ts';
import type { Build, BuildResult, FileChange } from '../domain/builds/build.ts';
import type { PatchResult } from '../domain/builds/build-facts.ts';
import { testedCommitOf } from '../domain/builds/merge-commit.ts';
import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { missedLines } from '../domain/coverage/totals.ts';
import { numberCells, rangeLinks } from './comment-rows.ts';
import { fitRows } from './fit-rows.ts';
import { code, codeCell, link } from './markdown.ts';
import { counted } from './phrases.ts';

/** What a comment is made of. */
export interface CommentInput {
  readonly build: Build;
  readonly result: BuildResult;
  readonly repo: { readonly id: number };
  readonly links: Links;
}

/** A file that the change touched: how its coverage moved, how its changed lines are covered, or both. */
interface ChangedFile {
  readonly name: string;
  readonly change: FileChange | undefined;
  readonly patch: PatchResult['files'][number] | undefined;
}

const NOTES: Record<FileChange['kind'], string> = {
  added: ' (new)',
  removed: ' (no longer reported)',
  'newly-measured': ' (measured now)',
  'no-longer-measured': ' (no longer measured)',
  changed: '',
  elsewhere: '',
};

/**
 * Changed files, files elsewhere that lost coverage, changed ones that no report names. Together at most `room`
 * characters, but for their headings: rows give way to a link (rule 25), each part keeping some.
 */
export function fileSections(input: CommentInput, room: number): readonly string[] {
  const { result } = input;
  const changed = changedFiles(result);
  const patched = new Set(result.patch?.files.map((file) => file.name));
  const others = result.fileChanges.filter((change) => !isOfChange(change) && !patched.has(change.name));
  const [elsewhere, measured] = partition(others, ({ kind }) => kind === 'elsewhere');
  const rows = {
    elsewhere: elsewhere.map((change) => `| ${codeCell(change.name)} | ${numberCells(change)} |`),
    measured: measured.map((change) => `| ${codeCell(change.name)}${NOTES[change.kind]} | ${numberCells(change)} |`),
    unmeasured: (result.patch?.unmeasured ?? []).map((name) => `- ${code(name)}`),
  };
  const kept = Math.floor(room / 6);
  const keptForUnmeasured = Math.min(kept, lengthOf(rows.unmeasured));
  const ofChanged = fitRows(
    changed.map((file) => changedRow(input, file)),
    room - keptForUnmeasured - Math.min(kept, lengthOf(rows.elsewhere)) - Math.min(kept, lengthOf(rows.measured)),
  );
  const ofMeasured = fitRows(rows.measured, Math.min(kept, lengthOf(rows.measured)));
  const ofElsewhere = fitRows(rows.elsewhere, room - keptForUnmeasured - ofChanged.length - ofMeasured.length);
  const ofUnmeasured = fitRows(rows.unmeasured, room - ofChanged.length - ofMeasured.length - ofElsewhere.length);
  const omitted = ofChanged.omitted + ofMeasured.omitted + ofElsewhere.omitted + leftOut(result);
  return [
    changedTable(result, ofChanged.rows),
    measuredTable(ofMeasured.rows),
    lostElsewhere(ofElsewhere.rows, elsewhere.length),
    omitted > 0 ? `${counted(omitted, 'more file')} on ${pageLink(input)}.` : '',
    notMeasured(input, ofUnmeasured.rows),
  ];
}

/** The worst covered changes first, then as the result has them. */
function changedFiles(result: BuildResult): readonly ChangedFile[] {
  const patches = new Map(result.patch?.files.map((file) => [file.name, file]));
  const moved = result.fileChanges
    .filter((change) => isOfChange(change) || patches.has(change.name))
    .map((change) => ({ name: change.name, change, patch: patches.get(change.name) }));
  const known = new Set(moved.map((file) => file.name));
  const others = [...patches.values()].filter((patch) => !known.has(patch.name));
  return [...moved, ...others.map((patch) => ({ name: patch.name, change: undefined, patch }))].toSorted(
    (a, b) => missed(b) - missed(a),
  );
}

/** Whether the change itself touched a file. */
function isOfChange({ kind }: FileChange): boolean {
  return kind === 'changed' || kind === 'added' || kind === 'removed';
}

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): readonly [yes: readonly T[], no: readonly T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

function missed({ patch }: ChangedFile): number {
  return patch === undefined ? 0 : missedLines(patch.totals);
}

/** Files that the result counts and does not hold. */
function leftOut({ fileChanges, fileChangeCount, patch }: BuildResult): number {
  return Math.max(fileChangeCount - fileChanges.length, patch === undefined ? 0 : patch.fileCount - patch.files.length);
}

function changedRow(input: CommentInput, { name, change, patch }: ChangedFile): string {
  const { build, links, result } = input;
  const totals = { totals: change?.totals, baseTotals: change?.baseTotals };
  const ofPatch = patch === undefined ? '—' : showPercent(totalPercent(patch.totals));
  const place = { commit: testedCommitOf(build), file: name, links, page: links.build(build.id) };
  return [
    `| ${codeCell(name)}${change ? NOTES[change.kind] : ''}`,
    numberCells(totals),
    ...(result.patch === undefined ? [] : [ofPatch]),
    `${rangeLinks(patch ?? change ?? NO_RANGES, place)} |`,
  ].join(' | ');
}

const NO_RANGES = { uncovered: [], uncoveredRanges: 0 };

function changedTable({ patch }: BuildResult, rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const header =
    patch === undefined
      ? ['| File | Coverage | Change | Uncovered lines |', '| --- | ---: | ---: | --- |']
      : ['| File | Coverage | Change | Changed lines | Uncovered lines |', '| --- | ---: | ---: | ---: | --- |'];
  const note =
    (patch?.files.length ?? 0) === 0
      ? []
      : ['', 'Where lines of a file changed, only uncovered ones among these are listed.'];
  return ['### Changed files', '', ...header, ...rows, ...note].join('\n');
}

function measuredTable(rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const header = ['| File | Coverage | Change |', '| --- | ---: | ---: |'];
  return ['### Newly or no longer measured', '', ...header, ...rows].join('\n');
}

function lostElsewhere(rows: readonly string[], count: number): string {
  if (rows.length === 0) return '';
  const table = ['| File | Coverage | Change |', '| --- | ---: | ---: |', ...rows].join('\n');
  return collapsed(`Lost coverage outside the change: ${count}`, table);
}

function notMeasured(input: CommentInput, rows: readonly string[]): string {
  const count = input.result.patch?.unmeasuredCount ?? 0;
  if (count === 0) return '';
  const left = count - rows.length;
  const more = left > 0 ? [`${rows.length > 0 ? '\n' : ''}${left} more on ${pageLink(input)}.`] : [];
  return collapsed(`Not measured, changed files that no report names: ${count}`, [...rows, ...more].join('\n'));
}

/** The summary is ours: HTML, in which Markdown has no meaning. */
function collapsed(summary: string, markdown: string): string {
  return `<details><summary>${summary}</summary>\n\n${markdown}\n\n</details>`;
}

function pageLink({ build, links }: CommentInput): string {
  return link('the build’s page', links.build(build.id));
}

function lengthOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + row.length + 1, 0);
}
