import type { Timestamp } from '../core/time.ts';
import type { Secrets } from '../platform/secrets.ts';

/** ms */
const GOOD_FOR = 60_000;

/** By which the command `doctor` asks a server of the same key what that finds about itself. */
export function proveDoctor(secrets: Pick<Secrets, 'sealText'>, now: Timestamp): string {
  return secrets.sealText(`doctor ${now}`);
}

/** Anybody who holds the key of a server may do everything there, so also this. */
export function isDoctor(proof: string, secrets: Pick<Secrets, 'openText'>, now: Timestamp): boolean {
  const at = /^doctor (\d+)$/.exec(secrets.openText(proof) ?? '')?.[1];
  return at !== undefined && Math.abs(now - Number(at)) < GOOD_FOR;
}
