import { type Check, type CheckList, checkId, type Overall, summarizeChecks } from '../verdict/checks.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import type { BuildResult, FlagResult } from './build.ts';
import type { PatchResult } from './build-facts.ts';
import type { GroupResult } from './group-result.ts';

/** A check of a build, with the part of its result that it is about. */
export interface BuildCheck extends Check {
  /** Only of a flag. */
  readonly flag?: FlagResult | undefined;
  /** Only of a group. */
  readonly group?: GroupResult | undefined;
}

/** What the checks of a build are made of. Summaries have no flags; these are read apart, page by page. */
export type Judged = Pick<
  BuildResult,
  'verdict' | 'totalVerdict' | 'totals' | 'baseTotals' | 'cause' | 'overall' | 'acceptance' | 'elsewhere'
> & {
  readonly groups?: BuildResult['groups'];
  readonly patch?: Pick<PatchResult, 'totals' | 'verdict'> | undefined;
  readonly flags?: readonly FlagResult[] | undefined;
};

/**
 * The checks of a result: its total, its changed lines where they are judged, and its flags. What is judged by rules of
 * its own is stored in the result with its verdict, and is a check by its line here.
 */
export function checksOf(result: Judged): readonly BuildCheck[] {
  return [
    totalCheck(result),
    ...changesCheck(result),
    ...(result.flags ?? []).map(flagCheck),
    ...(result.groups ?? []).flatMap(groupCheck),
    ...wholeCheck('elsewhere', result.elsewhere),
    ...wholeCheck('file', result.verdict.rule === 'invalid-file' ? result.verdict : undefined),
  ];
}

function totalCheck({ verdict: own, totalVerdict: verdict = own, totals, baseTotals, cause }: Judged): BuildCheck {
  return { id: checkId('total'), kind: 'total', name: undefined, verdict, totals, baseTotals, cause };
}

function changesCheck({ patch }: Judged): readonly BuildCheck[] {
  if (patch?.verdict === undefined) return [];
  const { verdict, totals } = patch;
  return [{ id: checkId('changes'), kind: 'changes', name: undefined, verdict, totals, baseTotals: undefined }];
}

function flagCheck(flag: FlagResult): BuildCheck {
  const { name, verdict, totals, baseTotals, cause } = flag;
  return { id: checkId('flag', name), kind: 'flag', name, verdict, totals, baseTotals, cause, flag };
}

/** A group without a rule is a number, and no check. */
function groupCheck(group: GroupResult): readonly BuildCheck[] {
  const { id, name, verdict, totals, baseTotals, cause } = group;
  if (verdict === undefined) return [];
  return [{ id: checkId('group', id), kind: 'group', name, verdict, totals, baseTotals, cause, group }];
}

/** For what has no number of its own. */
function wholeCheck(kind: 'elsewhere' | 'file', verdict: FlagVerdict | undefined): readonly BuildCheck[] {
  if (verdict === undefined) return [];
  return [{ id: checkId(kind), kind, name: undefined, verdict, totals: undefined, baseTotals: undefined }];
}

/** The result with what its checks amount to, as it is stored. */
export function withOverall<One extends BuildResult>(result: One): One {
  return { ...result, overall: summarizeChecks(checksOf(result)) };
}

/** What the checks of a result amount to; worked out from what is given where an earlier version stored none. */
export function overallOf(result: Judged): Overall {
  return result.overall ?? summarizeChecks(checksOf(result));
}

/** Whether an earlier version stored it, which named groups by their ids alone. */
export function lacksNames({ failing, wouldFail }: Overall): boolean {
  const start = checkId('group', '');
  return [failing, wouldFail].some(({ ids, names }) => names === undefined && ids.some((id) => id.startsWith(start)));
}

/** The same with what its groups are called. */
export function withNames(overall: Overall, groups: readonly GroupResult[]): Overall {
  const named = new Map(groups.map(({ id, name }) => [checkId('group', id), name]));
  const name = <List extends CheckList>(list: List): List => {
    const names = list.ids.flatMap((id) => (named.has(id) ? [[id, named.get(id)]] : []));
    return names.length === 0 ? list : { ...list, names: Object.fromEntries(names) };
  };
  return { ...overall, failing: name(overall.failing), wouldFail: name(overall.wouldFail) };
}
