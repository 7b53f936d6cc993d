import { changeOf, compareRatios, type Ratio, totalPercent } from '../coverage/percent.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import type { BuildResult } from './build.ts';
import type { Acceptance, AcceptedBy, AcceptedNumbers } from './build-facts.ts';

/** As many have a commit status. */
const MAX_ACCEPTED_FLAGS = 100;

/** Characters. */
export const MAX_REASON = 500;

/** Undefined where nothing fails, or no numbers can be judged: a build that is incomplete, or cannot be merged. */
export function acceptFailures(result: BuildResult, by: AcceptedBy): Acceptance | undefined {
  const { verdict, patch, flags } = result;
  if (!isJudged(result)) return undefined;
  const failing = flags.filter((flag) => flag.verdict.state === 'failure').slice(0, MAX_ACCEPTED_FLAGS);
  const ofPatch = patch?.verdict?.state === 'failure' ? patch : undefined;
  if (verdict.state !== 'failure' && ofPatch === undefined && failing.length === 0) return undefined;
  return {
    ...by,
    ...(verdict.state === 'failure' && { build: { totals: result.totals, baseTotals: result.baseTotals } }),
    ...(ofPatch && { patch: { totals: ofPatch.totals, baseTotals: undefined } }),
    flags: failing.map(({ name, totals, baseTotals }) => ({ name, totals, baseTotals })),
  };
}

/**
 * The result with what is accepted of it. An acceptance is of numbers: it holds while neither percentage nor change is
 * lower than it was then, and for nothing that passed then.
 */
export function markAccepted(result: BuildResult, acceptance: Acceptance | undefined): BuildResult {
  const { acceptance: was, ...rest } = result;
  if (was === undefined && acceptance === undefined) return result;
  const mark = <V extends FlagVerdict>(verdict: V, accepted: AcceptedNumbers | undefined, now: AcceptedNumbers): V => {
    const { accepted: _, ...plain } = verdict;
    const holds = isJudged(result) && verdict.state === 'failure' && accepted !== undefined && isNoWorse(now, accepted);
    return (holds ? { ...plain, accepted: true } : plain) as V;
  };
  const ofFlags = new Map(acceptance?.flags.map((flag) => [flag.name, flag]));
  const { patch } = result;
  const marked: BuildResult = {
    ...rest,
    verdict: mark(result.verdict, acceptance?.build, result),
    flags: result.flags.map((flag) => ({ ...flag, verdict: mark(flag.verdict, ofFlags.get(flag.name), flag) })),
    ...(patch?.verdict && {
      patch: {
        ...patch,
        verdict: mark(patch.verdict, acceptance?.patch, { totals: patch.totals, baseTotals: undefined }),
      },
    }),
  };
  const failing = verdictsOf(marked).filter(({ state }) => state === 'failure');
  if (acceptance === undefined || failing.length === 0 || !isJudged(marked)) return marked;
  const { by, at, reason } = acceptance;
  return { ...marked, acceptance: { by, at, reason, holds: failing.every(isAccepted) } };
}

/** Whether a failure was accepted, so that no commit status fails by it. */
export function isAccepted({ accepted }: Pick<FlagVerdict, 'accepted'>): boolean {
  return accepted === true;
}

function verdictsOf({ verdict, patch, flags }: BuildResult): readonly FlagVerdict[] {
  return [verdict, ...(patch?.verdict ? [patch.verdict] : []), ...flags.map((flag) => flag.verdict)];
}

function isJudged({ verdict: { state } }: BuildResult): boolean {
  return state === 'success' || state === 'failure';
}

function isNoWorse(now: AcceptedNumbers, accepted: AcceptedNumbers): boolean {
  const percentOf = ({ totals }: AcceptedNumbers): Ratio | undefined => totals && totalPercent(totals);
  const changeIn = ({ totals, baseTotals }: AcceptedNumbers): Ratio | undefined => changeOf(totals, baseTotals);
  const [percent, change] = [percentOf(now), changeIn(now)];
  const [least, mostLost] = [percentOf(accepted), changeIn(accepted) ?? NO_CHANGE];
  const keepsPercent = least === undefined || (percent !== undefined && compareRatios(percent, least) >= 0);
  return keepsPercent && (change === undefined || compareRatios(change, mostLost) >= 0);
}

/** Where there was no base, no drop was accepted. */
const NO_CHANGE: Ratio = { numerator: 0n, denominator: 1n };
