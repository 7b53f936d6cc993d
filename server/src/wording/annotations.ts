import type { Annotation, CheckContent } from '../core/announce/delivery.ts';
import type { Links } from '../core/announce/links.ts';
import type { Build } from '../core/builds/build.ts';
import type { AnnotationPlace, Annotations, PatchResult } from '../core/builds/build-facts.ts';
import { missedLines } from '../core/coverage/totals.ts';
import { fitRows } from './fit-rows.ts';
import { codeCell, link, prose } from './markdown.ts';
import { counted } from './phrases.ts';

/** GitHub's limit is 65,535 characters; files give way to a link. */
const MAX_FILE_TABLE = 20_000;
const MAX_FILES = 50;

/** What the check run of a commit is about. */
export interface CheckInput {
  readonly build: Build;
  readonly links: Links;
}

/**
 * The check run that marks uncovered changed lines beside the code. It never fails: `neutral` where lines are
 * uncovered, else `success`; the verdict is the commit statuses' matter.
 */
export function marksCheck(
  { build, links }: CheckInput,
  { patch, marks }: { readonly patch: PatchResult; readonly marks: Annotations },
): CheckContent {
  const page = links.build(build.id);
  const lines = missedLines(patch.totals);
  const summary = [
    sumsLine(patch),
    ...placesLines(marks, page),
    ...caveats(patch, marks),
    fileTable(patch, page),
    foot(build, page),
  ];
  return {
    kind: 'check',
    conclusion: lines === 0 ? 'success' : 'neutral',
    title:
      lines === 0
        ? coveredTitle(patch)
        : `${counted(lines, 'changed line is', 'changed lines are')} not covered by tests`,
    summary: summary.filter((part) => part !== '').join('\n\n'),
    detailsUrl: page,
    annotations: marks.places.map(toAnnotation),
  };
}

/**
 * Replaces annotations that are no longer valid. `switched-off`: by the repo's settings; `unknown`: what changed is not
 * known.
 */
export function unmarkedCheck({ build, links }: CheckInput, why: 'switched-off' | 'unknown'): CheckContent {
  const page = links.build(build.id);
  const [title, sentence] =
    why === 'switched-off'
      ? ['Annotations are switched off', 'This repo no longer marks its missed lines.']
      : ['The changed lines are not known', 'The diff of this change is not available, so no lines are marked.'];
  return {
    kind: 'check',
    conclusion: 'neutral',
    title,
    summary: `${sentence}\n\n${foot(build, page)}`,
    detailsUrl: page,
    annotations: [],
  };
}

function toAnnotation({ file, first, last }: AnnotationPlace): Annotation {
  const subject = first === last ? `Line ${first} is` : `Lines ${first} to ${last} are`;
  return { file, firstLine: first, lastLine: last, level: 'warning', message: `${subject} not covered by tests.` };
}

function coveredTitle({ totals }: PatchResult): string {
  return totals.relevantLines === 0 ? 'No changed lines with code' : 'Every relevant changed line is covered';
}

function sumsLine({ totals }: PatchResult): string {
  const { coveredLines, relevantLines } = totals;
  return relevantLines === 0
    ? 'No changed lines with code.'
    : `Tests cover ${coveredLines} of ${counted(relevantLines, 'relevant changed line')}.`;
}

function placesLines({ places, more }: Annotations, page: string): readonly string[] {
  if (more === 0) return [];
  const rest = link(`${counted(more, 'more place is', 'more places are')} on the build’s page`, page);
  const marked = `${counted(places.length, 'place is', 'places are')} marked`;
  return [`${marked}, some of each file, those with the most missed lines first; ${rest}.`];
}

function caveats({ complete }: PatchResult, { lostFiles }: Annotations): readonly string[] {
  const lost =
    `In ${counted(lostFiles, 'file')} missed lines could not be found in the text of this commit, ` +
    'so they are not marked.';
  return [...(lostFiles === 0 ? [] : [lost]), ...(complete ? [] : ['Some changed files or lines are unknown.'])];
}

function fileTable(patch: PatchResult, page: string): string {
  const missed = patch.files.filter((file) => missedLines(file.totals) > 0);
  const all = missed.slice(0, MAX_FILES).map((file) => `| ${codeCell(file.name)} | ${missedLines(file.totals)} |`);
  const { rows } = fitRows(all, MAX_FILE_TABLE);
  if (rows.length === 0) return '';
  const left = missed.length - rows.length + Math.max(0, patch.fileCount - patch.files.length);
  const more = left > 0 ? `\n\n${link(counted(left, 'more changed file'), page)}` : '';
  return ['| File | Uncovered changed lines |', '| --- | ---: |', ...rows].join('\n') + more;
}

function foot(build: Build, page: string): string {
  return (
    `${link(`Build ${prose(build.number, 60)}`, page)}. This check only marks lines: the commit statuses say what ` +
    'passes.'
  );
}
