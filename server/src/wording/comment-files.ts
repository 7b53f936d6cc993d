import type { Links } from '../core/announce/links.ts';
import type { Build, BuildResult, FileChange } from '../core/builds/build.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { filesWithLostLines } from '../core/builds/file-changes.ts';
import { showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import { fileLink, type LinePlace, missedCode, missedLinks, showMoved } from './comment-rows.ts';
import { fitRows } from './fit-rows.ts';
import { code, link } from './markdown.ts';
import { counted } from './phrases.ts';

/** What a comment is made of. */
export interface CommentInput {
  readonly build: Build;
  readonly result: BuildResult;
  readonly repo: { readonly id: number };
  readonly links: Links;
  readonly terms: HostTerms;
}

/** Each link of a row repeats the address: a few absurd names must not take the whole comment. */
const MAX_ADDRESS = 500;

/** Changed files that are listed: fewer if nothing can be folded. */
const MAX_CHANGED = { folding: 10, plain: 3 };

/** Files that are shown unfolded for what they lost though it did not change. */
const MAX_LOST = 10;

/** What a comment says about files: the first parts are shown, the others folded. Empty texts if there are none. */
export interface FileParts {
  readonly changed: string;
  readonly lost: string;
  readonly measured: string;
  readonly noLonger: string;
  readonly more: string;
  readonly elsewhere: string;
  readonly unmeasured: string;
}

/** A file that the change touched and that has something missing. */
interface ChangedFile {
  readonly name: string;
  readonly change: FileChange | undefined;
  readonly patch: PatchResult['files'][number] | undefined;
}

/**
 * Together at most `room` characters, except for their headings: rows give way to a link (rule 25), each part keeping
 * some.
 */
export function fileParts(input: CommentInput, room: number): FileParts {
  const { result, terms } = input;
  const missing = missingFiles(result);
  const changed = missing.slice(0, terms.comment.html ? MAX_CHANGED.folding : MAX_CHANGED.plain);
  const patched = new Set(result.patch?.files.map((file) => file.name));
  const isIncomplete = result.verdict.state === 'incomplete';
  const lost = filesWithLostLines(result);
  const elsewhere = result.fileChanges.filter(
    (change) => change.kind === 'elsewhere' && !isIncomplete && !lost.includes(change) && !patched.has(change.name),
  );
  const rows = {
    lost: lost.slice(0, MAX_LOST).map((change) => lostRow(input, change)),
    elsewhere: [
      ...lost.slice(MAX_LOST).map((change) => lostRow(input, change)),
      ...elsewhere.map((change) => `${fileLink(change.name, placeOf(input, change.name))} ${showMoved(change)}`),
    ],
    measured: result.fileChanges
      .filter(({ kind, name }) => kind === 'newly-measured' && !patched.has(name))
      .map((change) => `${fileLink(change.name, placeOf(input, change.name))} ${showMoved(change)}`),
    noLonger: result.fileChanges
      // Rule 13: what did not report is named once, as that.
      .filter(({ kind }) => !isIncomplete && (kind === 'no-longer-measured' || kind === 'removed'))
      .map(({ name }) => code(name)),
    unmeasured: (result.patch?.unmeasured ?? []).map((name) => code(name)),
  };
  const shownName = shortNames(changed.map(({ name }) => name));
  const fitted = fitParts(room, {
    changed: changed.map((file) => changedRow(input, file, shownName(file.name))),
    ...rows,
  });
  const omitted = [fitted.lost, fitted.measured, fitted.noLonger, fitted.elsewhere];
  const left = omitted.reduce((sum, part) => sum + part.omitted, leftOut(result));
  return {
    changed: changedPart(input, fitted.changed.rows, missing.length),
    lost: listed('Lost outside the change', fitted.lost.rows),
    measured: listed('New in reports', fitted.measured.rows),
    noLonger: listed('No longer in reports', fitted.noLonger.rows),
    more: left > 0 ? `${counted(left, 'more file')} on ${pageLink(input)}.` : '',
    elsewhere: listed('Lost in other files', fitted.elsewhere.rows),
    unmeasured: notMeasured(input, fitted.unmeasured.rows),
  };
}

/** `src/a.ts line 7, branch at 9`, of lines that did not change (rule 25). */
function lostRow(input: CommentInput, change: FileChange): string {
  const { newlyMissed = [], newlyMissedRanges = 0, newlyPartly, newlyPartlyLines } = change;
  const place = placeOf(input, change.name);
  const missed = { uncovered: newlyMissed, uncoveredRanges: newlyMissedRanges };
  const lines = missedLinks({ ...missed, partlyCovered: newlyPartly, partlyCoveredLines: newlyPartlyLines }, place);
  const isOne = newlyMissedRanges === 1 && newlyMissed[0]?.[0] === newlyMissed[0]?.[1];
  const unit = newlyMissedRanges === 0 ? '' : isOne ? 'line ' : 'lines ';
  return `${fileLink(change.name, place)} ${unit}${lines}`;
}

type Rows = Readonly<
  Record<'changed' | 'lost' | 'measured' | 'noLonger' | 'elsewhere' | 'unmeasured', readonly string[]>
>;

/** Each part but the first may take a share of the room; the first takes what they leave. */
function fitParts(room: number, rows: Rows): Readonly<Record<keyof Rows, ReturnType<typeof fitRows>>> {
  const share = (part: readonly string[]) => fitRows(part, Math.min(Math.floor(room / 8), lengthOf(part)));
  const [lost, measured, noLonger] = [share(rows.lost), share(rows.measured), share(rows.noLonger)];
  const [elsewhere, unmeasured] = [share(rows.elsewhere), share(rows.unmeasured)];
  const taken = [lost, measured, noLonger, elsewhere, unmeasured].reduce(
    (sum, { rows: fitting }) => sum + lengthOf(fitting),
    0,
  );
  return { changed: fitRows(rows.changed, room - taken), lost, measured, noLonger, elsewhere, unmeasured };
}

/** Files of the change with something missing, the worst first; without a diff those whose text or numbers moved. */
function missingFiles({ patch, fileChanges }: BuildResult): readonly ChangedFile[] {
  const changes = new Map(fileChanges.map((change) => [change.name, change]));
  const files: readonly ChangedFile[] =
    patch === undefined
      ? fileChanges.filter(isOfChange).map((change) => ({ name: change.name, change, patch: undefined }))
      : patch.files.map((file) => ({ name: file.name, change: changes.get(file.name), patch: file }));
  return files.filter(isMissing).toSorted((a, b) => missed(b) - missed(a));
}

function isMissing({ patch, change }: ChangedFile): boolean {
  return patch === undefined ? (change?.uncoveredRanges ?? 0) > 0 : missedCode(patch.totals) > 0;
}

function missed({ patch }: ChangedFile): number {
  return patch === undefined ? 0 : missedCode(patch.totals);
}

/** Whether the change itself touched a file. */
function isOfChange({ kind }: FileChange): boolean {
  return kind === 'changed' || kind === 'added' || kind === 'removed';
}

/** The last part of each path, if no other of them ends in the same. */
function shortNames(names: readonly string[]): (name: string) => string {
  const lastOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1) || name;
  const ofEnding = Map.groupBy(names, lastOf);
  return (name) => (ofEnding.get(lastOf(name))?.length === 1 ? lastOf(name) : name);
}

/** Files that the result counts and does not hold. */
function leftOut({ fileChanges, fileChangeCount, patch }: BuildResult): number {
  return Math.max(fileChangeCount - fileChanges.length, patch === undefined ? 0 : patch.fileCount - patch.files.length);
}

/** Cells stand close together, so that a long table takes less of the comment's length. */
function changedRow(input: CommentInput, { name, change, patch }: ChangedFile, shown: string): string {
  const place = placeOf(input, name);
  const percent = patch ? showPercent(totalPercent(patch.totals)) : change ? showMoved(change) : '—';
  const note = change?.kind === 'added' ? ' (new)' : '';
  return `|${fileLink(shown, place)}${note}|${percent}|${missedLinks(patch ?? change ?? NO_RANGES, place)}|`;
}

const NO_RANGES = { uncovered: [], uncoveredRanges: 0 };

/** Where the lines of a file are shown: in the build of the commit. */
function placeOf({ build, links }: CommentInput, file: string): LinePlace {
  const commit = build.target ?? build.commit;
  const isLinked = commit !== undefined && links.file({ commit, file }).length <= MAX_ADDRESS;
  return { commit: isLinked ? commit : undefined, file, links, page: links.build(build.id) };
}

/** The worst files of the change, folded where they are not all of them. */
function changedPart(input: CommentInput, rows: readonly string[], all: number): string {
  const { build, result, links, terms } = input;
  if (all === 0) return '';
  const { patch } = result;
  const left = all - rows.length;
  const more = left === 0 ? [] : [link(`${counted(left, 'more file')}`, `${links.build(build.id)}#changed`)];
  const numbers = patch === undefined ? 'Coverage (change, points)' : 'Changed lines';
  const table = rows.length === 0 ? [] : [[`|File|${numbers}|Missing|`, '|:--|--:|:--|', ...rows].join('\n')];
  const body = [...table, ...more].join('\n\n');
  if (left === 0 || rows.length === 0 || !terms.comment.html) return body;
  const percent = patch && totalPercent(patch.totals);
  const missed = `${all} of ${counted(Math.max(patch?.fileCount ?? 0, all), 'file')} have missed lines`;
  const gist = percent === undefined ? missed : `Changed lines ${showPercent(percent)} · ${missed}`;
  return `<details><summary>${gist}</summary>\n\n${body}\n\n</details>`;
}

/** A few in one line, more as a list. */
function listed(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return entries.length > 3 ? `**${title}:**\n\n- ${entries.join('\n- ')}` : `**${title}:** ${entries.join('; ')}.`;
}

function notMeasured(input: CommentInput, rows: readonly string[]): string {
  const count = input.result.patch?.unmeasuredCount ?? 0;
  if (count === 0) return '';
  const left = count - rows.length;
  const more = left > 0 ? [`${left} more on ${pageLink(input)}`] : [];
  return listed('Changed files that aren’t in any report', [...rows, ...more]);
}

function pageLink({ build, links }: CommentInput): string {
  return link('the build’s page', links.build(build.id));
}

function lengthOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + row.length + 3, 0);
}
