import { FILE_PLACES } from '@coverage/shared/coverage-file';
import type { Counts } from '../../runner/words.ts';
import { safeText } from '../shell/terminal-text.ts';
import type { FileMigration, Migration, Note, TranslatedFile } from './file-migration.ts';

const NOTHING_FOUND =
  'There is nothing to change: no workflow or composite action that uses coverallsapp/github-action or ' +
  'codecov/codecov-action, no file of a CI that runs a client of theirs, no .coveralls.yml and no codecov.yml. ' +
  'Scripts that the CI runs, such as those in package.json or a Makefile, are not read.';

/** The migration for people: each file with its notes and its changed lines, then the settings of codecov.yml. */
export function describeMigration(
  { files, codecov }: Migration,
  { isWritten, changes }: { readonly isWritten: boolean; readonly changes: number },
): string {
  if (files.length + codecov.length === 0) return `${NOTHING_FOUND}\n`;
  const parts = [
    ...files.map(describeFile),
    ...codecov.map(describeCodecov),
    ...(changes === 0
      ? []
      : [isWritten ? written({ files: changes }) : 'Nothing was changed. To change it, add --write.']),
  ];
  return `${parts.join('\n\n')}\n`;
}

function describeFile({ path, notes, text, changed }: FileMigration): string {
  const said = notes.map((note) => `  ${safeText(withLine(note))}`);
  return [safeText(path), ...said, ...changedLines(text, changed)].join('\n');
}

function withLine({ line, sentence }: Note): string {
  return `${line === undefined ? '' : `line ${line}: `}${sentence}`;
}

/** Lines that go and lines that come, where the two texts differ; migrations only touch a few places. */
function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const kept = longestCommon(old, now);
  const shown: string[] = [];
  let [at, to] = [0, 0];
  for (const [left, right] of [...kept, [old.length, now.length] as const]) {
    for (; at < left; at += 1) shown.push(`  - ${safeText(old[at] as string)}`);
    for (; to < right; to += 1) shown.push(`  + ${safeText(now[to] as string)}`);
    at = left + 1;
    to = right + 1;
  }
  return shown;
}

/** Pairs of equal lines, greedily: the next equal one within a few lines. */
function longestCommon(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let to = 0;
  for (const [at, line] of old.entries()) {
    const found = now.slice(to, to + LOOK_AHEAD).indexOf(line);
    if (found < 0) continue;
    pairs.push([at, to + found]);
    to += found + 1;
  }
  return pairs;
}

const LOOK_AHEAD = 12;

function describeCodecov({
  path,
  settings,
  inputs,
  mapped,
  withoutEqual,
  notes,
  file,
}: Migration['codecov'][number]): string {
  const width = Math.max(0, ...mapped.map(([from]) => from.length));
  return [
    safeText(path),
    ...section(
      'What became of each key:',
      mapped.map(([from, to]) => `${from.padEnd(width)}  ${to}`),
    ),
    ...section(
      'Settings of the repo here (PUT /api/v1/repos/<service>/<owner>/<name>, and the same with /settings):',
      Object.keys(settings).length === 0 ? [] : [JSON.stringify(settings)],
    ),
    ...section(
      'Inputs of the step that uploads, or that closes the build:',
      Object.entries(inputs).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ),
    ...section('To do by hand:', notes.map(withLine)),
    ...section('Without an equal among settings and inputs:', withoutEqual),
    ...describeTranslated(file),
  ].join('\n');
}

/** Instead of the settings, the repo's own file, which a review can see. */
function describeTranslated(file: TranslatedFile | undefined): readonly string[] {
  if (file === undefined) return [];
  return [
    ...section(`To do by hand for ${FILE_PLACES[0]}:`, file.notes),
    ...section(`Dropped from ${FILE_PLACES[0]}, since no verdict changes by it:`, file.dropped),
    ...section(`Without an equal in ${FILE_PLACES[0]}:`, file.withoutEqual),
  ];
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${heading}`, ...lines.map((line) => `    ${safeText(line)}`)];
}

function written({ files }: Counts<'files'>): string {
  return files === 1 ? '1 file was changed.' : `${files} files were changed.`;
}
