import { totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import {
  FINDINGS,
  type Finding,
  isChange,
  isComparable,
  type JudgedBase,
  judgeMovement,
  judgeTotal,
  type Thresholds,
} from './findings.ts';
import { MAX_NAMED, type MissingJobs, type Reason, type VerdictRule } from './reason.ts';
import type { FlagVerdict, Verdict } from './verdict.ts';

export interface JudgedBuild {
  readonly totals: CoverageTotals;
  readonly base: JudgedBase | undefined;
  readonly thresholds: Thresholds;
  /** Flags that did not report before the build was closed for them (rule 13). */
  readonly unreported: readonly string[];
  /** Flags that the base has and the build does not (rule 17): they have no share in the total. */
  readonly missingFlags?: readonly string[] | undefined;
  /** Jobs without a flag that did not arrive before that (rule 13). */
  readonly missingJobs?: MissingJobs | undefined;
  /**
   * Only of a build that no job came for: how many of the files that changed the base measured; undefined if
   * it is not known.
   */
  readonly measuredChanges?: number | undefined;
  /** The coverage of the changed lines, where it is known. */
  readonly patch?: CoverageTotals | undefined;
  /** Without what lines that flip gained, where that makes no room for a loss: the change must pass by these too. */
  readonly steady?: CoverageTotals | undefined;
}

export interface JudgedFlag {
  readonly totals: CoverageTotals;
  readonly base: JudgedBase | undefined;
  /** The repo's. */
  readonly thresholds: Thresholds;
  /** The flag's own, which go before the repo's; what is null there is not set. */
  readonly own?: Thresholds | undefined;
}

/** What a build's verdict is except for being provisional; a flag may have it too. */
type Ruling = Omit<Verdict, 'provisional'> & FlagVerdict;

/** The verdict on a build: rules 4 and 13, then the table of minimum and allowed drop. */
export function judgeBuild(build: JudgedBuild): Verdict {
  return { ...ruleOnBuild(build), provisional: false };
}

function ruleOnBuild(build: JudgedBuild): Ruling {
  const { totals, base, measuredChanges } = build;
  if (isIncomplete(build)) return ruling('incomplete', 'incomplete', incompleteBy(build));
  const percent = totalPercent(totals);
  if (percent === undefined) return judgeNothing(base, measuredChanges);
  const ruled = conclude(build, judgeTotal(percent, build));
  return (ruled.state === 'success' && judgeSteady(build)) || ruled;
}

/** What fails without the luck of lines that flip; undefined: nothing does. */
function judgeSteady(build: JudgedBuild): Ruling | undefined {
  const { steady } = build;
  const percent = steady && totalPercent(steady);
  const failing = percent && judgeTotal(percent, build).filter((finding) => isChange(finding) && !finding.passes);
  return failing === undefined || failing.length === 0 ? undefined : conclude(build, failing, { steady });
}

/** Rule 13: something did not report in time. */
export function isIncomplete({ unreported, missingJobs }: Pick<JudgedBuild, 'unreported' | 'missingJobs'>): boolean {
  return unreported.length > 0 || missingJobs !== undefined;
}

function incompleteBy({ unreported, missingJobs: jobs }: JudgedBuild): Reason {
  const flags = unreported.slice(0, MAX_NAMED);
  const more = unreported.length - flags.length;
  return { kind: 'incomplete', flags, ...(more > 0 && { more }), ...(jobs !== undefined && { jobs }) };
}

/**
 * A flag is judged by change alone, against the same flag in the base. One with a minimum of its own is judged by the
 * table, as a build is: by that minimum, and by an allowed drop where it or the repo has one.
 */
export function judgeFlag(flag: JudgedFlag): FlagVerdict {
  const { totals, base } = flag;
  const percent = totalPercent(totals);
  if (percent === undefined) return judgeNothing(base);
  const thresholds = flagThresholds(flag);
  if (thresholds.minimum !== null) return conclude(flag, judgeTotal(percent, { base, thresholds }));
  return conclude(flag, [judgeMovement(percent, base, { ...thresholds, minimum: flag.thresholds.minimum })]);
}

/** What can fail a flag: its own minimum, and its own or the repo's allowed drop. The repo's minimum fails none. */
export function flagThresholds({ thresholds, own }: Pick<JudgedFlag, 'thresholds' | 'own'>): Thresholds {
  return { minimum: own?.minimum ?? null, allowedDrop: own?.allowedDrop ?? thresholds.allowedDrop };
}

/** A flag that only the base has (rule 17): no share in the total. `due`: rule 13. */
export function judgeMissingFlag(lastSeen: JudgedBase, due: boolean): FlagVerdict {
  const reason = { kind: 'missing-flag', due, lastSeen } as const;
  return due ? { state: 'incomplete', rule: 'incomplete', reason } : { state: 'success', rule: 'not-reported', reason };
}

/** A carried flag, with its numbers here and the number of the build that it comes from (rule 16). */
export function judgeCarriedFlag(origin: JudgedBase): FlagVerdict {
  return { state: 'success', rule: 'carried', reason: { kind: 'carried', origin } };
}

/**
 * Rule 4. If no job came, what the change touches decides: nothing was due where the base measures none of it.
 */
function judgeNothing(base: JudgedBase | undefined, measuredChanges?: number): Ruling {
  const { relevantLines = 0 } = base?.totals ?? {};
  if (base === undefined || relevantLines === 0)
    return ruling('success', 'nothing-relevant', { kind: 'nothing-relevant' });
  if (measuredChanges === 0) return ruling('success', 'nothing-relevant', { kind: 'no-measured-change' });
  const named = { baseNumber: base.number, ...(base.commit !== undefined && { baseCommit: base.commit }) };
  return ruling(
    'failure',
    'no-coverage-arrived',
    measuredChanges === undefined
      ? { kind: 'none-arrived', relevantLines, ...named }
      : { kind: 'none-came', measuredChanges, ...named },
  );
}

/** The first that fails gives the rule, else the first of all that hold. If several fail, all are named. */
function conclude(
  { totals, base }: Pick<JudgedBuild, 'totals' | 'base'>,
  all: readonly Finding[],
  compared: Pick<JudgedBuild, 'steady'> = {},
): Ruling {
  const failing = all.filter(({ passes }) => !passes);
  const findings = failing.length === 0 ? all : failing;
  const [first] = findings as readonly [Finding];
  return ruling(failing.length === 0 ? 'success' : 'failure', FINDINGS[first.kind].rule, {
    kind: 'measured',
    totals,
    findings,
    base: isComparable(base) ? base : undefined,
    ...compared,
  });
}

function ruling(state: Verdict['state'], rule: VerdictRule, reason: Reason): Ruling {
  return { state, rule, reason };
}
