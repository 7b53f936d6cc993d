import { type AuditSignIns, createAuditSignIns } from '../access/audit-sign-ins.ts';
import { Failure } from '../core/failure.ts';
import { type Counts, createCounts } from '../platform/limiter.ts';
import { networkOf } from '../platform/network-of.ts';
import type { Services } from '../services/services.ts';

/** Within this time, in ms, attempts are counted. */
export const WINDOW = 15 * 60_000;
/** For one account, whether there is one or not. */
const MAX_PER_NAME = 10;
/** For one network, behind which many people may be. */
const MAX_PER_NETWORK = 50;
/** For one account by a browser that signed in to it before, which nobody else's attempts count against. */
const MAX_PER_DEVICE = 5;

/**
 * Counts an attempt to sign in. Throws a Failure `over-limit` beyond what one account or one network may try. What it
 * answers forgets those of the account: somebody signed in.
 */
export type LimitAttempts = (attempt: {
  readonly name: string;
  readonly address: string;
  /** A browser that signed in to this account before; it has attempts of its own, and then those of everybody. */
  readonly device?: string | undefined;
}) => () => void;

/** What counts attempts to sign in, in this process. */
export interface SignInGuards {
  readonly auditSignIns: AuditSignIns;
  readonly limitAttempts: LimitAttempts;
  /** Answers that providers refused, by network. */
  readonly refusedAnswers: Counts;
}

export function createSignInGuards(services: Pick<Services, 'audit' | 'clock' | 'timers'>): SignInGuards {
  return {
    auditSignIns: createAuditSignIns(services),
    limitAttempts: createLimitAttempts(services),
    refusedAnswers: createCounts({ now: services.clock.now, isOver: (since, at) => at - since >= WINDOW }),
  };
}

/** By this process's own counts, which names that no account has are part of. */
function createLimitAttempts({ timers }: Pick<Services, 'timers'>): LimitAttempts {
  const now = timers.elapsed;
  const count = (): Counts => createCounts({ now, isOver: (since, at) => at - since >= WINDOW });
  const [names, networks, devices] = [count(), count(), count()];
  /** Milliseconds until it may be tried again. */
  const waitOf = (counts: Counts, key: string, max: number): number => {
    const { since, amount } = counts.read(key);
    return amount < max ? 0 : since + WINDOW - now();
  };
  return ({ name, address, device }) => {
    if (device !== undefined && waitOf(devices, device, MAX_PER_DEVICE) === 0) {
      devices.add(device, 1);
      return () => devices.forget(device);
    }
    const network = networkOf(address);
    const wait = Math.max(waitOf(names, name, MAX_PER_NAME), waitOf(networks, network, MAX_PER_NETWORK));
    if (wait > 0) throw tooManyAttempts(wait);
    names.add(name, 1);
    networks.add(network, 1);
    return () => names.forget(name);
  };
}

/** `wait`: ms until it may be tried again. */
export function tooManyAttempts(wait: number): Failure {
  const sentence = `Too many attempts to sign in. Try again in ${Math.ceil(wait / 60_000)} min.`;
  return new Failure('over-limit', sentence, { retryAfter: Math.ceil(wait / 1_000) });
}
