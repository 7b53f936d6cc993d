import {
  exactDecimal,
  type Ratio,
  showPercent,
  showPoints,
  subtractRatios,
  totalPercent,
} from '../domain/coverage/percent.ts';
import type { CoverageTotals } from '../domain/coverage/totals.ts';
import type { ChangeCause } from '../domain/verdict/change-cause.ts';
import {
  type Finding,
  type IgnorablePart,
  type JudgedBase,
  type MergeObstacle,
  type Reason,
  reasonOf,
} from '../domain/verdict/reason.ts';
import type { FlagVerdict, Forgiveness } from '../domain/verdict/verdict.ts';
import { describeCause, describeRemedy } from './change-words.ts';
import { counted, toSentence } from './phrases.ts';

/** How much a verdict may say. */
export interface Brevity {
  /** In the fewest words that still have the rule and both numbers. */
  readonly brief?: boolean;
  /** How the number of another build is written: it is as an upload sent it, of any length. */
  readonly name?: (number: string) => string;
}

/** The verdict in few words: begins with the percentage where there is one. */
export function summarise(verdict: FlagVerdict, { brief = false, name = (number) => number }: Brevity = {}): string {
  const said = say(reasonOf(verdict), { brief, name });
  const forgiven = forgivenessOf(verdict);
  return forgiven === undefined ? said : `${said}, but ${allowed(forgiven)}`;
}

/** Whether fewer words can be made of a verdict than those of its summary. */
export function hasBrief(verdict: FlagVerdict): boolean {
  const reason = reasonOf(verdict);
  return reason.kind === 'measured' || (reason.kind === 'text' && reason.brief !== undefined);
}

/** Whether the words of a verdict name its base. */
export function namesBase(verdict: FlagVerdict): boolean {
  const reason = reasonOf(verdict);
  if (reason.kind === 'measured') return reason.findings.some((finding) => 'base' in finding);
  return reason.kind === 'none-came' || reason.kind === 'none-arrived';
}

/** Sentences with the rule in words and both numbers, what caused the change, and what would pass. */
export function explainVerdict(verdict: FlagVerdict, cause?: ChangeCause | undefined): string {
  const reason = reasonOf(verdict);
  if (reason.kind === 'text') return reason.explanation;
  const said = say(reason, { brief: false, name: (number) => number });
  const forgiven = forgivenessOf(verdict);
  const sentences = [reason.kind === 'measured' ? `Coverage is ${said}.` : toSentence(said)];
  if (reason.kind === 'patch' && reason.remedy) sentences.push(toSentence(describeRemedy(reason.remedy)));
  if (cause !== undefined) sentences.push(describeCause(cause).sentence);
  if (forgiven !== undefined) sentences.push(`By this repo's settings ${allowed(forgiven)} a ${forgiven.subject}.`);
  if (verdict.informational === true && verdict.state !== 'success')
    sentences.push('Informational only: no commit status fails by it.');
  return sentences.join(' ');
}

function forgivenessOf(verdict: FlagVerdict): Forgiveness | undefined {
  return 'forgiven' in verdict ? verdict.forgiven : undefined;
}

const ALLOWED: Readonly<Record<IgnorablePart, string>> = {
  removed: 'removed code',
  untouched: 'loss in untouched files',
};

function allowed({ parts }: Forgiveness): string {
  return `${parts.map((part) => ALLOWED[part]).join(' and ')} alone ${parts.length > 1 ? 'do' : 'does'} not fail`;
}

function say(reason: Reason, brevity: Required<Brevity>): string {
  const { brief, name } = brevity;
  switch (reason.kind) {
    case 'text':
      return brief ? (reason.brief ?? reason.summary) : reason.summary;
    case 'measured':
      return sayMeasured(reason, brevity);
    case 'patch':
      return sayPatch(reason);
    case 'nothing-relevant':
      return 'no relevant lines';
    case 'no-measured-change':
      return 'no measured file changed';
    case 'none-came': {
      const files = reason.measuredChanges === 1 ? '1 changed file is' : `${reason.measuredChanges} changed files are`;
      return `coverage was expected, none came: ${files} measured in build ${name(reason.baseNumber)}`;
    }
    case 'none-arrived': {
      const lines = counted(reason.relevantLines, 'relevant line');
      return `no coverage arrived; the base (build ${name(reason.baseNumber)}) had ${lines}`;
    }
    case 'incomplete': {
      const { flags, more } = reason;
      const others = more === undefined ? '' : ` and ${more} more`;
      return `incomplete: ${flags.join(', ')}${others} did not report before the build was closed`;
    }
    case 'cannot-merge':
      return `cannot be merged: ${sayObstacle(reason.obstacle)}`;
    case 'missing-flag': {
      const { due, lastSeen } = reason;
      const last = `last ${showPercent(totalPercent(lastSeen.totals))} in build ${name(lastSeen.number)}`;
      return `${due ? 'did not report before the build was closed' : 'not reported'}; ${last}`;
    }
  }
}

function sayObstacle(obstacle: MergeObstacle): string {
  switch (obstacle.kind) {
    case 'limit':
      return `${obstacle.seen} ${obstacle.what}, and a report holds at most ${obstacle.limit}`;
    case 'memory':
      return `it may take ${mebibytes(obstacle.needed)} of memory; MAX_MERGE_MEMORY is ${mebibytes(obstacle.limit)}`;
    case 'time':
      return `it took longer than MAX_MERGE_TIME, ${obstacle.limit / 1_000} s`;
    case 'damaged':
      return 'a stored report is damaged; the log of the server has more';
  }
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

/** In brief what compares with the base comes first: it leaves out by how much, which both numbers show. */
function sayMeasured({ totals, findings }: Extract<Reason, { kind: 'measured' }>, brevity: Required<Brevity>): string {
  const percent = totalPercent(totals);
  const shown = showPercent(percent);
  const compared = brevity.brief ? findings.find((finding) => 'base' in finding) : undefined;
  const start = compared && percent ? `${shown} ${sayComparison(compared, percent, brevity)}` : shown;
  const clauses = findings.filter((one) => one !== compared).map((one) => sayFinding(one, percent, brevity));
  return clauses.length === 0 ? start : `${start}, ${compared ? 'and ' : ''}${clauses.join(', and ')}`;
}

function sayFinding(finding: Finding, percent: Ratio | undefined, brevity: Required<Brevity>): string {
  switch (finding.kind) {
    case 'minimum':
      return sayMinimum(finding);
    case 'first-build':
      return 'with no earlier build to compare with';
    case 'first-report':
      return 'with no earlier report of this flag to compare with';
    default:
      return percent ? sayComparison(finding, percent, brevity) : '';
  }
}

function sayMinimum({ passes, minimum }: Extract<Finding, { kind: 'minimum' }>): string {
  return `${passes ? 'at least' : 'below'} the minimum of ${minimum}%`;
}

type Comparison = Extract<Finding, { base: JudgedBase }>;

function sayComparison(finding: Comparison, percent: Ratio, { brief, name }: Required<Brevity>): string {
  const { base } = finding;
  const before = totalPercent(base.totals) as Ratio;
  const change = subtractRatios(percent, before);
  const from = `from ${showPercent(before)} in build ${name(base.number)}`;
  const limit = sayLimit(finding, change);
  if (brief) return from + limit;
  if (change.numerator === 0n) return `unchanged from build ${name(base.number)}${limit}`;
  const beyond = finding.kind === 'drop' && !finding.passes ? exactDecimal(finding.allowed) : undefined;
  return `${change.numerator > 0n ? 'up' : 'down'} ${showPoints(change, beyond)}% ${from}${limit}`;
}

function sayLimit(finding: Comparison, change: Ratio): string {
  if (finding.kind === 'build-minimum') return "; only the build's minimum decides";
  if (finding.kind === 'decrease') return finding.passes ? '' : '; no decrease is allowed';
  if (change.numerator >= 0n) return '';
  const { passes, allowed: points } = finding;
  return passes ? `, within the allowed ${points}%` : `; more than the allowed ${points}%`;
}

function sayPatch({ totals, complete, minimum }: Extract<Reason, { kind: 'patch' }>): string {
  const percent = totalPercent(totals);
  if (percent === undefined) return complete ? 'no relevant line changed' : 'no changed line is known to be relevant';
  const shown = `${showPercent(percent)} of the ${patchCounts(totals)}`;
  return minimum === undefined ? shown : `${shown}, ${sayMinimum(minimum)}`;
}

function patchCounts({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals): string {
  const lines = `${coveredLines} of ${relevantLines}`;
  if (branches === 0) return `changed lines covered (${lines})`;
  return `changed lines and branches covered (${lines} and ${coveredBranches} of ${branches})`;
}
