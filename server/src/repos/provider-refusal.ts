import { Failure } from '../core/failure.ts';
import type { ProviderFailure } from '../ports/provider.ts';

/** What a git host answered to what somebody asked for here. */
export function ofProviderFailure(error: ProviderFailure): Failure {
  return new Failure(error.kind === 'permanent' ? 'payload-invalid' : 'unavailable', error.message, { cause: error });
}
