import type { FailureCode } from '../../runner/failure.ts';

/** How the program ends (docs/command.md, "Exit codes"). */
export const EXIT = {
  good: 0,
  /** The verdict or the check failed. */
  failed: 1,
  /** Wrong use, or input that can not be read. */
  wrongUse: 2,
  refused: 3,
  unreachable: 4,
  /** Not foreseen: a fault of this program. */
  fault: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_FAILURE: Partial<Record<FailureCode, ExitCode>> = {
  'no-secret': EXIT.good,
  'server-refused': EXIT.refused,
  'answer-not-understood': EXIT.refused,
  'server-unreachable': EXIT.unreachable,
};

export function exitCodeOf(failure: FailureCode): ExitCode {
  return BY_FAILURE[failure] ?? EXIT.wrongUse;
}
