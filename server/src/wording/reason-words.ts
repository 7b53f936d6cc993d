import {
  type Ratio,
  type ShownChange,
  showChange,
  showLimit,
  showPercent,
  subtractRatios,
  totalPercent,
} from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { printable } from '../core/printable.ts';
import type { JudgedBase, Thresholds } from '../core/verdict/findings.ts';
import {
  exceededDrop,
  type FlagRule,
  type MergeObstacle,
  type MissingJobs,
  type Reason,
} from '../core/verdict/reason.ts';
import { shortCommit } from './build-name.ts';
import { counted, sayArrived } from './phrases.ts';
import { shortWords } from './rule-words.ts';
import { placeIn } from './rules-words.ts';

/** How much a verdict may say. */
export interface Brevity {
  /** In the fewest words that still have the rule and both numbers. */
  readonly brief?: boolean;
  /** How the number of another build is written: it is as an upload sent it, of any length. */
  readonly name?: (number: string) => string;
  /** Without the unit of the change. */
  readonly tight?: boolean;
  /** The base is named elsewhere: only its percentage is shown. */
  readonly baseElsewhere?: boolean;
}

/** The reason of a verdict in few words: begins with the percentage where there is one. */
export function sayReason(reason: Reason, brevity: Required<Brevity>): string {
  const { brief, name } = brevity;
  switch (reason.kind) {
    case 'text':
      return brief ? (reason.brief ?? reason.summary) : reason.summary;
    case 'measured':
      return sayMeasured(reason, brevity);
    case 'patch':
      return sayPatch(reason, name);
    case 'nothing-relevant':
      return 'no relevant lines';
    case 'no-measured-change':
      return 'no measured file changed';
    case 'none-came': {
      const files = reason.measuredChanges === 1 ? '1 changed file is' : `${reason.measuredChanges} changed files are`;
      return `coverage was expected, none came: ${files} measured in ${nameBase(baseIn(reason), name)}`;
    }
    case 'none-arrived': {
      const lines = counted(reason.relevantLines, 'relevant line');
      return `no coverage was uploaded; the base (${nameBase(baseIn(reason), name)}) had ${lines}`;
    }
    case 'incomplete':
      return sayIncomplete(reason);
    case 'cannot-merge':
      return `cannot be merged: ${sayObstacle(reason.obstacle)}`;
    case 'missing-flag': {
      const { due, lastSeen } = reason;
      const last = `last ${showPercent(totalPercent(lastSeen.totals))} in ${nameBase(lastSeen, name)}`;
      return `${due ? 'did not report before the build was closed' : 'not reported'}; ${last}`;
    }
    case 'untouched': {
      const { totals, base } = reason;
      const said = sayMeasured({ kind: 'measured', totals, findings: [], base }, { ...brevity, baseElsewhere: true });
      return totalPercent(totals) === undefined ? 'no file is in this group' : `${said}: not touched by this change`;
    }
    case 'group': {
      const others = reason.more === 0 ? '' : ` (and ${counted(reason.more, 'more group')})`;
      return `${printable(reason.group, 60)} ${sayReason(reason.of, { ...brevity, baseElsewhere: true })}${others}`;
    }
    case 'invalid-file': {
      const { path, problems, message } = reason;
      const where = `${printable(path, 60)} ${placeIn(reason)}: ${printable(message.replaceAll('`', '"'), 200)}`;
      return problems === 1 ? where : `${counted(problems, 'error')}, the first in ${where}`;
    }
    case 'elsewhere':
      return reason.lines === 0
        ? 'no line outside the change lost coverage'
        : `${counted(reason.lines, 'line')} outside the change lost coverage`;
    case 'carried':
      return `${showPercent(totalPercent(reason.origin.totals))}, carried from ${nameBase(reason.origin, name)}`;
  }
}

/** By its commit, as people know it from git, where that is known. */
function nameBase({ number, commit }: Omit<JudgedBase, 'totals'>, name: Required<Brevity>['name']): string {
  return commit === undefined ? `build ${name(number)}` : shortCommit(commit);
}

function baseIn(reason: Extract<Reason, { kind: 'none-came' | 'none-arrived' }>): Omit<JudgedBase, 'totals'> {
  return { number: reason.baseNumber, commit: reason.baseCommit };
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

function sayIncomplete({ flags, more, jobs }: Extract<Reason, { kind: 'incomplete' }>): string {
  const others = more === undefined ? '' : ` and ${more} more`;
  const ofFlags = flags.length === 0 ? [] : [`${flags.join(', ')}${others} did not report before the build was closed`];
  return `incomplete: ${[...(jobs === undefined ? [] : [sayMissingJobs(jobs)]), ...ofFlags].join('; ')}`;
}

/** `1 of 2 jobs arrived, closed after 30 min without the closing call` */
function sayMissingJobs(jobs: MissingJobs): string {
  const { stated, run } = jobs;
  const some = sayArrived(jobs);
  if (stated !== undefined) return `${some}; coverage.yml says how many there are`;
  return run === undefined ? `${some}, ${sayClosed(jobs)}` : `${some}, and ${sayRunEnd(run)}`;
}

/** `closed after 30 min without the closing call` */
export function sayClosed({ waited }: Pick<MissingJobs, 'waited'>): string {
  const minutes = Math.floor(waited / 60_000);
  return `closed ${minutes > 0 ? `after ${minutes} min ` : ''}without the closing call`;
}

/** `the run was cancelled` */
export function sayRunEnd(run: NonNullable<MissingJobs['run']>): string {
  return `the run ${run === 'failure' ? 'failed' : 'was cancelled'}`;
}

/** One form for all: the percentage, its change, and the rule in words. */
function sayMeasured(reason: Extract<Reason, { kind: 'measured' }>, brevity: Required<Brevity>): string {
  const percent = totalPercent(reason.totals);
  const change = percent && compare(percent, reason);
  const rules = sayRules(reason, brevity);
  return [
    showPercent(percent),
    change ? `, ${sayChange(change, brevity)}` : '',
    rules.length === 0 ? '' : `: ${rules.join(', ')}`,
  ].join('');
}

/** The thresholds that decided, one each. */
export function sayRules(reason: Extract<Reason, { kind: 'measured' }>, brevity: Required<Brevity>): readonly string[] {
  const { findings, totals, steady = totals } = reason;
  const percent = totalPercent(steady);
  const change = percent && compare(percent, reason);
  const luck = steady === totals || !change ? [] : [`${showChange(change.points, true)} without lines that flip`];
  return [...luck, ...findings.map((finding) => shortWords(finding, change?.points, brevity.brief))].filter(
    (words) => words !== '',
  );
}

/** The change that a verdict judged. */
interface Change {
  readonly points: ShownChange;
  readonly base: JudgedBase;
  readonly before: Ratio;
}

/** Results of earlier versions name the base with the finding alone. */
function compare(percent: Ratio, reason: Extract<Reason, { kind: 'measured' }>): Change | undefined {
  const { base: stated, findings } = reason;
  const comparison = findings.find((finding) => 'base' in finding);
  const base = stated ?? comparison?.base;
  const before = base && totalPercent(base.totals);
  if (base === undefined || before === undefined) return undefined;
  const points = { ...subtractRatios(percent, before), beyond: exceededDrop(reason) };
  return { points, base, before };
}

function sayChange({ points, base, before }: Change, { tight, name, baseElsewhere }: Required<Brevity>): string {
  const build = nameBase(base, name);
  if (points.numerator === 0n) return baseElsewhere ? 'unchanged' : `unchanged from ${build}`;
  return `${showChange(points, tight)} from ${showPercent(before)}${baseElsewhere ? '' : ` in ${build}`}`;
}

type PatchReason = Extract<Reason, { kind: 'patch' }>;

function sayPatch(reason: PatchReason, name: Required<Brevity>['name']): string {
  const { totals, complete, notMeasured } = reason;
  const percent = totalPercent(totals);
  if (percent === undefined && notMeasured !== undefined) return noneMeasured(notMeasured);
  if (percent === undefined) return complete ? 'no relevant line changed' : 'no changed line is known to be relevant';
  const shown = `${ofTheChange(percent)} (${patchCounts(totals)})`;
  const rule = sayPatchRule(reason, name);
  return rule === undefined ? shown : `${shown}: ${rule}`;
}

/** The rule of changed lines; undefined if no minimum holds. */
export function sayPatchRule({ totals, minimum, base: found }: PatchReason, name: Required<Brevity>['name']) {
  if (minimum !== undefined) return shortWords(minimum, undefined, false);
  if (found === undefined) return undefined;
  const before = showPercent(totalPercent(found.base.totals));
  if (found.kind === 'drop') {
    const limit = `${showLimit(found.allowed)} ${found.allowed === 1 ? 'point' : 'points'}`;
    return `${found.passes ? 'within' : 'more than'} ${limit} below the base's total of ${before}`;
  }
  const isClose = before === showPercent(totalPercent(totals));
  const where = found.passes ? 'at least' : isClose ? 'just below' : 'below';
  return `${where} the base's total of ${before} in ${nameBase(found.base, name)}`;
}

/** For changed lines that only carried reports name; `lines`: how many there are. */
export function noneMeasured(lines: number): string {
  return lines === 1 ? 'the changed line was not measured' : `none of the ${lines} changed lines was measured`;
}

/** `54.76% of the change covered`: of its lines and branches together (rule 2). */
export function ofTheChange(percent: Ratio): string {
  return `${showPercent(percent)} of the change covered`;
}

/** `15 of 29 lines, 8 of 13 branches` */
export function patchCounts({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals): string {
  const lines = `${coveredLines} of ${counted(relevantLines, 'line')}`;
  return branches === 0 ? lines : `${lines}, ${coveredBranches} of ${counted(branches, 'branch', 'branches')}`;
}

interface FailureWords {
  /** In a list, by the limits of today. */
  row(thresholds: Thresholds): string;
}

/** Why something fails, by the rule that decides; undefined: nothing fails by it. */
export const FAILURES: { readonly [Rule in FlagRule]: FailureWords | undefined } = {
  minimum: {
    row: ({ minimum }) => (minimum === null ? 'Below the minimum' : `Below the minimum, ${showLimit(minimum)}%`),
  },
  'allowed-drop': {
    row: ({ allowedDrop }) =>
      allowedDrop === null ? 'Fell too far' : `Fell by more than ${showLimit(allowedDrop)} points`,
  },
  'no-decrease': { row: () => 'Coverage fell' },
  'no-coverage-arrived': { row: () => 'No coverage was uploaded' },
  'patch-minimum': undefined,
  'first-build': undefined,
  'nothing-relevant': undefined,
  'patch-change': undefined,
  ratchet: { row: () => 'Too far below the best total' },
  group: { row: () => 'A group fails' },
  elsewhere: { row: () => 'Lines outside the change lost coverage' },
  'invalid-file': { row: () => 'coverage.yml has errors' },
  untouched: undefined,
  incomplete: undefined,
  'cannot-merge': undefined,
  'not-reported': undefined,
  carried: undefined,
};
