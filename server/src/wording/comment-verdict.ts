import type { Links } from '../core/announce/links.ts';
import { isAccepted, MAX_REASON } from '../core/builds/acceptance.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import { type BuildCheck, checksOf, overallOf } from '../core/builds/build-checks.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { filesWithLostLines } from '../core/builds/file-changes.ts';
import { isProvisional } from '../core/builds/provisional.ts';
import { changeOf, showChange, showLimit, showPercent, totalPercent } from '../core/coverage/percent.ts';
import { type CoverageTotals, missedLines } from '../core/coverage/totals.ts';
import { printable } from '../core/printable.ts';
import { type CheckList, checkId, type Overall, sizeOf, sortChecks, standingOf } from '../core/verdict/checks.ts';
import { judgedChange, type Remedy, reasonOf } from '../core/verdict/reason.ts';
import type { ExplainedChange } from '../core/verdict/verdict.ts';
import { describeCause, describeNotMeasured, isCausedByChange, isLoss, whyMoved } from './change-words.ts';
import {
  checkName,
  isPlural,
  joinAnd,
  kindWord,
  nameWithin,
  needsOf,
  type Phrase,
  readCheckId,
} from './check-words.ts';
import { missedCode, nameOf } from './comment-rows.ts';
import { code, link, prose } from './markdown.ts';
import { explainedBy, remedyWords } from './page-verdict.ts';
import { capitalize, counted } from './phrases.ts';
import { checkRemedy } from './remedies.ts';
import { errorsIn, placeIn } from './rules-words.ts';
import { acceptedWords, explainVerdict, incompleteWords, ruleSentence } from './verdict-words.ts';
import { whyUnverified } from './why-unverified.ts';

/** What fails first, then total, change and base, and the coverage of the change, in one line (rule 25). */
export function heading(result: BuildResult, links: Links): string {
  const { totals, verdict } = result;
  const overall = overallOf(result);
  const { state, failing, wouldFail } = overall;
  const sign = signOfOverall(result);
  if (verdict.state === 'error') return `${sign} Coverage could not be calculated`;
  // Never a drop where something did not report (rule 13).
  if (state === 'incomplete' || verdict.state === 'incomplete') {
    const what = incompleteWords(verdict)?.what;
    const others = failing.ids.filter((id) => id !== 'total' && !isMissing(id, result));
    const fail = state === 'failure' ? ` · ${failWords({ ...failing, ids: others }, overall)}` : '';
    return `${sign} Coverage is incomplete${what === undefined ? '' : `: ${prose(what, 200)}`}${fail}`;
  }
  const percent = totalPercent(totals);
  const isAlone = failing.ids.every((id) => id === 'total');
  if (percent === undefined && isAlone) return `${sign} No relevant lines`;
  const change = judgedChange(result);
  const moved = change === undefined ? '' : change.numerator === 0n ? ', unchanged' : ` (${showChange(change)})`;
  const number = `${percent === undefined ? 'no relevant lines' : showPercent(percent)}${moved}`;
  const isOfTotal = failing.ids[0] === 'total';
  const broken = reasonOf(verdict);
  if (broken.kind === 'invalid-file' && sizeOf(failing) === 1)
    return `${sign} Coverage: ${code('coverage.yml')} has ${errorsIn(broken)} · total ${number}`;
  if (state === 'failure' && !isOfTotal) return `${sign} Coverage: ${failWords(failing, overall)} · total ${number}`;
  const others = { ...failing, ids: failing.ids.slice(1), counts: { ...failing.counts, total: 0 } };
  if (state === 'failure' && others.ids.length > 0)
    return `${sign} Coverage ${number} · ${failWords(others, overall, ' too')}`;
  if (state === 'success' && sizeOf(wouldFail) > 0 && wouldFail.ids[0] !== 'total')
    return `${sign} Coverage ${number} · ${failWords(wouldFail, overall).replace(/ fails?$/, ' would fail')}`;
  const checks = sizeOf(overall.passing);
  const isAllPass = state === 'success' && checks > 1 && sizeOf(wouldFail) === 0 && overall.accepted !== true;
  const rest = isAllPass ? ` · all ${checks} checks pass` : ofChange(result);
  return `${sign} Coverage ${number}${against(result, links)}${rest}`;
}

function against({ base, totals, baseTotals }: BuildResult, links: Links): string {
  if (base === undefined) return '';
  const isSame = changeOf(totals, baseTotals)?.numerator === 0n;
  return ` ${isSame ? 'from' : 'against'} ${link(nameOf(base), links.build(base.buildId))}`;
}

function ofChange({ patch }: BuildResult): string {
  const percent = patch && totalPercent(patch.totals);
  return percent === undefined ? '' : ` · changed lines ${showPercent(percent)}`;
}

function isMissing(id: string, { flags }: BuildResult): boolean {
  return flags.some(({ name, kind }) => kind === 'missing' && checkId('flag', name) === id);
}

/** `flag `pages` fails`; of a few their names; of more how many. */
function failWords(list: CheckList, { failing, wouldFail, passing }: Overall, more = ''): string {
  const size = sizeOf(list);
  const all = sizeOf(failing) + sizeOf(wouldFail) + sizeOf(passing);
  const named = list.ids.flatMap((id) => readCheckId(id, list.names) ?? []);
  if (size > MAX_NAMED) return `${size} of ${all} checks fail${more}`;
  const names = joinAnd(named.map(nameWithin)).map(wordOf).join('');
  const [first] = named;
  const isOne = named.length === 1 && first !== undefined;
  const kind = isOne ? kindWord(first) : undefined;
  const verb = isOne && !isPlural(first) ? 'fails' : 'fail';
  return `${kind === undefined ? '' : `${kind} `}${names} ${verb}${more}`;
}

/** Checks that a heading names. */
const MAX_NAMED = 3;

function wordOf(word: Phrase[number]): string {
  // What joins names is ours, with its blanks.
  if (typeof word !== 'string') return code(word.code);
  return /^(?:, | and )$/.test(word) ? word : prose(word, 200);
}

/** What is red at the host is red here. */
function signOfOverall(result: BuildResult): string {
  const { state, wouldFail } = overallOf(result);
  if (state === 'success') return sizeOf(wouldFail) > 0 ? '⚠️' : '✅';
  return { failure: '❌', incomplete: '⚠️', error: '⛔' }[state];
}

/** The rule that decided, and what would pass; then what else must be known to believe it. */
export function verdictSentences({
  build,
  result,
  links,
}: {
  readonly build: Build;
  readonly result: BuildResult;
  readonly links: Links;
}): readonly string[] {
  const { patch } = result;
  const overall = overallOf(result);
  const others = ofOthers(result);
  // What only the total or the change says explains nothing if something else decides.
  const isByOthers = others.length > 0 && result.verdict.state !== 'incomplete' && !patchFails(result);
  const isOfGroup = result.verdict.rule === 'group' && patchFails(result);
  const rest = isByOthers ? others : [...(isOfGroup ? [] : ofTotal(result)), ...ofPatch(result), ...others];
  const decided = [...ofAcceptance(result), ...rest].join(' ');
  const isRed = overall.state === 'failure' && decided !== '';
  const isHint = sizeOf(overall.wouldFail) > 0 && result.verdict.state !== 'incomplete';
  const place = isRed || isHint ? placeToShow(result) : undefined;
  const show =
    place === undefined
      ? ''
      : ` ${link(SECTIONS[place.section], `${links.build(build.id, place.check)}#${place.section}`)}`;
  return [
    (isRed ? `**${decided}**` : decided) + show,
    [
      ...(patch === undefined ? [] : [describeNotMeasured(patch), caveat(patch)]),
      isProvisional(result) ? PROVISIONAL : undefined,
      build.trust === 'run' ? `⚠️ Unverified: ${whyUnverified(build)}.` : undefined,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  ];
}

/** What a part of the build's page lists: the sentence before the link may ask for more lines, or for others. */
const SECTIONS = { cover: 'Show what is missed', elsewhere: 'Show what was lost' } as const;

/** Where the build's page lists the lines that the sentences are about; undefined if it does not. */
function placeToShow(
  result: BuildResult,
): { readonly check?: string; readonly section: keyof typeof SECTIONS } | undefined {
  const { cause, patch } = result;
  const { failing, wouldFail } = overallOf(result);
  const [first] = [...failing.ids, ...wouldFail.ids];
  if (first === 'file') return undefined;
  if (first === 'elsewhere') return filesWithLostLines(result).length > 0 ? { section: 'elsewhere' } : undefined;
  if (first !== 'total' && first !== 'changes') {
    const flag = result.flags.find(({ name }) => checkId('flag', name) === first);
    if (first === undefined || patch === undefined || flag?.kind === 'missing') return undefined;
    return sizeOf(failing) > 1 ? { section: 'cover' } : { check: first, section: 'cover' };
  }
  const explained = explainedBy(cause);
  const isInChange = explained?.remedy?.of === 'changed-lines' || explained?.remedy?.of === 'changed-code';
  if (patch !== undefined && missedCode(patch.totals) > 0 && (isInChange || first === 'changes'))
    return { section: 'cover' };
  return isLoss(cause) && filesWithLostLines(result).length > 0 ? { section: 'elsewhere' } : undefined;
}

const PROVISIONAL =
  '⏳ Provisional: the git host has not said yet which commit to compare with. This comment follows when it does.';

function caveat({ source, complete }: PatchResult): string | undefined {
  if (!complete) return 'Some changed files or lines are unknown.';
  return source === 'upload' ? 'Changed lines are as the upload reported them.' : undefined;
}

function ofAcceptance({ acceptance }: BuildResult): readonly string[] {
  if (acceptance === undefined) return [];
  const words = capitalize(prose(acceptedWords(acceptance), MAX_REASON + 100));
  const sentence = /[.!?]$/.test(words) ? words : `${words}.`;
  return acceptance.holds ? [sentence] : [sentence, 'It does not cover everything that fails now.'];
}

function ofTotal(result: BuildResult): readonly string[] {
  const { verdict, cause } = result;
  const incomplete = incompleteWords(verdict);
  if (incomplete !== undefined)
    return [...(incomplete.why ? [incomplete.why] : []), 'Re-run the missing job; this comment updates.'];
  const rule = ruleSentence(verdict);
  const known = rule === undefined ? [] : [prose(rule)];
  if (verdict.state !== 'failure') return known;
  const isInformational = verdict.informational === true;
  const failed = isInformational || isAccepted(verdict) ? known.map((one) => wouldFail(one, isInformational)) : known;
  // These say by themselves what fails; the cause is the total's.
  if (cause === undefined || verdict.rule === 'elsewhere' || verdict.rule === 'invalid-file') return failed;
  const { remedy, split, changed }: Partial<ExplainedChange> = isCausedByChange(cause)
    ? (cause as ExplainedChange)
    : {};
  const isAsked = remedy !== undefined && !isInformational && !isAccepted(verdict);
  const toPass = isAsked ? [coverSentence(remedy, changed ?? split?.changed ?? result.patch?.totals)] : [];
  const { sentence } = describeCause(cause, verdict);
  const why = isCausedByChange(cause) || sentence === '' ? [] : [prose(sentence)];
  return [...failed, ...why, ...toPass];
}

function wouldFail(rule: string, isInformational: boolean): string {
  return `Would fail${isInformational ? ' (informational)' : ''}: ${rule.charAt(0).toLowerCase()}${rule.slice(1)}`;
}

/** `Cover 16 of the 19 missed lines and branches in this change to pass.` */
function coverSentence(remedy: Remedy, changed: CoverageTotals | undefined): string {
  const { what, rest } = remedyWords(remedy, { changed, informational: false });
  return what + rest;
}

/** How the changed lines stand, where they have a verdict of their own or the total does not fail. */
function ofPatch({ verdict, patch }: BuildResult): readonly string[] {
  if (patch === undefined || verdict.state === 'error' || verdict.state === 'incomplete') return [];
  const reason = patch.verdict && reasonOf(patch.verdict);
  if (patch.verdict && isAccepted(patch.verdict)) return [];
  if (patch.verdict && patch.verdict.state === 'failure')
    return [reason?.kind === 'patch' ? reachSentence(reason) : prose(explainVerdict(patch.verdict), 400)];
  if (verdict.state === 'failure') return [];
  const { coveredLines, relevantLines, branches } = patch.totals;
  if (relevantLines + branches === 0) return patch.notMeasured === undefined ? [noChangedCode(patch)] : [];
  if (missedCode(patch.totals) > 0) return [`${patchText(patch.totals)} covered.`];
  return [relevantLines === 1 ? 'The changed line is covered.' : `All ${coveredLines} changed lines are covered.`];
}

/** Comments and blank lines are no code; of a file that no report names nothing is known. */
export function noChangedCode({ unmeasuredCount }: Pick<PatchResult, 'unmeasuredCount'>): string {
  return unmeasuredCount > 0 ? 'No changed lines are measured.' : 'No changed lines with code.';
}

function patchText({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals): string {
  const ofBranches = branches === 0 ? '' : ` and ${coveredBranches} of ${counted(branches, 'branch', 'branches')}`;
  const verb = relevantLines === 1 && branches === 0 ? 'is' : 'are';
  return `${coveredLines} of ${counted(relevantLines, 'changed line')}${ofBranches} ${verb}`;
}

function reachSentence(reason: Extract<ReturnType<typeof reasonOf>, { kind: 'patch' }>): string {
  const { totals, minimum, base: found, remedy } = reason;
  const ofBase = found === undefined ? 'pass' : `reach the base's ${showPercent(totalPercent(found.base.totals))}`;
  const limit = minimum === undefined ? ofBase : `reach ${showLimit(minimum.minimum)}%`;
  if (remedy === undefined) return `The change must ${limit}.`;
  const { count } = remedy;
  const isLines = remedy.of === 'changed-lines' || remedy.of === 'lines';
  const missed = isLines ? missedLines(totals) : missedCode(totals);
  if (missed === 1) return `Cover the missed changed line${isLines ? '' : ' or branch'} to ${limit}.`;
  const some = count === missed ? `all ${count}` : `${count} of the ${missed}`;
  return `Cover ${some} missed changed lines${isLines ? '' : ' and branches'} to ${limit}.`;
}

/** What to do about checks other than the total and the changed lines, if nothing else fails. */
function ofOthers(result: BuildResult): readonly string[] {
  const checks = sortChecks(checksOf(result));
  const failing = checks.filter((check) => standingOf(check) === 'failing');
  const would = checks.filter((check) => standingOf(check) === 'would-fail');
  const [first] = failing.length > 0 ? failing : would;
  if (first?.kind === 'file' && failing.length === 1) return fixFile(first);
  if (first === undefined || !(first.kind === 'flag' || first.kind === 'group')) return [];
  if (first.verdict.state !== 'failure') return [];
  const named = failing.length > MAX_NAMED ? [`First ${failing.slice(0, MAX_NAMED).map(nameIn).join(', ')}.`] : [];
  if (failing.length > 1)
    return [...named, ...[needsOf(failing)].flatMap((needs) => (needs ? `${needs} to pass.` : []))];
  const isHint = failing.length === 0;
  const informs = isHint ? ['Informational: nothing is blocked.'] : [];
  // The missing job decides first, and its words are the build's.
  if (result.verdict.state === 'incomplete') return informs;
  const words = checkRemedy(first, result);
  const why = first.cause === undefined || isCausedByChange(first.cause) ? '' : whyMoved(first.cause, first.verdict);
  return [
    ...informs,
    ...(why === '' ? [] : [prose(why)]),
    ...(words === undefined ? [] : [`${words.within} in ${nameIn(first)}${isHint ? ' to clear it.' : ' to pass.'}`]),
  ];
}

function fixFile({ verdict }: BuildCheck): readonly string[] {
  const reason = reasonOf(verdict);
  if (reason.kind !== 'invalid-file') return [];
  const message = printable(reason.message.replaceAll('`', '"'), 300);
  return [
    `${prose(`Fix ${placeIn(reason)} of ${printable(reason.path, 80)}: ${message}`)}`,
    'If this were merged, its rules couldn’t be read.',
  ];
}

function patchFails({ patch }: BuildResult): boolean {
  return patch?.verdict?.state === 'failure' && !isAccepted(patch.verdict);
}

function nameIn(check: BuildCheck): string {
  return wordOf(checkName(check));
}
