import type { BuildJson, CheckJson, FlagJson, PatchFileJson, PatchJson } from '@coverage/shared';
import { type Counts, counted, type Texts } from '../runner/words.ts';
import {
  changeText,
  decisionOf,
  heading,
  NOTHING_SENT,
  percentText,
  type StepOutcome,
  type UploadOutcome,
} from './outputs.ts';

/** How many of all are covered. */
interface Covered {
  readonly covered: number;
  readonly all: number;
}

/** GitHub takes 1 MiB from a step, and shows nothing of more; the rest is for what other steps of the job wrote. */
const MAX_BYTES = 900_000;
const MAX_ROWS = 100;
const MAX_WARNINGS = 20;
const MAX_REPORTS = 20;
const LONGEST_NAME = 300;

/**
 * The job summary as Markdown, for who reviews the change. Everything that came from a report, a flag or the server is
 * escaped. What is over GitHub's bound gives way to the link.
 */
export function summaryMarkdown(outcome: StepOutcome): string {
  const { buildUrl } = outcome;
  const end = buildUrl === undefined ? [] : [link('Build page', buildUrl)];
  const sections: string[] = [];
  let room = MAX_BYTES;
  for (const section of sectionsOf(outcome)) {
    const bytes = Buffer.byteLength(section);
    if (bytes > room) continue;
    sections.push(section);
    room -= bytes;
  }
  return [...sections, ...end, ''].join('\n\n');
}

function sectionsOf({ upload, build, dryRun }: StepOutcome): readonly string[] {
  return [
    `### ${heading(build)}`,
    ...(dryRun ? [NOTHING_SENT] : []),
    ...(build === undefined ? [] : verdictOf(build)),
    ...(build?.patch ? changeOf(build.patch) : []),
    ...(build === undefined ? [] : checksOf(build)),
    ...(build?.warnings ?? []).slice(0, MAX_WARNINGS).map((warning) => `> ${escapeMarkdown(warning)}`),
    ...(upload === undefined ? [] : [uploadText(upload), ...ownWarnings(upload, build)]),
  ];
}

/** In the server's words. */
function verdictOf(build: BuildJson): readonly string[] {
  const decided = decisionOf(build);
  return decided ? [`**${escapeMarkdown(decided.state)}**: ${escapeMarkdown(decided.words)}`] : [];
}

/** The checks, those that fail first; of an earlier server the flags. */
function checksOf({ checks, flags }: BuildJson): readonly string[] {
  if (checks === undefined) return flags.length === 0 ? [] : [flagTable(flags)];
  if (checks.length < 2) return [];
  const carried = new Map(flags.map((flag) => [`flag:${flag.name}`, flag.carried_from]));
  const rows = checks.slice(0, MAX_ROWS).map((check) => {
    const percent = check.covered_percent === null ? '—' : `${percentText(check.covered_percent)}%`;
    const change = check.coverage_change === null ? '—' : `${changeText(check.coverage_change)}%`;
    const origin = carried.get(check.id);
    const from = origin == null ? '' : ` (carried from build ${nameOf(origin.build)})`;
    return [
      `${signOf(check)} ${checkName(check)}${from}`,
      percent,
      change,
      escapeMarkdown(check.remedy?.sentence ?? ''),
    ];
  });
  const left = checks.length - rows.length;
  const more = left === 0 ? '' : `\n\nThe build page lists ${counted(left, 'more check')}.`;
  return [table('| Check | Coverage | Change | To pass |', '| --- | ---: | ---: | --- |', rows) + more];
}

function signOf({ state, accepted, informational }: CheckJson): string {
  if (state === 'success' || accepted) return '✅';
  return informational || state === 'incomplete' ? '⚠️' : '❌';
}

const NAMES: Readonly<Record<string, string>> = {
  total: 'Total',
  changes: 'Changed lines',
  elsewhere: 'Outside the change',
  file: 'coverage.yml',
};

function checkName({ id, kind, name, informational }: CheckJson): string {
  const shown = name === null ? (NAMES[id] ?? nameOf(id)) : `${nameOf(name)} (${escapeMarkdown(kind)})`;
  return informational ? `${shown}, informational` : shown;
}

function changeOf(patch: PatchJson): readonly string[] {
  const open = patch.files.filter((file) => file.missed_lines + file.missed_branches > 0);
  const rows = open.slice(0, MAX_ROWS).map(fileRow);
  const left = patch.file_count - (patch.files.length - open.length) - rows.length;
  return [
    changedLines(patch, patch.covered_percent === null ? undefined : percentText(patch.covered_percent)),
    ...(rows.length === 0
      ? []
      : [table('| Changed file | Lines | Branches | Uncovered lines |', '| --- | ---: | ---: | --- |', rows)]),
    ...(rows.length > 0 && left > 0 ? [`The build page lists ${counted(left, 'more changed file')}.`] : []),
    ...(patch.unmeasured_count === 0 ? [] : [unmeasured(patch.unmeasured_count, shown(patch.unmeasured))]),
  ];
}

function fileRow(file: PatchFileJson): readonly string[] {
  const { covered_lines, relevant_lines, covered_branches, relevant_branches, uncovered, uncovered_ranges } = file;
  const ranges = uncovered.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const more = uncovered_ranges > ranges.length ? [`and ${uncovered_ranges - ranges.length} more`] : [];
  return [
    nameOf(file.name),
    `${covered_lines} / ${relevant_lines}`,
    relevant_branches === 0 ? '—' : `${covered_branches} / ${relevant_branches}`,
    [...ranges, ...more].join(', ') || '—',
  ];
}

function flagTable(flags: readonly FlagJson[]): string {
  const rows = flags.slice(0, MAX_ROWS).map((flag) => {
    const percent = flag.covered_percent === null ? '—' : `${percentText(flag.covered_percent)}%`;
    const change = flag.coverage_change === null ? '—' : `${changeText(flag.coverage_change)}%`;
    const carried = flag.carried_from === null ? '' : ` (carried from build ${nameOf(flag.carried_from.build)})`;
    return [`${nameOf(flag.name)}${carried}`, percent, change];
  });
  const more = flags.length > rows.length ? `\n\n${moreFlags(flags.length - rows.length)}` : '';
  return table('| Flag | Coverage | Change |', '| --- | ---: | ---: |', rows) + more;
}

/** What was left out, where the build's warnings do not say it: it may be open still. */
function ownWarnings({ message, warnings }: UploadOutcome, build: BuildJson | undefined): readonly string[] {
  const ofJob = `${message.replace('#', '')}: `;
  if (build?.warnings.slice(0, MAX_WARNINGS).some((warning) => warning.startsWith(ofJob))) return [];
  return warnings.map((warning) => `> ${escapeMarkdown(warning)}`);
}

function uploadText({ url, message, flagName, files, lines, branches, reports }: UploadOutcome): string {
  const listed = reports.slice(0, MAX_REPORTS).map(({ path, format }) => `- ${nameOf(path)} (${nameOf(format)})`);
  const more = reports.length > MAX_REPORTS ? [`- ${moreReports(reports.length - MAX_REPORTS)}`] : [];
  const counts = { flag: nameOf(flagName), files, lines, branches };
  return [summary(link(message, url), counts), '', ...listed, ...more].join('\n');
}

function shown(names: readonly string[]): string {
  return names.slice(0, 5).map(nameOf).join(', ');
}

function nameOf(text: string): string {
  return escapeMarkdown(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME).toWellFormed()}…` : text);
}

/** `job` and `flag` are Markdown; `flag` is empty without one. */
function summary(
  job: string,
  {
    flag,
    files,
    lines,
    branches,
  }: Texts<'flag'> & Counts<'files'> & { readonly lines: Covered; readonly branches: Covered },
): string {
  const ofFlag = flag === '' ? '' : ` for flag ${flag}`;
  const ofBranches =
    branches.all === 0 ? '' : ` and ${branches.covered} of ${counted(branches.all, 'branch', 'branches')}`;
  const ofLines = `${lines.covered} of ${counted(lines.all, 'line')}`;
  return `${job}${ofFlag}: ${counted(files, 'file')}, ${ofLines}${ofBranches} covered, from:`;
}

function moreReports(count: number): string {
  return `and ${count} more`;
}

/** `percent`: without a sign for it; undefined if no changed line is relevant. */
function changedLines(
  counts: Counts<'covered_lines' | 'relevant_lines' | 'covered_branches' | 'relevant_branches'>,
  percent: string | undefined,
): string {
  if (percent === undefined) return 'No changed lines with code.';
  const { covered_lines, relevant_lines, covered_branches, relevant_branches } = counts;
  const ofBranches =
    relevant_branches === 0 ? '' : ` and ${covered_branches} of ${counted(relevant_branches, 'branch', 'branches')}`;
  return `${percent}% of the change is covered: ${covered_lines} of ${counted(relevant_lines, 'line')}${ofBranches}.`;
}

function moreFlags(count: number): string {
  return `The build page lists ${counted(count, 'more flag')}.`;
}

/** `names` are Markdown. */
function unmeasured(count: number, names: string): string {
  const files = counted(count, 'changed source file');
  return `${files} named by no report, so not measured: ${names}${count > 5 ? ', …' : ''}`;
}

/**
 * Text that stays text in GitHub's Markdown: line breaks become blanks and every mark of ASCII gets a backslash
 * (CommonMark allows it before each), so that no name becomes a link, an image, a table cell, HTML or a mention.
 */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A link where the address is one of the web, else the text alone. */
function link(text: string, url: string): string {
  const href = URL.canParse(url) ? new URL(url) : undefined;
  if (href === undefined || !/^https?:$/.test(href.protocol)) return escapeMarkdown(text);
  return `[${escapeMarkdown(text)}](<${href.href.replaceAll('<', '%3C').replaceAll('>', '%3E')}>)`;
}

/** A table of rows whose cells are Markdown already; `alignment` as GitHub writes it. */
function table(head: string, alignment: string, rows: readonly (readonly string[])[]): string {
  return [head, alignment, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}
