import type { Links } from '../core/announce/links.ts';
import { isAccepted, MAX_REASON } from '../core/builds/acceptance.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { filesWithLostLines } from '../core/builds/file-changes.ts';
import { isProvisional } from '../core/builds/provisional.ts';
import { showChange, showLimit, showPercent, totalPercent } from '../core/coverage/percent.ts';
import { type CoverageTotals, missedLines } from '../core/coverage/totals.ts';
import type { ExplainedChange } from '../core/verdict/change-cause.ts';
import { judgedChange, type Remedy, reasonOf } from '../core/verdict/reason.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { describeCause, describeNotMeasured, isCausedByChange, isLoss } from './change-words.ts';
import { isRed, missedCode, nameOf, signOf } from './comment-rows.ts';
import { link, prose } from './markdown.ts';
import { explainedBy, remedyWords } from './page-verdict.ts';
import { capitalise, counted } from './phrases.ts';
import { acceptedWords, explainVerdict, incompleteWords, ofTheChange, ruleSentence } from './verdict-words.ts';
import { whyUnverified } from './why-unverified.ts';

/** Verdict, total, change and base, and the coverage of the change, in one line (rule 25). */
export function heading(result: BuildResult, links: Links): string {
  const { totals, base, patch } = result;
  const verdict = worstVerdict(result);
  const sign = signOf(verdict);
  const percent = totalPercent(totals);
  if (verdict.state === 'error') return `${sign} Coverage could not be worked out`;
  // Never a drop where something did not report (rule 13).
  if (verdict.state === 'incomplete') {
    const what = incompleteWords(verdict)?.what;
    return `${sign} Coverage is incomplete${what === undefined ? '' : `: ${prose(what, 200)}`}`;
  }
  if (percent === undefined) return `${sign} No relevant lines`;
  const change = judgedChange(result);
  const isSame = change?.numerator === 0n;
  const moved = change === undefined ? '' : isSame ? ', unchanged' : ` (${showChange(change)})`;
  const against =
    base === undefined ? '' : ` ${isSame ? 'from' : 'against'} ${link(nameOf(base), links.build(base.buildId))}`;
  const ofPatch = patch && totalPercent(patch.totals);
  const changed = ofPatch === undefined ? '' : ` · ${ofTheChange(ofPatch)}`;
  return `${sign} Coverage ${showPercent(percent)}${moved}${against}${changed}`;
}

/** What is red at the host is red here: a flag, or the changed lines, may fail where the total passes. */
function worstVerdict({ verdict, patch, flags }: BuildResult): FlagVerdict {
  if (verdict.state !== 'success' && !isAccepted(verdict)) return verdict;
  const others = [...(patch?.verdict ? [patch.verdict] : []), ...flags.map((flag) => flag.verdict)];
  return others.find(isRed) ?? verdict;
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
  const decided = [...ofAcceptance(result), ...ofTotal(result), ...ofPatch(result), ...ofFlags(result)].join(' ');
  const worst = worstVerdict(result);
  const fails = worst.state === 'failure' && !isAccepted(worst);
  const section = fails && decided !== '' ? sectionToShow(result) : undefined;
  const show = section === undefined ? '' : ` ${link('Show them', `${links.build(build.id)}#${section}`)}`;
  return [
    (isRed(worst) ? `**${decided}**` : decided) + show,
    [
      ...(patch === undefined ? [] : [describeNotMeasured(patch), caveat(patch)]),
      isProvisional(result) ? PROVISIONAL : undefined,
      build.trust === 'run' ? `⚠️ Unverified: ${whyUnverified(build)}.` : undefined,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  ];
}

/** The part of the build's page that lists the lines that the sentences are about; undefined where none does. */
function sectionToShow(result: BuildResult): 'cover' | 'elsewhere' | undefined {
  const { cause, patch } = result;
  const explained = explainedBy(cause);
  const isInChange = explained?.remedy?.of === 'changed-lines' || explained?.remedy?.of === 'changed-code';
  const patchFails = patch?.verdict?.state === 'failure';
  if (patch !== undefined && missedCode(patch.totals) > 0 && (isInChange || patchFails)) return 'cover';
  return isLoss(cause) && filesWithLostLines(result).length > 0 ? 'elsewhere' : undefined;
}

const PROVISIONAL =
  '⏳ Provisional: the git host has not said yet which commit to compare with. This comment follows when it does.';

function caveat({ source, complete }: PatchResult): string | undefined {
  if (!complete) return 'Not every changed file or line is known.';
  return source === 'upload' ? 'Which lines changed is what the upload states.' : undefined;
}

function ofAcceptance({ acceptance }: BuildResult): readonly string[] {
  if (acceptance === undefined) return [];
  const words = capitalise(prose(acceptedWords(acceptance), MAX_REASON + 100));
  const sentence = /[.!?]$/.test(words) ? words : `${words}.`;
  return acceptance.holds ? [sentence] : [sentence, 'That does not hold for all that fails now.'];
}

function ofTotal(result: BuildResult): readonly string[] {
  const { verdict, cause } = result;
  const incomplete = incompleteWords(verdict);
  if (incomplete !== undefined)
    return [...(incomplete.why ? [incomplete.why] : []), 'Run what is missing again; this comment follows.'];
  const rule = ruleSentence(verdict);
  const known = rule === undefined ? [] : [prose(rule)];
  if (verdict.state !== 'failure') return known;
  const isInformational = verdict.informational === true;
  const failed = isInformational || isAccepted(verdict) ? known.map(wouldFail) : known;
  const only = isInformational ? ['This repo only informs.'] : [];
  if (cause === undefined) return [...failed, ...only];
  const { remedy, split, changed }: Partial<ExplainedChange> = isCausedByChange(cause)
    ? (cause as ExplainedChange)
    : {};
  const isAsked = remedy !== undefined && !isInformational && !isAccepted(verdict);
  const toPass = isAsked ? [coverSentence(remedy, changed ?? split?.changed ?? result.patch?.totals)] : [];
  const { sentence } = describeCause(cause, verdict);
  const why = isCausedByChange(cause) || sentence === '' ? [] : [prose(sentence)];
  return [...failed, ...why, ...toPass, ...only];
}

function wouldFail(rule: string): string {
  return `Would fail: ${rule.charAt(0).toLowerCase()}${rule.slice(1)}`;
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

/** Only where nothing else fails: the folded table says which and why. */
function ofFlags({ verdict, patch, flags }: BuildResult): readonly string[] {
  if ([verdict, ...(patch?.verdict ? [patch.verdict] : [])].some(isRed)) return [];
  const failing = flags.filter((flag) => isRed(flag.verdict)).length;
  return failing === 0 ? [] : [`${counted(failing, 'flag fails', 'flags fail')}, see below.`];
}
