import type { Account } from '../core/repo/account.ts';
import type { Timestamp } from '../core/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';

/** How long a browser is known after a sign-in, in ms. */
export const DEVICE_LIMIT = 180 * 86_400_000;

/** Browsers by which somebody signed in before: strangers who try passwords do not lock their owners out. */
export interface KnownDevices {
  /** What a browser keeps from now on; `kept`: what it kept before. Undefined: the account has no password. */
  remember(account: Account, kept: string | undefined): string | undefined;
  /** The browser's own name, if it signed in to the account of this user; `find` is asked for no other account. */
  recognise(
    kept: string | undefined,
    user: string,
    find: () => Promise<Account | undefined>,
  ): Promise<string | undefined>;
}

/** Sealed: anybody who has the browser reads no name in it. */
interface KeptDevice {
  readonly device: string;
  /** A hash of the user's name. */
  readonly user: string;
  /** A hash of the account as it was; another password makes another one. */
  readonly account: string;
  readonly until: Timestamp;
}

export function createKnownDevices(deps: {
  readonly secrets: Pick<Secrets, 'sealText' | 'openText' | 'hash' | 'newRandom'>;
  readonly clock: Clock;
}): KnownDevices {
  const { secrets, clock } = deps;
  const markOf = ({ id, password }: Account): string => secrets.hash(`device ${id} ${password}`);
  const open = (kept: string | undefined): KeptDevice | undefined => {
    const text = kept === undefined ? undefined : secrets.openText(kept);
    const found = text?.startsWith('{"device"') ? (JSON.parse(text) as KeptDevice) : undefined;
    return found !== undefined && clock.now() < found.until ? found : undefined;
  };
  return {
    remember(account, kept) {
      if (account.password === undefined) return undefined;
      const device = open(kept)?.device ?? secrets.newRandom();
      const marks = { user: secrets.hash(account.subject), account: markOf(account) };
      const known: KeptDevice = { device, ...marks, until: clock.now() + DEVICE_LIMIT };
      return secrets.sealText(JSON.stringify(known));
    },
    async recognise(kept, user, find) {
      const known = open(kept);
      const account = known?.user === secrets.hash(user) ? await find() : undefined;
      return account !== undefined && markOf(account) === known?.account ? known.device : undefined;
    },
  };
}
