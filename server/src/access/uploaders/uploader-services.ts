import type { Services } from '../../services/services.ts';
import { type CheckRuns, createCheckRuns } from './check-runs-once.ts';
import {
  createRefusedTokens,
  createVouchedTokens,
  type RefusedTokens,
  type VouchedTokens,
} from './remembered-tokens.ts';
import { createRetryUntilDeadline, type RetryUntilDeadline } from './retry-until-deadline.ts';
import { createVerifyPullRun, type VerifyPullRun } from './verify-pull-run.ts';
import { createVerifyRun, type VerifyRun } from './verify-run.ts';

/** What uploaders are identified with. Beside the services, it is what this process remembers of uploaders. */
export interface UploaderServices extends Services {
  readonly vouchedTokens: VouchedTokens;
  readonly refusedTokens: RefusedTokens;
  readonly retryUntilDeadline: RetryUntilDeadline;
  readonly verifyRun: VerifyRun;
  readonly verifyPullRun: VerifyPullRun;
  readonly checkRuns: CheckRuns;
}

export function rememberUploaders(services: Services): UploaderServices {
  const vouchedTokens = createVouchedTokens(services);
  return {
    ...services,
    vouchedTokens,
    refusedTokens: createRefusedTokens({ ...services, vouchedTokens }),
    retryUntilDeadline: createRetryUntilDeadline(services),
    verifyRun: createVerifyRun(services),
    verifyPullRun: createVerifyPullRun(services),
    checkRuns: createCheckRuns(services),
  };
}
