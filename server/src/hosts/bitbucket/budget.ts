import { counted } from '../../core/sentences.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RateLimitLeft } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { CountedOperation } from './operations.ts';

const HOUR = 3_600_000;
/** For every token, if its workspace has no more than 100 seats. */
export const REQUESTS_PER_HOUR = 1_000;
/** What one repo may spend of the hour, except for its statuses: others build too. */
const OF_ONE_REPO = 0.5;

/** The requests of the last hour by one token, as this process counts them: Bitbucket does not say what is left. */
export interface Budget {
  /** Throws a ProviderFailure `limited` if others need what is left. */
  take(repo: string | undefined, operation: CountedOperation): void;
  /** What an answer says of the limit. */
  note(headers: Headers): void;
  left(): RateLimitLeft;
}

export function createBudget({ now }: Clock): Budget {
  let limit = REQUESTS_PER_HOUR;
  let spent: { readonly at: number; readonly repo: string | undefined }[] = [];
  const recent = () => {
    const from = now() - HOUR;
    const first = spent.findIndex(({ at }) => at > from);
    spent = first < 0 ? [] : first === 0 ? spent : spent.slice(first);
    return spent;
  };
  const refuse = (entries: typeof spent, max: number, who: string): void => {
    // One more fits once as many have left as are too many.
    const leaving = entries[entries.length - Math.max(1, Math.floor(max))];
    if (entries.length < max) return;
    const seen = `${who} made ${counted(entries.length, 'request')} of ${limit} in the last hour`;
    const sentence = `${seen} at Bitbucket: this one waits, so that statuses can still be set.`;
    throw new ProviderFailure('limited', sentence, { retryAt: (leaving?.at ?? now()) + HOUR });
  };
  return {
    take(repo, { share }) {
      const entries = recent();
      refuse(entries, limit * share, 'This server');
      if (repo !== undefined && share < 1)
        refuse(
          entries.filter((one) => one.repo === repo),
          limit * share * OF_ONE_REPO,
          repo,
        );
      spent.push({ at: now(), repo });
    },
    note(headers) {
      const stated = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
      if (Number.isSafeInteger(stated) && stated > 0) limit = stated;
    },
    left() {
      const entries = recent();
      return { limit, left: Math.max(0, limit - entries.length), resetAt: (entries[0]?.at ?? now()) + HOUR };
    },
  };
}
