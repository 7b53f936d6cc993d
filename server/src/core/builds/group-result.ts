import type { ChangeCause, FlagVerdict } from '../verdict/verdict.ts';
import type { ComposedGroup } from './compose-groups.ts';

/** One group of a closed build: its number, and what its rules say of it. */
export interface GroupResult extends Omit<ComposedGroup, 'of' | 'gone'> {
  /** Undefined: no rule is set, so that it is a number and no check. */
  readonly verdict?: FlagVerdict | undefined;
  readonly cause?: ChangeCause | undefined;
  /** It has a commit status of its own, so that it does not fail the build's. */
  readonly hasStatus?: true | undefined;
}
