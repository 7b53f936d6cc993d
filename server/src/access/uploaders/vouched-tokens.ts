import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** How long a token that its host vouched for counts as known, in ms, and how many do. */
const REMEMBERED = 10 * 60_000;
const MOST_REMEMBERED = 1_000;

/** Tokens that their hosts vouched for lately. It decides whose turn it is, never who may upload. */
export interface VouchedTokens {
  remember(token: string, repoId: number): void;
  /** The id of the repo. */
  find(token: string): number | undefined;
}

/** By their hashes, in this process alone. */
export function createVouchedTokens(deps: {
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'hash'>;
}): VouchedTokens {
  const { clock, secrets } = deps;
  const vouched = new Map<string, { readonly repoId: number; readonly until: number }>();
  return {
    remember(token, repoId) {
      const key = secrets.hash(token);
      vouched.delete(key);
      vouched.set(key, { repoId, until: clock.now() + REMEMBERED });
      const [oldest] = vouched.keys();
      if (vouched.size > MOST_REMEMBERED && oldest !== undefined) vouched.delete(oldest);
    },
    find(token) {
      const known = vouched.get(secrets.hash(token));
      return known !== undefined && known.until > clock.now() ? known.repoId : undefined;
    },
  };
}
