import type { Timestamp } from '../core/time.ts';

/** How a git host sees this server: what `npm run doctor` asks. */
export interface HostCheckup {
  /** The address that was asked. */
  readonly address: string;
  /** The host's clock by its last answer, and ours at that moment. */
  readonly clocks: { readonly host: Timestamp; readonly ours: Timestamp } | undefined;
  readonly signIn: SignInState;
  /** What it says it is, and what that one cannot do, each as `<what> (<since which>)`; left out: it does not say. */
  readonly version?: { readonly text: string; readonly lacks: readonly string[] } | undefined;
  /** The one with the least left of those that were looked at; undefined: the host names none. */
  readonly rateLimit: RateLimitLeft | undefined;
}

/** Names of rights are the host's own, such as `checks: write`. */
export type SignInState =
  | { readonly kind: 'none' }
  /** `why`: what the host said, with or without a full stop. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The host answered, but not this question: it has trouble, or asks to slow down. */
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'app';
      readonly id: number;
      readonly missing: readonly string[];
      readonly missingEvents: readonly string[];
      readonly installations: number;
      /** For these accounts, as they may do less than the App asks for. */
      readonly notAgreed: readonly string[];
      readonly suspended: readonly string[];
    }
  /** `rights`: undefined if the host does not say; `endsAt`: as well, and where the token never ends. */
  | {
      readonly kind: 'token';
      readonly rights: readonly string[] | undefined;
      readonly missing: readonly string[];
      readonly endsAt?: Timestamp | undefined;
    };

export interface RateLimitLeft {
  readonly limit: number;
  readonly left: number;
  readonly resetAt: Timestamp;
}

/** Asks at most a few requests, within CHECKUP_LIMIT; throws a ProviderFailure if no answer came at all. */
export type AskCheckup = () => Promise<HostCheckup>;

/** ms */
export const CHECKUP_LIMIT = 10_000;
