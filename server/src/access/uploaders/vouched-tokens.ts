import { RecentMap } from '../../core/recent-map.ts';
import type { Services } from '../../services/services.ts';

/** How long a token that its host vouched for counts as known, in ms, and how many do. */
const REMEMBERED = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Tokens that their hosts vouched for lately. It decides where an upload waits, never who may upload. */
export interface VouchedTokens {
  remember(token: string, repoId: number): void;
  /** The id of the repo. */
  find(token: string): number | undefined;
}

/** By their hashes, in this process alone. */
export function createVouchedTokens({ clock, secrets }: Pick<Services, 'clock' | 'secrets'>): VouchedTokens {
  const vouched = new RecentMap<number>({ max: MAX_REMEMBERED, lasts: REMEMBERED, now: clock.now });
  return {
    remember: (token, repoId) => vouched.set(secrets.hash(token), repoId),
    find: (token) => vouched.get(secrets.hash(token)),
  };
}
