import type { StatusContent } from '../core/announce/delivery.ts';
import { sameContent } from '../core/announce/status-owner.ts';
import type { Provider, StatusCall } from '../ports/provider.ts';
import type { LeasedCall } from './lease.ts';

export interface StatusAttempt {
  readonly provider: Pick<Provider, 'setStatus' | 'readStatus'>;
  readonly call: LeasedCall;
  readonly status: StatusCall;
  /** The outcome of the last attempt is unknown. */
  readonly uncertain: boolean;
}

/**
 * Makes a commit status be what is wanted. After an unknown outcome it is read back first (rule 27): GitHub takes 1,000
 * per commit and context, and each one is an event for everybody who listens (rule 23). Throws what the provider
 * throws.
 */
export async function announceStatus({ provider, call, status, uncertain }: StatusAttempt): Promise<void> {
  if (uncertain) {
    const { content: wanted, ...place } = status;
    const shown = await call(() => provider.readStatus(place));
    if (shown !== undefined && sameContent(wanted, { kind: 'status', ...shown } satisfies StatusContent)) return;
  }
  await call(() => provider.setStatus(status));
}
