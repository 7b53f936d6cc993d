import type { Links } from '../domain/announce/links.ts';
import type { BasePick, BuildResult, FlagResult } from '../domain/builds/build.ts';
import { isProvisional } from '../domain/builds/provisional.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import type { RepoSettings } from '../domain/repo/repo.ts';
import type { FlagVerdict } from '../domain/verdict/verdict.ts';
import { describeBaseRule } from './base-rule.ts';
import { describeNotMeasured } from './change-words.ts';
import { describeCloseWarnings } from './close-warnings.ts';
import { type CommentInput, fileSections } from './comment-files.ts';
import { countsText, flagNote, numberCells } from './comment-rows.ts';
import { fitRows } from './fit-rows.ts';
import { code, codeCell, link, prose } from './markdown.ts';
import { counted } from './phrases.ts';
import { explainVerdict } from './verdict-words.ts';

/** GitHub's limit is 65,536 characters; what is over gives way to a link (rule 25). */
export const MAX_COMMENT = 65_000;
/** Escaping makes hostile names up to eight times longer: flags must leave room for the files. */
const MAX_FLAG_TABLE = 20_000;
const MAX_FLAGS = 100;
/** Headings of the parts about files. */
const HEADINGS = 1_500;

/** The first line of our comments, by which one is found again (rule 25): BASE_URL and the repo's id. */
export function commentMarker(base: string, repoId: number): string {
  return `<!-- coverage: ${base.replaceAll('-->', '').replaceAll('--', '-%2D')} repo ${repoId} -->`;
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

/**
 * The comment as Markdown, in the order of rule 25: total and change, verdict, flags, changed files, losses elsewhere,
 * base.
 */
export function prComment(input: CommentInput): string {
  const { build, result, repo, links } = input;
  const head = [
    commentMarker(links.base, repo.id),
    `## ${headline(result, links)}`,
    verdictLine(result),
    sums(result),
    flagTable(result.flags),
  ];
  const ofCommit = build.commit ? ` of commit ${code(build.commit.slice(0, 10))}` : '';
  const foot = [
    warningList(result),
    baseLine(result, links),
    isProvisional(result) ? PROVISIONAL : '',
    link(`Build ${prose(build.number, 60)}`, links.build(build.id)) + ofCommit,
  ];
  const room = MAX_COMMENT - [...head, ...foot].join('\n\n').length - HEADINGS;
  return [...head, ...fileSections(input, room), ...foot].filter((part) => part !== '').join('\n\n');
}

const PROVISIONAL =
  '⏳ Provisional: the provider has not said yet which commit this is to be compared with. It is worked out ' +
  'again when it does.';

function headline(result: BuildResult, links: Links): string {
  const sign = signOf(result.verdict);
  const percent = totalPercent(result.totals);
  const change = changeOf(result.totals, result.baseTotals);
  const against = result.base ? ` against ${baseLink(result.base, links)}` : '';
  // Never a drop where something did not report (rule 13).
  if (result.verdict.state === 'error') return `${sign} Coverage could not be worked out`;
  if (result.verdict.state === 'incomplete') return `${sign} Coverage incomplete${against}`;
  if (percent === undefined) return `${sign} Coverage: no relevant lines${against}`;
  return `${sign} Coverage ${showPercent(percent)}${change ? ` (${showChange(change)})` : ''}${against}`;
}

function signOf({ state, informational }: Pick<FlagVerdict, 'state' | 'informational'>): string {
  if (informational === true && state !== 'success') return 'ℹ️';
  return { success: '✅', failure: '❌', incomplete: '⚠️', error: '⛔' }[state];
}

function baseLink(base: BasePick, links: Links): string {
  return link(`build ${prose(base.number, 60)}`, links.build(base.buildId));
}

function verdictLine({ verdict, cause }: BuildResult): string {
  const { state, rule, informational } = verdict;
  return (
    `**${state}** (${rule}${informational === true && state !== 'success' ? ', informational' : ''}): ` +
    prose(explainVerdict(verdict, cause))
  );
}

/** The counts behind the percentages, from which anybody can work them out (rule 2). */
function sums({ totals, patch, verdict: { state } }: BuildResult): string {
  if (state === 'error') return '';
  const all = `${countsText(totals)} covered.`;
  if (patch === undefined) return all;
  const percent = totalPercent(patch.totals);
  const changed =
    percent === undefined
      ? patch.notMeasured === undefined
        ? 'No changed line is relevant.'
        : 'No changed line was measured.'
      : `Of the change${patch.source === 'upload' ? ', as the upload states it' : ''}: ` +
        `${countsText(patch.totals)}, ${showPercent(percent)}.`;
  const verdict = patch.verdict ? ` ${signOf(patch.verdict)} ${prose(explainVerdict(patch.verdict), 400)}` : '';
  const left = describeNotMeasured(patch);
  const notMeasured = left === undefined ? '' : ` ${left}`;
  const known = patch.complete ? '' : ' Not every changed file or line is known.';
  return `${all} ${changed}${notMeasured}${verdict}${known}`;
}

function flagTable(flags: readonly FlagResult[]): string {
  if (flags.length === 0) return '';
  const all = flags
    .slice(0, MAX_FLAGS)
    .map((flag) => `| ${codeCell(flag.name, 100)} | ${numberCells(flag)} | ${flagNote(flag)} |`);
  const { rows } = fitRows(all, MAX_FLAG_TABLE);
  const left = flags.length - rows.length;
  const more = left > 0 ? `\n\n${counted(left, 'more flag')} on the build's page.` : '';
  return ['| Flag | Coverage | Change | |', '| --- | ---: | ---: | --- |', ...rows].join('\n') + more;
}

function baseLine(result: BuildResult, links: Links): string {
  const { base, verdict } = result;
  if (verdict.state === 'error') return '';
  if (base === undefined) return 'There is no base build to compare with.';
  const commit = base.commit ? ` (commit ${code(base.commit.slice(0, 10))})` : '';
  return `Compared with ${baseLink(base, links)}${commit}: ${prose(describeBaseRule(base))}.`;
}

function warningList(result: BuildResult): string {
  const shown = describeCloseWarnings(result).slice(0, 5);
  return shown.map((warning) => `- ⚠️ ${prose(warning, 300)}`).join('\n');
}
