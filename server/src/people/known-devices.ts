import type { Account } from '../core/repo/account.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';

/** How long a browser is known after a sign-in, in ms. */
export const DEVICE_LIMIT = 180 * 86_400_000;

/** Sealed: anybody who has the browser reads no name in it. */
interface KeptDevice {
  readonly device: string;
  /** A hash of the user's name. */
  readonly user: string;
  /** A hash of the account as it was; another password makes another one. */
  readonly account: string;
  readonly until: Timestamp;
}

type Devices = Pick<Services, 'secrets' | 'clock'>;

/**
 * What a browser keeps after a sign-in: strangers who try passwords do not lock its owner out. `kept`: what it kept
 * before. Undefined: the account has no password.
 */
export function rememberDevice(services: Devices, account: Account, kept: string | undefined): string | undefined {
  const { secrets, clock } = services;
  if (account.password === undefined) return undefined;
  const device = open(services, kept)?.device ?? secrets.newRandom();
  const marks = { user: secrets.hash(account.subject), account: markOf(services, account) };
  const known: KeptDevice = { device, ...marks, until: clock.now() + DEVICE_LIMIT };
  return secrets.sealText(JSON.stringify(known));
}

/** The browser's own name, if it signed in to the account of this user; `find` is asked for no other account. */
export async function recognizeDevice(
  services: Devices,
  {
    kept,
    user,
    find,
  }: { readonly kept: string | undefined; readonly user: string; find(): Promise<Account | undefined> },
): Promise<string | undefined> {
  const known = open(services, kept);
  const account = known?.user === services.secrets.hash(user) ? await find() : undefined;
  return account !== undefined && markOf(services, account) === known?.account ? known.device : undefined;
}

function open({ secrets, clock }: Devices, kept: string | undefined): KeptDevice | undefined {
  const text = kept === undefined ? undefined : secrets.openText(kept);
  const found = text?.startsWith('{"device"') ? (JSON.parse(text) as KeptDevice) : undefined;
  return found !== undefined && clock.now() < found.until ? found : undefined;
}

function markOf({ secrets }: Devices, { id, password }: Account): string {
  return secrets.hash(`device ${id} ${password}`);
}
