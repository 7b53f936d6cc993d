import { Failure } from '../../core/failure.ts';
import { RecentMap } from '../../core/recent-map.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCounts } from '../../platform/limiter.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { VouchedTokens } from './vouched-tokens.ts';

/** How long a token that its host does not know is remembered, in ms, and how many are. */
const REMEMBERED = 60_000;
const MAX_REMEMBERED = 1_000;
/** Such tokens of one address that hosts are asked about, in a minute. */
const MAX_UNKNOWN = 10;
const MINUTE = 60_000;

/** A token that came with a request, and the network that it came from. */
export interface SentToken {
  readonly token: string;
  readonly address: string;
}

/**
 * Bounds what made-up tokens make this server ask: a host that meets many of them from one server may refuse what that
 * server asks for itself.
 */
export interface RefusedTokens {
  /**
   * Asks the host, unless its answer is known. Throws the ProviderFailure of a token that it did not know lately.
   * Unless it vouched for the token lately, throws a Failure `over-limit` where the address sent too many that it did
   * not know, and a transient ProviderFailure where those that are being asked about may be too many.
   */
  ask<T>(sent: SentToken, question: () => Promise<T>): Promise<T>;
}

/** By their hashes, in this process alone. */
export function createRefusedTokens(deps: {
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly vouchedTokens: Pick<VouchedTokens, 'find'>;
}): RefusedTokens {
  const { clock, secrets, vouchedTokens } = deps;
  const refused = new RecentMap<ProviderFailure>({ max: MAX_REMEMBERED, lasts: REMEMBERED, now: clock.now });
  const unknown = createCounts({ now: clock.now, isOver: (since, now) => now - since >= MINUTE });
  const begin = createUnderWay();
  return {
    async ask({ token, address }, question) {
      const hash = secrets.hash(token);
      const known = refused.get(hash);
      if (known !== undefined) throw known;
      const isVouched = vouchedTokens.find(token) !== undefined;
      const { amount, since } = unknown.read(address);
      if (!isVouched && amount >= MAX_UNKNOWN) throw tooMany(Math.ceil((since + MINUTE - clock.now()) / 1_000));
      const end = isVouched ? () => {} : begin(address, MAX_UNKNOWN - amount);
      try {
        return await question();
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'permanent' && error.status === 401) {
          refused.set(hash, error);
          unknown.add(address, 1);
        }
        throw error;
      } finally {
        end();
      }
    },
  };
}

/** Questions under way by address. Throws where there are as many as it may have; what it answers ends this one. */
function createUnderWay(): (address: string, max: number) => () => void {
  const counts = new Map<string, number>();
  const count = (address: string): number => counts.get(address) ?? 0;
  return (address, max) => {
    if (count(address) >= max)
      throw new ProviderFailure('transient', 'Other tokens of this address are being checked. Try again in a moment.');
    counts.set(address, count(address) + 1);
    return () => {
      counts.set(address, count(address) - 1);
      if (count(address) === 0) counts.delete(address);
    };
  };
}

function tooMany(retryAfter: number): Failure {
  return new Failure(
    'over-limit',
    `This address sent ${MAX_UNKNOWN} tokens within a minute that their git host does not know. ` +
      `Nothing was stored. Check the token, or use the repo's own token; try again in ${retryAfter} s.`,
    { retryAfter },
  );
}
