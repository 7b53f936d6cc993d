import type { StatusContent } from '../core/announce/delivery.ts';
import type { BuildResult } from '../core/builds/build.ts';
import { type BuildCheck, checksOf, overallOf } from '../core/builds/build-checks.ts';
import { showChange, showPercent, totalPercent } from '../core/coverage/percent.ts';
import { statusText } from '../core/printable.ts';
import { sizeOf, sortChecks, standingOf } from '../core/verdict/checks.ts';
import { judgedChange } from '../core/verdict/reason.ts';
import { type CodeWord, checkName, checkRule, countsFail, kindWord, needsOf } from './check-words.ts';
import { buildStatus, type StatusFrame, stateOf } from './commit-status.ts';
import { capitalize } from './phrases.ts';
import { acceptedWords } from './verdict-words.ts';

/** How many checks a status names. */
const MAX_NAMED = 3;
const LONGEST_NAME = 40;

/**
 * What the build's own context shows if it stands for all checks: what fails comes first, so a cut loses the least.
 * The total's own words, if there is nothing else to say.
 */
export function overallStatus(result: BuildResult, frame: StatusFrame): StatusContent {
  const { state, failing, wouldFail } = overallOf(result);
  const checks = sortChecks(checksOf(result));
  const decisive = sizeOf(failing) > 0 ? failing : wouldFail;
  const isOfTotal = decisive.ids[0] === 'total' && sizeOf(failing) < 2;
  if (state === 'incomplete') return buildStatus(withoutHint(result), frame);
  if (checks.length === 1 || state === 'error' || isOfTotal) return buildStatus(result, frame);
  const red = checks.filter((one) => standingOf(one) === 'failing');
  const choices = state === 'failure' ? failureWords(red, checks) : successWords(result, checks);
  const texts = choices.map((sentences) => sentences.map((one) => `${capitalize(one)}.`).join(' '));
  const text = texts.find((one) => [...one].length <= frame.room) ?? texts.at(-1) ?? '';
  const description = statusText(text, frame.room);
  return { kind: 'status', state: stateOf({ state }), description, targetUrl: frame.url };
}

/** What the build lacks, each check lacks, even if the total is informational and another check is required. */
function withoutHint(result: BuildResult): BuildResult {
  const { informational: _, ...verdict } = result.verdict;
  return { ...result, verdict };
}

function successWords(result: BuildResult, checks: readonly BuildCheck[]): readonly (readonly string[])[] {
  const { wouldFail, accepted } = overallOf(result);
  const ofTotal = checks.find(({ kind }) => kind === 'total');
  const total = numbers(ofTotal, true);
  if (accepted && result.acceptance) return [[total, acceptedWords(result.acceptance)]];
  if (sizeOf(wouldFail) === 0) return [[total, `all ${checks.length} checks pass`], [total]];
  const would = checks.filter((one) => standingOf(one) === 'would-fail');
  const named = would.map((one) => [kindWord(one), nameOf(one)].filter(Boolean).join(' '));
  return [
    ...(would.length > MAX_NAMED ? [] : [[total, `${named.join(', ')} would fail (informational)`]]),
    [total, `${countsFail(wouldFail, true)} (informational)`],
  ];
}

/** The same text in fewer and fewer words. */
function failureWords(failing: readonly BuildCheck[], all: readonly BuildCheck[]): readonly (readonly string[])[] {
  const [first] = failing as readonly [BuildCheck];
  const needs = needsOf(first.kind === 'total' ? [first] : failing);
  const cover = needs === undefined ? [] : [needs];
  const total = all.find(({ kind, verdict }) => kind === 'total' && verdict.state === 'success');
  const ofTotal = total === undefined ? [] : [`total ${numbers(total)} passes`];
  const count = `Failed: ${failing.length} of ${all.length} checks, first ${nameOf(first)}`;
  const short = [[`${count} ${numbers(first)}`, ...ofTotal], [count, ...ofTotal], [count]];
  if (failing.length > MAX_NAMED) return short;
  const others = failing.slice(1).map(nameOf).join(', ');
  if (first.kind === 'total') {
    const rule = checkRule(first).toLowerCase();
    const failed = `Failed: total ${numbers(first)}${rule === '' ? '' : `, ${rule}`}`;
    return [[failed, `also fail: ${others}`, ...cover], [failed, `also fail: ${others}`], ...short];
  }
  const kind = kindWord(first);
  const failed =
    failing.length === 1
      ? `Failed: ${kind === undefined ? '' : `${kind} `}${nameOf(first)} ${numbers(first)}`
      : `Failed: ${failing.map(nameOf).join(', ')}`;
  return [[failed, ...ofTotal, ...cover], [failed, ...ofTotal], [failed], ...short];
}

function nameOf(check: BuildCheck): string {
  const name: string | CodeWord = checkName(check, LONGEST_NAME);
  if (typeof name !== 'string') return name.code;
  return check.name === undefined ? name.toLowerCase() : name;
}

/** `74.28% (−0.11)` */
function numbers(check: BuildCheck | undefined, withUnit = false): string {
  if (check === undefined) return '';
  const percent = check.totals && totalPercent(check.totals);
  const change = check.kind === 'changes' ? undefined : judgedChange(check);
  const moved = change === undefined ? '' : ` (${showChange(change, !withUnit)})`;
  return `${percent === undefined ? 'no lines' : showPercent(percent)}${moved}`;
}
