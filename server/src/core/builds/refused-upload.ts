import type { FailureCode } from '../failure.ts';
import type { Timestamp } from '../time.ts';

/** An upload that a repo's client sent and that was refused; the same one again is only counted. */
export interface RefusedUpload {
  readonly repoId: number;
  /** What makes it the same as another: no secret, and not longer than MAX_KEY. */
  readonly key: string;
  readonly code: FailureCode;
  /** As it was answered, cut: what was seen and what to do. */
  readonly sentence: string;
  /** Where the offending value stood. */
  readonly field: string | undefined;
  /** The client's own name, from its User-Agent. */
  readonly client: string | undefined;
  readonly firstAt: Timestamp;
  readonly lastAt: Timestamp;
  /** How often it was noted; under load not every one is. */
  readonly count: number;
  /** It named the repo without a token of it: anybody may have sent it. */
  readonly unproven?: true;
}

/** How many of each repo are kept, the newest, and for how long (ms). */
export const MAX_REFUSED = 200;
export const KEPT_REFUSED = 14 * 86_400_000;

const MAX_KEY = 200;

/** Two refusals are the same where only their numbers differ. */
export function keyOfRefusal(refusal: Pick<RefusedUpload, 'code' | 'field' | 'client' | 'sentence'>): string {
  const { code, field = '', client = '', sentence } = refusal;
  const parts = [code, field.slice(0, 40), client.slice(0, 40), sentence].join(' ');
  return parts.replaceAll(/\d+/g, '0').slice(0, MAX_KEY).toWellFormed();
}
