import {
  changeOf,
  exactDecimal,
  type Ratio,
  type ShownChange,
  showChange,
  showLimit,
  showPercent,
  totalPercent,
} from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { GroupRule } from '../core/repo/repo-rules.ts';
import type { Finding, FindingKind, FindingOf, Thresholds } from '../core/verdict/findings.ts';

interface FindingWords<Kind extends FindingKind> {
  /** After the percentage and its change, in a status; empty: not worth a word. */
  short(finding: FindingOf<Kind>, change: ShownChange | undefined, brief: boolean): string;
  /** After the verdict's word, on a page. `isHint`: it is informational. */
  found(finding: FindingOf<Kind>, totals: CoverageTotals, isHint: boolean): string;
  /** The rule alone, in a table of checks. */
  rule(finding: FindingOf<Kind>): string;
}

const NO_DECREASE = 'no decrease allowed';

const WORDS: { readonly [Kind in FindingKind]: FindingWords<Kind> } = {
  minimum: {
    short({ passes, minimum }, _, brief) {
      const limit = `${showLimit(minimum)}%`;
      if (brief) return passes ? `minimum ${limit}` : `below ${limit}`;
      return `${passes ? 'at least' : 'below'} the minimum of ${limit}`;
    },
    found({ passes, minimum }, _, isHint) {
      const limit = `the minimum of ${showLimit(minimum)}%`;
      if (passes) return `coverage has reached ${limit}`;
      return isHint ? `below ${limit}` : `coverage is below ${limit}`;
    },
    rule: ({ minimum }) => atLeast(minimum),
  },
  decrease: {
    short: ({ passes }) => (passes ? '' : 'no decrease allowed'),
    found: ({ passes, base }, totals, isHint) =>
      passes ? didNotFall(changeOf(totals, base.totals)) : withDrop(base.totals, totals, isHint),
    rule: () => NO_DECREASE,
  },
  drop: {
    /** An allowed drop is not mentioned if there was none. */
    short({ passes, allowed }, change, brief) {
      if (change !== undefined && change.numerator >= 0n) return '';
      if (allowed === 0) return passes ? '' : 'no decrease allowed';
      const points = `${showLimit(allowed)}${brief ? '' : allowed === 1 ? ' point' : ' points'}`;
      if (brief) return passes ? `${points} allowed` : `more than ${points} allowed`;
      return passes ? `within the allowed drop of ${points}` : `more than the allowed drop of ${points}`;
    },
    found({ passes, allowed, base }, totals, isHint) {
      const change = changeOf(totals, base.totals);
      if (passes && (change === undefined || change.numerator >= 0n)) return didNotFall(change);
      const limit = `the allowed ${showLimit(allowed)} ${allowed === 1 ? 'point' : 'points'}`;
      if (passes) return `coverage fell by ${sizeOf(base.totals, totals)}, within ${limit}`;
      if (allowed === 0) return withDrop(base.totals, totals, isHint);
      const fell = `coverage fell by ${sizeOf(base.totals, totals, allowed)}`;
      return isHint ? `more than ${limit}` : `${fell}, more than ${limit}`;
    },
    rule: ({ allowed }) => dropOfAtMost(allowed),
  },
  'build-minimum': {
    short: () => "only the build's minimum decides",
    found: () => 'only the build’s minimum decides',
    rule: () => 'only the build’s minimum decides',
  },
  ratchet: {
    short({ passes, allowed, base }, _, brief) {
      const limit = `${showPercent(totalPercent(base.totals))}${allowed === 0 ? '' : ` less ${showLimit(allowed)}`}`;
      if (brief) return passes ? `best ${limit}` : `below ${limit}`;
      return `${passes ? 'at least' : 'below'} the best total of ${limit}`;
    },
    found({ passes, base }, _, isHint) {
      const limit = `the best total, ${showPercent(totalPercent(base.totals))}`;
      if (passes) return `coverage keeps ${limit}`;
      return isHint ? `too far below ${limit}` : `coverage is too far below ${limit}`;
    },
    rule: ({ allowed }) => (allowed === 0 ? 'the best total' : `at most ${showLimit(allowed)} below the best total`),
  },
  'first-build': {
    short: () => 'no earlier build to compare with',
    found: () => 'no earlier build to compare with',
    rule: () => 'first build',
  },
  'first-report': {
    short: () => 'no earlier report of this flag to compare with',
    found: () => 'no earlier report of this flag to compare with',
    rule: () => 'first report',
  },
};

export function shortWords(finding: Finding, change: ShownChange | undefined, brief: boolean): string {
  return wordsOf(finding.kind).short(finding, change, brief);
}

export function foundWords(finding: Finding, totals: CoverageTotals, isHint: boolean): string {
  return wordsOf(finding.kind).found(finding, totals, isHint);
}

/** `no decrease allowed`, `at least 75%` */
export function limitWords(finding: Finding): string {
  return wordsOf(finding.kind).rule(finding);
}

/** The same of thresholds: what they ask of any total that has a base. */
function thresholdWords({ minimum, allowedDrop }: Thresholds): readonly string[] {
  const ofMinimum = minimum === null ? [] : [atLeast(minimum)];
  if (allowedDrop !== null) return [...ofMinimum, dropOfAtMost(allowedDrop)];
  return minimum === null ? [NO_DECREASE] : ofMinimum;
}

/** What the file asks of a group, one thing each: of its total and of its changed lines. */
export function groupRuleWords({ total, changes }: Pick<GroupRule, 'total' | 'changes'>): readonly string[] {
  const minimum = changes?.minimum ?? null;
  const ofLines = minimum === 'base' ? 'at least the base’s total' : minimum === null ? undefined : atLeast(minimum);
  return [...(total ? thresholdWords(total) : []), ...(ofLines === undefined ? [] : [`changed lines ${ofLines}`])];
}

function atLeast(minimum: number): string {
  return `at least ${showLimit(minimum)}%`;
}

function dropOfAtMost(allowed: number): string {
  return allowed === 0 ? NO_DECREASE : `drop of at most ${showLimit(allowed)} ${allowed === 1 ? 'point' : 'points'}`;
}

function didNotFall(change: Ratio | undefined): string {
  return change === undefined || change.numerator === 0n
    ? 'coverage is unchanged'
    : `coverage rose by ${showChange(change).slice(1)}`;
}

function wordsOf(kind: FindingKind): FindingWords<FindingKind> {
  return WORDS[kind] as FindingWords<FindingKind>;
}

function withDrop(base: CoverageTotals, now: CoverageTotals, isHint: boolean): string {
  return isHint ? 'no decrease is allowed' : `coverage fell by ${sizeOf(base, now)}, and no decrease is allowed`;
}

/** `2.001 points`, of a total that fell. `over`: the limit that it reads as over. */
function sizeOf(base: CoverageTotals, now: CoverageTotals, over = 0): string {
  const change = changeOf(now, base);
  return change === undefined
    ? 'an unknown number of points'
    : showChange({ ...change, beyond: exactDecimal(over) }).slice(1);
}
