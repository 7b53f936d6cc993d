import { Failure } from '../../core/failure.ts';
import { createCounts } from '../../platform/limiter.ts';

/** Such texts of one address in a minute. */
const MAX = 10;
const MINUTE = 60_000;

/** Bounds what made-up tokens of one address make this server ask of others; in this process alone. */
export interface UnknownLimit {
  /** How many more it may send; throws a Failure `over-limit` if there is none. */
  left(address: string): number;
  count(address: string): void;
  /** One that was counted turned out to be known. */
  giveBack(address: string): void;
}

/** The words of its refusal: what came, what is wrong with it, and what to look at. */
export interface UnknownWords {
  readonly tokens: string;
  readonly fault: string;
  readonly check: string;
}

export function createUnknownLimit(now: () => number, { tokens, fault, check }: UnknownWords): UnknownLimit {
  const counts = createCounts({ now, isOver: (since, at) => at - since >= MINUTE });
  return {
    left(address) {
      const { amount, since } = counts.read(address);
      if (amount < MAX) return MAX - amount;
      const retryAfter = Math.ceil((since + MINUTE - now()) / 1_000);
      throw new Failure(
        'over-limit',
        `This IP address sent ${MAX} ${tokens} within a minute ${fault}. Nothing was stored. ` +
          `Check ${check}, or use the repo's own token; try again in ${retryAfter} s.`,
        { retryAfter },
      );
    },
    count: (address) => counts.add(address, 1),
    giveBack: (address) => counts.add(address, -1),
  };
}
