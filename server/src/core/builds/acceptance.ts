import { changeOf, compareRatios, type Ratio, totalPercent } from '../coverage/percent.ts';
import { isRequired } from '../verdict/checks.ts';
import { reasonOf } from '../verdict/reason.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import type { BuildResult } from './build.ts';
import type { Acceptance, AcceptedBy, AcceptedNumbers } from './build-facts.ts';

/** As many flags have a commit status. */
const MAX_ACCEPTED = 100;

/** Characters. */
export const MAX_REASON = 500;

/** Undefined if nothing fails, or no numbers can be judged: a build that is incomplete, or cannot be merged. */
export function acceptFailures(result: BuildResult, by: AcceptedBy): Acceptance | undefined {
  const { verdict, patch, flags, groups = [], elsewhere } = result;
  if (!isJudged(result) || failuresOf(result).length === 0) return undefined;
  const ofGroups = firstFailing(groups);
  return {
    ...by,
    ...(verdict.state === 'failure' && { build: numbersOf(result) }),
    ...(fails(patch?.verdict) && { patch: { totals: patch?.totals, baseTotals: undefined } }),
    flags: firstFailing(flags).map((flag) => ({ name: flag.name, ...numbersOf(flag) })),
    ...(ofGroups.length > 0 && { groups: ofGroups.map((group) => ({ id: group.id, ...numbersOf(group) })) }),
    ...(fails(elsewhere) && { elsewhere: { lines: linesOf(elsewhere) } }),
  };
}

/** Required ones first: of very many, those that only inform go without. */
function firstFailing<One extends { readonly verdict?: FlagVerdict | undefined }>(all: readonly One[]): readonly One[] {
  const rank = ({ verdict }: One): number => (verdict && isRequired({ verdict }) ? 0 : 1);
  return all
    .filter(({ verdict }) => fails(verdict))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_ACCEPTED);
}

function numbersOf({ totals, baseTotals }: AcceptedNumbers): AcceptedNumbers {
  return { totals, baseTotals };
}

function fails(verdict: FlagVerdict | undefined): boolean {
  return verdict?.state === 'failure';
}

function linesOf(verdict: FlagVerdict | undefined): number {
  const reason = verdict && reasonOf(verdict);
  return reason?.kind === 'elsewhere' ? reason.lines : 0;
}

/**
 * The result with what is accepted of it. An acceptance is of numbers: it holds while neither percentage nor change is
 * lower than it was then, and for nothing that passed then.
 */
export function markAccepted(result: BuildResult, acceptance: Acceptance | undefined): BuildResult {
  const { acceptance: was, ...rest } = result;
  if (was === undefined && acceptance === undefined) return result;
  const marked = markChecks(rest, acceptance);
  const failing = failuresOf(marked);
  if (acceptance === undefined || failing.length === 0 || !isJudged(marked)) return marked;
  const { by, at, reason } = acceptance;
  return { ...marked, acceptance: { by, at, reason, holds: failing.every(isAccepted) } };
}

function markChecks(result: BuildResult, acceptance: Acceptance | undefined): BuildResult {
  const mark = <V extends FlagVerdict>(verdict: V, isCovered: boolean): V => {
    const { accepted: _, ...plain } = verdict;
    return (isJudged(result) && fails(verdict) && isCovered ? { ...plain, accepted: true } : plain) as V;
  };
  const ofFlags = new Map(acceptance?.flags.map((flag) => [flag.name, flag]));
  const ofGroups = new Map(acceptance?.groups?.map((group) => [group.id, group]));
  const { patch, totalVerdict, groups, elsewhere } = result;
  const covers = isNoWorse(result, acceptance?.build);
  const parts = {
    ...(totalVerdict && { totalVerdict: mark(totalVerdict, covers) }),
    ...(groups && {
      groups: groups.map((group) =>
        group.verdict ? { ...group, verdict: mark(group.verdict, isNoWorse(group, ofGroups.get(group.id))) } : group,
      ),
    }),
    ...(elsewhere && { elsewhere: mark(elsewhere, linesOf(elsewhere) <= (acceptance?.elsewhere?.lines ?? -1)) }),
  };
  return {
    ...result,
    ...parts,
    verdict: mark(result.verdict, (isComposed(result) || covers) && standsForAccepted(parts)),
    flags: result.flags.map((flag) => ({
      ...flag,
      verdict: mark(flag.verdict, isNoWorse(flag, ofFlags.get(flag.name))),
    })),
    ...(patch?.verdict && {
      patch: {
        ...patch,
        verdict: mark(patch.verdict, isNoWorse({ totals: patch.totals, baseTotals: undefined }, acceptance?.patch)),
      },
    }),
  };
}

/** It is that of a group, or of lines elsewhere: the total's numbers do not decide it. */
function isComposed({ verdict: { rule } }: BuildResult): boolean {
  return rule === 'group' || rule === 'elsewhere';
}

/** The build's own verdict passes only where all that it stands for does (composeVerdict). */
function standsForAccepted(parts: Pick<BuildResult, 'totalVerdict' | 'groups' | 'elsewhere'>): boolean {
  const { totalVerdict, groups = [], elsewhere } = parts;
  const own = groups.flatMap(({ verdict, hasStatus }) => (verdict && !hasStatus ? [verdict] : []));
  const all = [totalVerdict, elsewhere, ...own].filter((verdict) => verdict !== undefined);
  return all.every((verdict) => !fails(verdict) || isAccepted(verdict) || !isRequired({ verdict }));
}

/** Whether a failure was accepted, so that no commit status fails by it. */
export function isAccepted({ accepted }: Pick<FlagVerdict, 'accepted'>): boolean {
  return accepted === true;
}

/** For all checks, those that only inform too. */
function failuresOf({
  verdict,
  totalVerdict,
  patch,
  flags,
  groups = [],
  elsewhere,
}: BuildResult): readonly FlagVerdict[] {
  const parts = [...flags, ...groups].map((part) => part.verdict);
  return [verdict, totalVerdict, patch?.verdict, elsewhere, ...parts].filter(
    (one) => one !== undefined && one.state === 'failure',
  ) as readonly FlagVerdict[];
}

function isJudged({ verdict: { state } }: BuildResult): boolean {
  return state === 'success' || state === 'failure';
}

function isNoWorse(now: AcceptedNumbers, accepted: AcceptedNumbers | undefined): boolean {
  if (accepted === undefined) return false;
  const percentOf = ({ totals }: AcceptedNumbers): Ratio | undefined => totals && totalPercent(totals);
  const changeIn = ({ totals, baseTotals }: AcceptedNumbers): Ratio | undefined => changeOf(totals, baseTotals);
  const [percent, change] = [percentOf(now), changeIn(now)];
  const [min, mostLost] = [percentOf(accepted), changeIn(accepted) ?? NO_CHANGE];
  const keepsPercent = min === undefined || (percent !== undefined && compareRatios(percent, min) >= 0);
  return keepsPercent && (change === undefined || compareRatios(change, mostLost) >= 0);
}

/** If there was no base, no drop was accepted. */
const NO_CHANGE: Ratio = { numerator: 0n, denominator: 1n };
