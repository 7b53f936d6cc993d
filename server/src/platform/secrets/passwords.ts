import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import type { Passwords } from '../passwords.ts';
import { ONE_SHARE, Scheduler } from '../scheduler.ts';
import type { RandomBytes } from './random-token.ts';

/** 32 MiB and a tenth of a second each: among those that OWASP's Password Storage Cheat Sheet takes as equal. */
const COST: ScryptCost = { log2: 15, blocks: 8, parallelism: 3 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Comparisons at once: each takes a thread of Node's pool, which files and look-ups share, and its memory. */
const AT_ONCE = 2;
/** For known and for unknown callers each. */
const MAX_WAITING = 50;

/** N = 2 ** log2, r = blocks, p = parallelism. */
export interface ScryptCost {
  readonly log2: number;
  readonly blocks: number;
  readonly parallelism: number;
}

/** Passwords by scrypt, stored as `scrypt$<log2>$<blocks>$<parallelism>$<salt>$<key>`. */
export function createPasswords(deps: { readonly randomBytes: RandomBytes; readonly cost?: ScryptCost }): Passwords {
  const { randomBytes, cost = COST } = deps;
  const refuse = (): Failure => new Failure('unavailable', 'Too many sign-ins right now. Try again in a few seconds.');
  const turns = new Scheduler({ capacity: AT_ONCE, wait: { max: MAX_WAITING, refuse } });
  return {
    async hash(password) {
      const salt = Buffer.from(randomBytes(SALT_BYTES));
      // Who sets a password is signed in, or runs a command.
      const key = await turns.run(() => deriveKey(password, salt, cost), ONE_SHARE);
      const { log2, blocks, parallelism } = cost;
      return ['scrypt', log2, blocks, parallelism, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    async matches(password, stored, queueKey) {
      const [, log2, blocks, parallelism, salt = '', key = ''] = (stored ?? '').split('$');
      const by =
        stored === undefined ? cost : { log2: Number(log2), blocks: Number(blocks), parallelism: Number(parallelism) };
      const found = await turns.run(() => deriveKey(password, Buffer.from(salt, 'base64url'), by), queueKey);
      const wanted = Buffer.from(key, 'base64url');
      return wanted.length === found.length && timingSafeEqual(found, wanted);
    },
  };
}

function deriveKey(password: string, salt: Buffer, { log2, blocks, parallelism }: ScryptCost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2, r: blocks, p: parallelism, maxmem: 256 * blocks * 2 ** log2 };
  return new Promise((resolve, reject) => {
    // The same characters may be typed in several ways.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
