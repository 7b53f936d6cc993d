/** Smallest and largest threshold: percent for the minimum, percentage points for the allowed drop. */
export const THRESHOLD_RANGE = { lowest: 0, highest: 100 } as const;

/** Whether a value can be a threshold: a number from 0 to 100 (rules.md, "Verdict"). */
export function isThreshold(value: unknown): value is number {
  return typeof value === 'number' && value >= THRESHOLD_RANGE.lowest && value <= THRESHOLD_RANGE.highest;
}
