import type { PlaceId } from '../core/announce/delivery.ts';
import type { CheckRunCall, CheckRuns } from '../ports/check-runs.ts';
import type { LeasedCall } from './lease.ts';

export interface CheckAttempt {
  readonly provider: CheckRuns;
  readonly call: LeasedCall;
  readonly checkRun: CheckRunCall;
  /** The newest check run of the place, where it surely is that and has the annotations of the call already. */
  readonly checkRunId: PlaceId | undefined;
  /** The outcome of the last attempt is unknown. */
  readonly uncertain: boolean;
}

/**
 * Makes the check run of a commit show what is wanted; answers its id. Hosts add annotations and never take any away,
 * so other annotations need another check run. After an unknown outcome it is read back first, so that no crash adds
 * one more (rule 27). Throws what the provider throws.
 */
export async function announceCheck({
  provider,
  call,
  checkRun,
  checkRunId,
  uncertain,
}: CheckAttempt): Promise<PlaceId> {
  if (uncertain) {
    const found = await call(() => provider.findCheckRun(checkRun));
    if (found !== undefined) return found;
  }
  if (checkRunId !== undefined) {
    const answer = await call(() => provider.updateCheckRun({ ...checkRun, checkRunId }));
    if (answer === 'updated') return checkRunId;
  }
  return call(() => provider.createCheckRun(checkRun));
}
