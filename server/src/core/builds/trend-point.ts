import type { CoverageTotals } from '../coverage/totals.ts';
import type { Timestamp } from '../time.ts';
import type { Overall } from '../verdict/checks.ts';
import type { FlagRule } from '../verdict/reason.ts';
import type { VerdictState } from '../verdict/verdict.ts';
import type { FlagResult } from './build.ts';
import type { Imported } from './imported.ts';

/** What one build says of a branch, or of a flag there. */
export interface TrendPoint {
  readonly buildId: number;
  readonly commit: string | undefined;
  /** When its first job came. */
  readonly at: Timestamp;
  readonly totals: CoverageTotals;
  readonly baseTotals: CoverageTotals | undefined;
  readonly verdict: {
    readonly state: VerdictState;
    readonly rule: FlagRule;
    readonly informational?: true | undefined;
  };
  /** For a build: what its checks amount to. Absent of a flag. */
  readonly overall?: Overall | undefined;
  /** For a flag alone. */
  readonly kind?: FlagResult['kind'] | undefined;
  /** For an imported build. */
  readonly imported?: Imported | undefined;
}
