import type { Links } from '../core/announce/links.ts';
import { isAccepted } from '../core/builds/acceptance.ts';
import type { BuildResult } from '../core/builds/build.ts';
import { type BuildCheck, checksOf, overallOf } from '../core/builds/build-checks.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import { listChecks, sizeOf, sortChecks, standingOf } from '../core/verdict/checks.ts';
import { judgedChange } from '../core/verdict/reason.ts';
import { shortBaseRule } from './base-words.ts';
import { describeCloseWarnings } from './build-warnings.ts';
import { describeCause, namePart } from './change-words.ts';
import { countKinds } from './check-words.ts';
import { type CommentInput, type FileParts, fileParts } from './comment-files.ts';
import { checkRow, countsText, missedCode, nameOf } from './comment-rows.ts';
import { heading, verdictSentences } from './comment-verdict.ts';
import { fitRows } from './fit-rows.ts';
import { link, prose } from './markdown.ts';
import { capitalize, counted } from './phrases.ts';
import { rulesSentences } from './rules-words.ts';

/** Escaping makes hostile names up to eight times longer: checks must leave room for the files. */
const MAX_CHECK_TABLE = 10_000;
const MAX_CHECKS = 20;
const MAX_WARNINGS = 5;
/** Headings of the parts about files. */
const HEADINGS = 1_500;

/** The first line of our comments, by which one is found again (rule 25): BASE_URL and the repo's id. */
function commentMarker(base: string, repoId: number, { comment }: Pick<HostTerms, 'comment'>): string {
  return comment.marker(`coverage: ${base} repo ${repoId}`);
}

/**
 * Rule 25: whether a close of a pull request's build gives a new comment. `on-change`: not while the total is unchanged
 * and every check passes; `on-missed`: not while every changed line is covered and every check passes. An existing
 * comment is edited anyway, so that it does not keep saying something else.
 */
export function deservesComment(result: BuildResult, mode: RepoSettings['commentMode']): boolean {
  const { totals, baseTotals, verdict, patch } = result;
  const says = totalPercent(totals) !== undefined || verdict.state !== 'success';
  if (mode === 'always' || !says) return says;
  const { state, wouldFail, accepted } = overallOf(result);
  if (state !== 'success' || sizeOf(wouldFail) > 0 || accepted) return true;
  if (mode === 'on-missed') return patch !== undefined && missedCode(patch.totals) > 0;
  const { numerator } = changeOf(totals, baseTotals) ?? { numerator: undefined };
  return mode === 'on-drop' ? numerator !== undefined && numerator < 0n : numerator !== 0n;
}

/** The comment as Markdown, in the order of rule 25. */
export function prComment(input: CommentInput): string {
  const { build, result, repo, links, terms } = input;
  const said = heading(result, links);
  const head = [
    commentMarker(links.base, repo.id, terms),
    `### ${said}`,
    ...verdictSentences(input),
    ...rulesNotes(result),
    checkTable(input),
  ];
  const page = links.build(build.id);
  const about = `For ${link(nameOf(build), page)}${comparedWith(result, links, said)}.`;
  const foot = terms.comment.html ? `<sub>${about}</sub>` : about;
  const parts = foldedParts(input);
  const taken = [...head, ...parts.map(({ text }) => text), foot].join('\n\n').length;
  const files = fileParts(input, terms.comment.maxLength - taken - HEADINGS);
  return [
    ...head,
    files.changed,
    files.lost,
    files.measured,
    files.noLonger,
    files.more,
    folded(parts, files, terms),
    foot,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What the rules of this build are, where that is not what a reader expects. Never at the start of a line. */
function rulesNotes({ rules, verdict }: BuildResult): readonly string[] {
  const others = verdict.rule === 'invalid-file' ? { ...rules, proposal: undefined } : rules;
  return rulesSentences(others).map((sentence) => `**Rules:** ${prose(sentence)}`);
}

/** A part of what is folded; those with a title are named by the line that unfolds them. */
interface FoldedPart {
  readonly title?: string;
  readonly text: string;
}

function foldedParts(input: CommentInput): readonly FoldedPart[] {
  const { result } = input;
  return [
    passingPart(input),
    { text: whereItWent(result) },
    { title: result.base ? 'how this was compared' : 'counts', text: comparison(result) },
    { title: 'warnings', text: warningList(result) },
  ];
}

/** The line that unfolds is ours: HTML, in which Markdown has no meaning. */
function folded(
  [flags, ...others]: readonly FoldedPart[],
  files: FileParts,
  { comment: { html } }: Pick<HostTerms, 'comment'>,
): string {
  const all: readonly FoldedPart[] = [
    ...(flags ? [flags] : []),
    { title: 'lost in other files', text: files.elsewhere },
    { title: 'not in any report', text: files.unmeasured },
    ...others,
  ];
  const shown = all.filter(({ text }) => text !== '');
  if (shown.length === 0) return '';
  const titles = shown.flatMap(({ title }) => title ?? []).join(' · ');
  const body = shown.map(({ text }) => text).join('\n\n');
  // Without folding its own words stand above it.
  if (!html) return `#### ${capitalize(titles)}\n\n${body}`;
  return `<details><summary>${capitalize(titles)}</summary>\n\n${body}\n\n</details>`;
}

/** Where the heading does not name it already. */
function comparedWith({ base, verdict }: BuildResult, links: Links, said: string): string {
  if (base === undefined || verdict.state === 'incomplete' || verdict.state === 'error') return '';
  const named = link(nameOf(base), links.build(base.buildId));
  return said.includes(named) ? '' : `, compared with ${named}`;
}

/** The checks that fail, or would; the total is in the heading. */
function checkTable(input: CommentInput): string {
  const checks = sortChecks(checksOf(input.result));
  const shown = checks.filter((check) => standingOf(check) !== 'passing' || isAccepted(check.verdict));
  if (shown.every(({ kind }) => kind === 'total')) return '';
  return tableOf(shown, input, true);
}

function tableOf(
  checks: readonly BuildCheck[],
  { build, result, links, terms }: CommentInput,
  isOpen: boolean,
): string {
  const { html } = terms.comment;
  const withRule = isOpen && html;
  const explained = result.verdict.state !== 'failure';
  const pageOf = (check: string): string => links.build(build.id, check);
  const all = checks
    .slice(0, MAX_CHECKS)
    .map((check) => checkRow(check, { at: result.closedAt, pageOf, withRule, explained }));
  const { rows } = fitRows(all, MAX_CHECK_TABLE);
  const left = checks.length - rows.length;
  const more = left > 0 ? `\n\n${link(counted(left, 'more check'), links.build(build.id))}` : '';
  const head = withRule
    ? ['|Check|Coverage|Change, points|Rule|', '|:--|--:|--:|:--|']
    : ['|Check|Coverage|Change, points|', '|:--|--:|--:|'];
  return [...head, ...rows].join('\n') + more;
}

/** What passes, by kinds; of flags those that moved, are carried, or were not reported. */
function passingPart(input: CommentInput): FoldedPart {
  const { result } = input;
  const passing = checksOf(result).filter((check) => standingOf(check) === 'passing' && !isAccepted(check.verdict));
  const checks = checksOf(result).length;
  if (checks < 2 || passing.length === 0) return { text: '' };
  const title = passing.length === 1 ? '1 check passes' : `${passing.length} checks pass`;
  const moved = passing.filter(({ kind, flag, totals, baseTotals }) => {
    return kind === 'flag' && (flag?.kind !== 'uploaded' || changeOf(totals, baseTotals)?.numerator !== 0n);
  });
  const kinds = `${capitalize(countKinds(listChecks(passing)))}.`;
  return { title, text: moved.length === 0 ? kinds : `${kinds}\n\n${tableOf(moved, input, false)}` };
}

/** The parts add up to the change as it is shown. */
function whereItWent(result: BuildResult): string {
  const { cause, verdict } = result;
  const change = verdict.state === 'incomplete' ? undefined : judgedChange(result);
  const { parts } = cause === undefined ? { parts: [] } : describeCause(cause, verdict);
  if (change === undefined || parts.length === 0) return '';
  const went = change.numerator < 0n ? 'went' : 'came from';
  const words = parts.map((part) => `${prose(namePart(part), 100)} ${part.shown ?? part.points}`);
  return `**Where the ${showChange(change).slice(1)} ${went}:** ${words.join(', ')}.`;
}

function comparison({ totals, baseTotals, base, verdict }: BuildResult): string {
  if (verdict.state === 'error') return '';
  const counts = countsText(totals);
  // Never a drop where something did not report (rule 13).
  if (base === undefined || verdict.state === 'incomplete') return `${counts}.`;
  const before = baseTotals === undefined ? '' : ` ${showPercent(totalPercent(baseTotals))}`;
  return `${counts}, from${before} (${prose(shortBaseRule(base))}).`;
}

function warningList(result: BuildResult): string {
  const shown = describeCloseWarnings(result).slice(0, MAX_WARNINGS);
  return shown.map((warning) => `- ⚠️ ${prose(warning, 300)}`).join('\n');
}
