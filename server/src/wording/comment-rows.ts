import type { Links } from '../core/announce/links.ts';
import { isAccepted } from '../core/builds/acceptance.ts';
import type { BuildResult, FlagResult } from '../core/builds/build.ts';
import type { BuildCheck } from '../core/builds/build-checks.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { changeOf, placesOf, showPart, showPercent, totalPercent } from '../core/coverage/percent.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../core/coverage/totals.ts';
import { passes } from '../core/verdict/checks.ts';
import { judgedChange, reasonOf } from '../core/verdict/reason.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { describeCause, isCausedByChange } from './change-words.ts';
import { checkName, checkRule } from './check-words.ts';
import { codeCell, link, prose } from './markdown.ts';
import { counted } from './phrases.ts';

const MAX_LINKS = 8;
const DAY = 86_400_000;

interface Counted {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
  /** For what has one. */
  readonly verdict?: FlagVerdict | undefined;
}

/** `−9.92` under a heading that has the unit; a dash if nothing can be compared. */
export function showPoints({ totals, baseTotals, verdict }: Counted): string {
  const change = verdict === undefined ? changeOf(totals, baseTotals) : judgedChange({ totals, baseTotals, verdict });
  if (change === undefined) return '—';
  return change.numerator === 0n ? 'unchanged' : showPart(change, placesOf(change));
}

/** `78.57% (−2.19)` */
export function showMoved(row: Counted): string {
  const points = showPoints(row);
  return `${row.totals ? showPercent(totalPercent(row.totals)) : '—'}${points === '—' ? '' : ` (${points})`}`;
}

/** `131 of 163 lines and 41 of 54 branches` */
export function countsText(totals: CoverageTotals): string {
  const ofLines = `${totals.coveredLines} of ${counted(totals.relevantLines, 'line')}`;
  if (totals.branches === 0) return ofLines;
  return `${ofLines} and ${totals.coveredBranches} of ${counted(totals.branches, 'branch', 'branches')}`;
}

/** How much of a change, or of a file, is missed. */
export function missedCode(totals: CoverageTotals): number {
  return missedLines(totals) + missedBranches(totals);
}

/** Where lines are linked to. */
export interface LinePlace {
  /** Whose build is meant; undefined: no line is a link. */
  readonly commit: string | undefined;
  readonly file: string;
  readonly links: Links;
  /** The page that shows what is left out. */
  readonly page: string;
}

/** A file's name, linked to its page; `name`: as much of it as is shown. */
export function fileLink(name: string, { commit, file, links }: LinePlace): string {
  const shown = codeCell(name);
  return commit === undefined ? shown : link(shown, links.file({ commit, file }));
}

type Missed = Pick<BuildResult['fileChanges'][number], 'uncovered' | 'uncoveredRanges'> &
  Pick<PatchResult['files'][number], 'partlyCovered' | 'partlyCoveredLines'>;

/** `7–8, 12, branches at 6 and 9`, each a link; of many the first, and how many more there are. */
export function missedLinks(file: Missed, place: LinePlace): string {
  const { uncovered, uncoveredRanges, partlyCovered = [], partlyCoveredLines = partlyCovered.length } = file;
  const ranges = uncovered.slice(0, MAX_LINKS);
  const lines = partlyCovered.slice(0, MAX_LINKS - ranges.length);
  const shown = ranges.map(([first, last]) => lineLink(place, first, last));
  const more = uncoveredRanges - ranges.length + partlyCoveredLines - lines.length;
  const branches = listAnd(lines.map((line) => lineLink(place, line)));
  return [
    ...shown,
    ...(lines.length === 0 ? [] : [`${lines.length === 1 ? 'branch' : 'branches'} at ${branches}`]),
    ...(more > 0 ? [link(`${more} more`, place.page)] : []),
  ].join(', ');
}

function lineLink({ commit, file, links }: LinePlace, first: number, last = first): string {
  const text = first === last ? `${first}` : `${first}–${last}`;
  return commit === undefined ? text : link(text, links.file({ commit, file, lines: [first, last] }));
}

function listAnd(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Where the rows of checks lead, and what they contain. */
export interface CheckRows {
  readonly at: number;
  /** The page of the build, with the lines of a check. */
  readonly pageOf: (check: string) => string;
  /** Whether there is a column for the rule. */
  readonly withRule: boolean;
  /** Also where the changed lines made it fail. */
  readonly explained: boolean;
}

/** `|❌ web|75.65%|−9.92|no decrease allowed; cover 4 more lines|` */
export function checkRow(check: BuildCheck, rows: CheckRows): string {
  const { id, verdict, totals, flag, kind } = check;
  const name = checkName(check, 100);
  const shown = typeof name === 'string' ? prose(name) : codeCell(name.code);
  const address = rows.pageOf(id);
  const linked = address.length > MAX_ADDRESS ? shown : link(shown, address);
  const notes = [signOf(verdict), linked, ...checkNotes(check), ...(flag ? flagNotes(flag, rows.at) : [])].join(' ');
  const points = kind === 'changes' || verdict.state === 'incomplete' ? '' : showPoints(check);
  const cells = [notes, totals ? showPercent(totalPercent(totals)) : '—', points];
  return `|${[...cells, ...(rows.withRule ? [ruleNote(check, rows.explained)] : [])].join('|')}|`;
}

/** Each link of a row repeats the address: a few absurd names must not take the whole comment. */
const MAX_ADDRESS = 500;

function checkNotes({ verdict }: BuildCheck): readonly string[] {
  if (isAccepted(verdict)) return ['(accepted)'];
  return verdict.informational === true && verdict.state !== 'success' ? ['(informational)'] : [];
}

function flagNotes(flag: FlagResult, at: number): readonly string[] {
  const { kind, verdict, carried, lastSeen, looksPastBase } = flag;
  if (kind === 'missing')
    return verdict.state === 'incomplete'
      ? ['did not report']
      : [`not reported${lastSeen === undefined ? '' : `, last in ${nameOf(lastSeen)}`}`];
  return [
    ...(carried ? [`carried from ${nameOf(carried)}, ${ageOf(at - carried.closedAt)}`] : []),
    ...(looksPastBase ? earlierNote(verdict) : []),
  ];
}

/** The build before the base that a flag is compared with. */
function earlierNote(verdict: FlagResult['verdict']): readonly string[] {
  const reason = reasonOf(verdict);
  return reason.kind === 'measured' && reason.base ? [`compared with ${nameOf(reason.base)}`] : [];
}

function ageOf(age: number): string {
  return age < DAY ? 'under a day old' : `${counted(Math.floor(age / DAY), 'day')} old`;
}

/** A build's name for people: its commit as git shortens it. */
export function nameOf({ commit, number }: { readonly commit?: string | undefined; readonly number: string }): string {
  return commit === undefined ? `build ${prose(number, 60)}` : prose(commit.slice(0, 7));
}

/** The rule; of what falls short also by what cause, and what would pass; the page has whole sentences. */
function ruleNote(check: BuildCheck, explained: boolean): string {
  const { verdict, cause } = check;
  const rule = checkRule(check);
  const words = [rule.charAt(0).toLowerCase() + rule.slice(1)];
  if (!passes(check) && cause !== undefined && (explained || !isCausedByChange(cause))) {
    const { clause, remedy } = describeCause(cause, verdict);
    words.push(...[clause, remedy].filter((one) => one !== undefined));
  }
  return words
    .filter((one) => one !== '')
    .map((one) => prose(one, 100))
    .join('; ');
}

export function signOf(verdict: FlagResult['verdict']): string {
  const { state, informational } = verdict;
  if (isAccepted(verdict)) return '✅';
  if (informational === true && state !== 'success') return '⚠️';
  return { success: '✅', failure: '❌', incomplete: '⚠️', error: '⛔' }[state];
}
