import { asFields } from './codecov-findings.ts';
import type { Fields } from './file-migration.ts';

/** What a status of Codecov compares with: percent, and percentage points below the base. */
export interface Limits {
  readonly minimum: number | null;
  readonly drop: number | null;
}

/** Undefined if it is off. `off` and `no` are texts in YAML 1.2. */
export function ruleOf(value: unknown): Fields | undefined {
  if (value === false || /^(?:off|no)$/i.test(String(value)) || asFields(value)?.enabled === false) return undefined;
  return asFields(value) ?? {};
}

/**
 * A fixed target is met at the target less the threshold, whatever the base has. With `auto`, the default, the target
 * is the base's total, and the threshold what it may fall by.
 */
export function limitsOf(rule: Fields): Limits {
  const [target, threshold] = [percentOf(rule.target), percentOf(rule.threshold)];
  if (target === null) return { minimum: null, drop: threshold };
  return { minimum: Math.max(0, Number((target - (threshold ?? 0)).toFixed(10))), drop: null };
}

function percentOf(value: unknown): number | null {
  const number = Number.parseFloat(String(value ?? '').replace('%', ''));
  return Number.isFinite(number) && number >= 0 && number <= 100 ? number : null;
}
