import { RecentMap } from '../../core/recent-map.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';
import { createUnknownLimit } from './unknown-limit.ts';

/** How long a token that its host vouched for counts as known, in ms, and how many tokens of each kind do. */
const VOUCHED_FOR = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Tokens that their hosts vouched for lately. It decides where an upload waits, never who may upload. */
export interface VouchedTokens {
  remember(token: string, repoId: number): void;
  /** The id of the repo. */
  find(token: string): number | undefined;
}

/** By their hashes, in this process alone. */
export function createVouchedTokens({ clock, secrets }: Pick<Services, 'clock' | 'secrets'>): VouchedTokens {
  const vouched = new RecentMap<number>({ max: MAX_REMEMBERED, lasts: VOUCHED_FOR, now: clock.now });
  return {
    remember: (token, repoId) => vouched.set(secrets.hash(token), repoId),
    find: (token) => vouched.get(secrets.hash(token)),
  };
}

/** How long a token that its host does not know is remembered, in ms. */
const REFUSED_FOR = 60_000;
const UNKNOWN = { tokens: 'tokens', fault: 'that their git host does not know', check: 'the token' };

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
   * Unless it vouched for the token lately, throws a Failure `over-limit` if the address sent too many that it did not
   * know, and a transient ProviderFailure where those that are being asked about may be too many.
   */
  ask<T>(sent: SentToken, question: () => Promise<T>): Promise<T>;
}

/** By their hashes, in this process alone. */
export function createRefusedTokens({
  clock,
  secrets,
  vouchedTokens,
}: Pick<Services, 'clock' | 'secrets'> & { readonly vouchedTokens: VouchedTokens }): RefusedTokens {
  const refused = new RecentMap<ProviderFailure>({ max: MAX_REMEMBERED, lasts: REFUSED_FOR, now: clock.now });
  const unknown = createUnknownLimit(clock.now, UNKNOWN);
  const begin = createUnderWay();
  return {
    async ask({ token, address }, question) {
      const hash = secrets.hash(token);
      const known = refused.get(hash);
      if (known !== undefined) throw known;
      const isVouched = vouchedTokens.find(token) !== undefined;
      const end = isVouched ? () => {} : begin(address, unknown.left(address));
      try {
        return await question();
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'permanent' && error.status === 401) {
          refused.set(hash, error);
          unknown.count(address);
        }
        throw error;
      } finally {
        end();
      }
    },
  };
}

/** Questions in progress by address. Throws if there are as many as it may have; what it answers ends this one. */
function createUnderWay(): (address: string, max: number) => () => void {
  const counts = new Map<string, number>();
  const count = (address: string): number => counts.get(address) ?? 0;
  return (address, max) => {
    if (count(address) >= max)
      throw new ProviderFailure(
        'transient',
        'Other tokens from this IP address are being checked. Try again in a ' + 'moment.',
      );
    counts.set(address, count(address) + 1);
    return () => {
      counts.set(address, count(address) - 1);
      if (count(address) === 0) counts.delete(address);
    };
  };
}
