import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../../platform/clock.ts';

/** How long a token is used, in ms: GitHub's last an hour, by GitHub's clock and from when it made them. */
const USED_FOR = 55 * 60_000;

/** The token of one installation. What cannot be made is thrown as the ProviderFailure that it ended in. */
export interface InstallationTokens {
  /** One that should hold. */
  current(): Promise<string>;
  /** Another one than this, which GitHub refused. */
  renew(refused: string): Promise<string>;
  /**
   * Forgets what it has, if that was made more than this many ms ago: one that was made before a permission was granted
   * never gets it.
   */
  drop(age?: { readonly olderThan: number }): void;
  /** How many it has forgotten: where the number grew during a call, the next one has another token. */
  dropped(): number;
  /** Takes every token that may still be in use out of a text. */
  redact(text: string): string;
}

/**
 * Makes a token when one is needed, once for all who wait for it. `make` asks GitHub for one; it throws a
 * ProviderFailure, within a bound.
 */
export function createInstallationTokens(make: () => Promise<string>, clock: Clock): InstallationTokens {
  let kept: { readonly token: string; readonly madeAt: Timestamp } | undefined;
  let making: Promise<string> | undefined;
  let before: readonly string[] = [];
  let count = 0;
  const drop: InstallationTokens['drop'] = ({ olderThan } = { olderThan: -1 }) => {
    if (kept === undefined || clock.now() - kept.madeAt <= olderThan) return;
    before = [kept.token, ...before].slice(0, 2);
    kept = undefined;
    count += 1;
  };
  const makeOne = async (): Promise<string> => {
    const madeAt = clock.now();
    const token = await make();
    kept = { token, madeAt };
    return token;
  };
  const current = (): Promise<string> => {
    if (kept !== undefined && clock.now() < kept.madeAt + USED_FOR) return Promise.resolve(kept.token);
    drop();
    making ??= makeOne().finally(() => {
      making = undefined;
    });
    return making;
  };
  return {
    current,
    renew(refused) {
      if (kept?.token === refused) drop();
      return current();
    },
    drop,
    dropped: () => count,
    redact: (text) => [kept?.token, ...before].reduce<string>((left, token) => hide(left, token), text),
  };
}

function hide(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, '[token]');
}
