import type { CoverageTotals } from '../coverage/totals.ts';
import type { GroupRule, LinesRule, RepoRules } from '../repo/repo-rules.ts';
import type { JudgedBase } from '../verdict/findings.ts';
import { judgeChange } from '../verdict/judge-change.ts';
import { judgePatch } from '../verdict/judge-patch.ts';
import type { FlagVerdict, Verdict } from '../verdict/verdict.ts';
import type { BasePick, Build } from './build.ts';
import type { ComposedGroup } from './compose-groups.ts';
import type { GroupResult } from './group-result.ts';

interface GroupFindings {
  readonly rules: Pick<RepoRules, 'groups'>;
  readonly groups: readonly ComposedGroup[];
  readonly base: { readonly build: Build; readonly pick: BasePick } | undefined;
  /** The verdict on the total. */
  readonly verdict: Verdict;
}

/** The groups of a close with their verdicts, in the order of the file. */
export function judgeGroups({ rules, groups, base, verdict }: GroupFindings): readonly GroupResult[] {
  const ruleOf = new Map(rules.groups.map((rule) => [rule.id, rule]));
  return groups.map(({ of, gone, ...group }) => {
    const rule = ruleOf.get(of);
    const baseTotals = rule && rule.flags.length > 0 ? storedTotals(base?.build, group) : group.baseTotals;
    const counted = { ...group, baseTotals };
    if (rule === undefined) return counted;
    const judged = judgeGroup({ group: counted, rule, gone, base, incomplete: incompleteOf(verdict) });
    return { ...counted, ...judged, ...(rule.hasStatus && { hasStatus: true }) };
  });
}

/** A group by flags is compared with its number in the base, if it was made by the same patterns there. */
function storedTotals(base: Build | undefined, { id, digest }: Pick<ComposedGroup, 'id' | 'digest'>) {
  return base?.result?.groups?.find((one) => one.id === id && one.digest === digest)?.totals;
}

/** The verdict of an incomplete build, as its parts take it: what did not report may have covered what they lack. */
export function incompleteOf({ provisional: _, informational: __, ...verdict }: Verdict): FlagVerdict | undefined {
  return verdict.state === 'incomplete' ? verdict : undefined;
}

function judgeGroup(found: {
  readonly group: Omit<ComposedGroup, 'of' | 'gone'>;
  readonly rule: GroupRule;
  readonly gone: boolean;
  readonly base: GroupFindings['base'];
  readonly incomplete: FlagVerdict | undefined;
}): Pick<GroupResult, 'verdict' | 'cause'> {
  const { group, rule, gone, incomplete } = found;
  if (rule.total === undefined && rule.changes === undefined) return {};
  const base = baseOf(found.base, group.baseTotals);
  if (!group.touched && !rule.judgesUntouched)
    return {
      verdict: { state: 'success', rule: 'untouched', reason: { kind: 'untouched', totals: group.totals, base } },
    };
  const ofTotal = rule.total && judgeTotal(group, rule.total, gone && group.files === 0 ? undefined : base);
  const ofLines =
    rule.changes &&
    group.changes &&
    judgeLines(group.changes, rule.changes, baseOf(found.base, found.base?.build.result?.totals));
  const fails = decisive(ofTotal, ofLines);
  // What did not report may have covered it (coverage-yml.md "Groups").
  if (fails?.verdict.state === 'failure' && incomplete !== undefined) {
    const { informational } = fails.verdict;
    return { verdict: { ...incomplete, ...(informational && { informational }) } };
  }
  return fails ?? {};
}

/** For a part with two rules: the first that fails, else the first. */
export function decisive<One extends { readonly verdict: FlagVerdict }>(
  ofTotal: One | undefined,
  ofLines: One | undefined,
): One | undefined {
  return [ofTotal, ofLines].find((one) => one?.verdict.state === 'failure') ?? ofTotal ?? ofLines;
}

function judgeTotal(
  { totals, changes }: Pick<ComposedGroup, 'totals' | 'changes'>,
  rule: NonNullable<GroupRule['total']>,
  base: JudgedBase | undefined,
): Pick<GroupResult, 'cause'> & { readonly verdict: FlagVerdict } {
  const { informational } = rule;
  const judged = judgeChange({ totals, base, thresholds: rule, unreported: [], patch: changes }, undefined, {
    informational,
    ignoreRemovedCode: false,
    ignoreUntouchedFiles: false,
    ignoreUnstableLines: false,
  });
  const { provisional: _, ...verdict } = judged.verdict;
  return { verdict, cause: judged.cause };
}

/** The changed lines of a part by a rule of its own. */
export function judgeLines(
  totals: CoverageTotals,
  { minimum, allowedDrop, informational }: LinesRule,
  base: JudgedBase | undefined,
): { readonly verdict: FlagVerdict } {
  const verdict = judgePatch({ totals, complete: true, minimum, allowedDrop, base });
  return { verdict: informational ? { ...verdict, informational: true } : verdict };
}

export function baseOf(base: GroupFindings['base'], totals: CoverageTotals | undefined): JudgedBase | undefined {
  return base && totals && { number: base.pick.number, commit: base.pick.commit, totals };
}
