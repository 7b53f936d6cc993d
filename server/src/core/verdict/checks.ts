import type { CoverageTotals } from '../coverage/totals.ts';
import { type FlagRule, type Remedy, reasonOf } from './reason.ts';
import type { ChangeCause, FlagVerdict, VerdictState } from './verdict.ts';

/** What a check looks at, in the order in which checks are named. A new kind is added here, and in `checksOf`. */
export const CHECK_KINDS = ['total', 'changes', 'flag', 'group', 'elsewhere', 'file'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** One part of a build's verdict (rules.md "Verdict"). */
export interface Check {
  /** `total`, `changes`, or the kind before the name: `flag:pages`. Unique within a build. */
  readonly id: string;
  readonly kind: CheckKind;
  /** As uploads sent it; undefined if there is one alone of its kind. */
  readonly name: string | undefined;
  readonly verdict: FlagVerdict;
  /** Undefined of a flag that did not report. */
  readonly totals: CoverageTotals | undefined;
  /** Undefined if nothing can be compared, and of the changed lines. */
  readonly baseTotals: CoverageTotals | undefined;
  readonly cause?: ChangeCause | undefined;
}

/** What checks are called, by their ids, if the id does not say it: groups. */
export type CheckNames = Readonly<Record<string, string>> | undefined;

/** Checks by their ids: of many the first, and how many there are of each kind. */
export interface CheckList {
  /** At most MAX_LISTED. */
  readonly ids: readonly string[];
  /** Only for groups, which have ids that differ from their names. Results of earlier versions have none. */
  readonly names?: CheckNames;
  readonly counts: Readonly<Partial<Record<CheckKind, number>>>;
}

/** What all checks of a build amount to. */
export interface Overall {
  /** For the required check that is worst; `success` where a maintainer accepted all that fails. */
  readonly state: VerdictState;
  /** Required checks that do not pass, worst first, then by kind. */
  readonly failing: CheckList;
  /** Informational checks that fall short. They add a mark to the state and never change it. */
  readonly wouldFail: CheckList;
  readonly passing: Pick<CheckList, 'counts'>;
  /** A maintainer accepted a failure: that check passes. */
  readonly accepted?: true | undefined;
}

/** Names in the summary of a build. Pages and JSON have all checks. */
export const MAX_LISTED = 20;

/** From the worst to the best: the first that a required check has is that of the build. */
const ORDER: readonly VerdictState[] = ['error', 'failure', 'incomplete', 'success'];

/** Rules by which a check is not required whatever its state. */
const NEVER_REQUIRED: ReadonlySet<FlagRule> = new Set<FlagRule>(['carried', 'not-reported', 'untouched']);

/** `flag:pages`; `name` as uploads sent it. */
export function checkId(kind: CheckKind, name?: string): string {
  return name === undefined ? kind : `${kind}:${name}`;
}

/** Whether the state of a build depends on it. */
export function isRequired({ verdict }: Pick<Check, 'verdict'>): boolean {
  return verdict.informational !== true && !NEVER_REQUIRED.has(verdict.rule);
}

/** Whether it passes: also if a maintainer accepted its failure. */
export function passes({ verdict }: Pick<Check, 'verdict'>): boolean {
  return verdict.state === 'success' || verdict.accepted === true;
}

/** `failing` and `would-fail` fall short; only what fails is red. */
export function standingOf(check: Pick<Check, 'verdict'>): 'failing' | 'would-fail' | 'passing' {
  if (passes(check)) return 'passing';
  return isRequired(check) ? 'failing' : 'would-fail';
}

/** What would make it pass; undefined if it passes, or covering more does not help. */
export function remedyOf({ verdict, cause }: Pick<Check, 'verdict' | 'cause'>): Remedy | undefined {
  if (passes({ verdict })) return undefined;
  const reason = reasonOf(verdict);
  if (reason.kind === 'patch') return reason.remedy;
  return cause === undefined || 'sentence' in cause ? undefined : cause.remedy;
}

/** Failing checks, then those that would fail, then the total and the changed lines, then the rest; each by kind. */
export function sortChecks<One extends Check>(checks: readonly One[]): readonly One[] {
  return checks.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function placeOf(check: Check): number {
  const standing = ['failing', 'would-fail', 'passing'].indexOf(standingOf(check));
  const worse = standing === 2 ? 0 : ORDER.indexOf(check.verdict.state);
  return (standing * ORDER.length + worse) * CHECK_KINDS.length + CHECK_KINDS.indexOf(check.kind);
}

/** What a list of checks amounts to. */
export function summarizeChecks(checks: readonly Check[]): Overall {
  const sorted = sortChecks(checks);
  const those = (standing: ReturnType<typeof standingOf>) => sorted.filter((one) => standingOf(one) === standing);
  const failing = those('failing');
  const passing = those('passing');
  return {
    state: failing[0]?.verdict.state ?? 'success',
    failing: listChecks(failing),
    wouldFail: listChecks(those('would-fail')),
    passing: { counts: countChecks(passing) },
    ...(passing.some(({ verdict }) => verdict.accepted) && { accepted: true }),
  };
}

/** Some checks by their ids, as an overall state holds them. */
export function listChecks(checks: readonly Check[]): CheckList {
  const some = checks.slice(0, MAX_LISTED);
  const names = namesOfChecks(some);
  return { ids: some.map(({ id }) => id), ...(names && { names }), counts: countChecks(checks) };
}

function namesOfChecks(checks: readonly Check[]): CheckNames {
  const named = checks.flatMap(({ id, kind, name }) =>
    name === undefined || kind !== 'group' ? [] : [[id, name] as const],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function countChecks(checks: readonly Check[]): CheckList['counts'] {
  return Object.fromEntries([...Map.groupBy(checks, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]));
}

/** How many checks a list counts. */
export function sizeOf({ counts }: Pick<CheckList, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
