import type { BuildResult, FlagResult } from '../core/builds/build.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import { judgedChange } from '../core/verdict/reason.ts';
import { shortBaseRule } from './base-rule.ts';
import { describeCause, namePart } from './change-words.ts';
import { describeCloseWarnings } from './close-warnings.ts';
import { type CommentInput, type FileParts, fileParts } from './comment-files.ts';
import { countsText, flagRow, nameOf } from './comment-rows.ts';
import { heading, verdictSentences } from './comment-verdict.ts';
import { fitRows } from './fit-rows.ts';
import { link, prose } from './markdown.ts';
import { capitalise, counted } from './phrases.ts';

/** Escaping makes hostile names up to eight times longer: flags must leave room for the files. */
const MAX_FLAG_TABLE = 20_000;
const MAX_FLAGS = 100;
const MAX_WARNINGS = 5;
/** Headings of the parts about files. */
const HEADINGS = 1_500;

/** The first line of our comments, by which one is found again (rule 25): BASE_URL and the repo's id. */
export function commentMarker(base: string, repoId: number, { comment }: Pick<HostTerms, 'comment'>): string {
  return comment.marker(`coverage: ${base} repo ${repoId}`);
}

/**
 * Rule 25: whether a close of a pull request's build gives a new comment. `on-change`: not while the total is unchanged
 * and nothing fails; an existing comment is edited all the same, lest it go on saying something else.
 */
export function deservesComment(result: BuildResult, mode: RepoSettings['commentMode']): boolean {
  const { totals, baseTotals, verdict, flags, patch } = result;
  const says = totalPercent(totals) !== undefined || verdict.state !== 'success';
  if (mode === 'always' || !says) return says;
  const verdicts = [verdict, ...flags.map((flag) => flag.verdict), ...(patch?.verdict ? [patch.verdict] : [])];
  return changeOf(totals, baseTotals)?.numerator !== 0n || verdicts.some(({ state }) => state !== 'success');
}

/** The comment as Markdown, in the order of rule 25. */
export function prComment(input: CommentInput): string {
  const { build, result, repo, links, terms } = input;
  const head = [commentMarker(links.base, repo.id, terms), `### ${heading(result, links)}`, ...verdictSentences(input)];
  const page = links.build(build.id);
  const said = `For ${link(nameOf(build), page)}.`;
  const foot = terms.comment.html ? `<sub>${said}</sub>` : said;
  const parts = foldedParts(result);
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

/** A part of what is folded; those with a title are named by the line that unfolds them. */
interface FoldedPart {
  readonly title?: string;
  readonly text: string;
}

function foldedParts(result: BuildResult): readonly FoldedPart[] {
  return [
    { title: 'flags', text: flagTable(result) },
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
    { title: 'lost elsewhere', text: files.elsewhere },
    { title: 'not measured', text: files.unmeasured },
    ...others,
  ];
  const shown = all.filter(({ text }) => text !== '');
  if (shown.length === 0) return '';
  const titles = shown.flatMap(({ title }) => title ?? []).join(' · ');
  const body = shown.map(({ text }) => text).join('\n\n');
  // Without folding its own words stand above it.
  if (!html) return `#### ${capitalise(titles)}\n\n${body}`;
  return `<details><summary>${capitalise(titles)}</summary>\n\n${body}\n\n</details>`;
}

function flagTable({ flags, verdict, closedAt }: BuildResult): string {
  if (flags.length === 0) return '';
  const row = (flag: FlagResult) => flagRow(flag, { at: closedAt, explained: verdict.state !== 'failure' });
  const { rows } = fitRows(flags.slice(0, MAX_FLAGS).map(row), MAX_FLAG_TABLE);
  const left = flags.length - rows.length;
  const more = left > 0 ? `\n\n${counted(left, 'more flag')} on the build's page.` : '';
  return ['|Flag|Coverage|Change, points|', '|:--|--:|--:|', ...rows].join('\n') + more;
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
