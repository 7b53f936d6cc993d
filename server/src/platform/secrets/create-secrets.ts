import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { Secrets } from '../secrets.ts';
import { type RandomBytes, randomBase64Url, randomLetters } from './random-token.ts';
import { KEY_BYTES } from './secret-key.ts';

interface SecretsDeps {
  /** SECRET_KEY, or the key file's. */
  readonly key: KeyObject;
  /** SECRET_KEY_PREVIOUS: opens and finds what was stored under it. */
  readonly previousKey: KeyObject | undefined;
  readonly randomBytes: RandomBytes;
}

/** How the service's own tokens begin, by which secret scanners and error answers know them. */
const REPO_PREFIX = 'cvr_';
const PERSONAL_PREFIX = 'cvp_';
const BADGE_PREFIX = 'cvb_';
const SHARE_PREFIX = 'cvs_';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The Secrets port on node:crypto. */
export function createSecrets(deps: SecretsDeps): Secrets {
  const { key, previousKey, randomBytes } = deps;
  const current = createSealing({ key, randomBytes });
  const previous = previousKey && createSealing({ key: previousKey, randomBytes });
  // Digests have one length, so the comparison reveals nothing about the length of either text.
  const equal = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
  return {
    newRepoToken: () => REPO_PREFIX + randomLetters(randomBytes),
    newPersonalToken: () => PERSONAL_PREFIX + randomBase64Url(randomBytes),
    newShareToken: () => SHARE_PREFIX + randomLetters(randomBytes),
    newRandom: () => randomBase64Url(randomBytes),
    sealText: (text) => current.sealText(text),
    openText: (sealed) => current.openText(sealed) ?? previous?.openText(sealed),
    hash: (token) => digest(token).toString('hex'),
    seal: (token) => ({ lookup: current.lookup(token), sealed: current.seal(token) }),
    unseal: (sealed) => current.open(sealed) ?? previous?.open(sealed),
    requireKey: () => undefined,
    lookups: (token) =>
      [current, previous].flatMap((sealing) => (sealing === undefined ? [] : [sealing.lookup(token)])),
    badgeToken: (repoId) => BADGE_PREFIX + current.badge(repoId),
    isBadgeToken: (repoId, token) =>
      [current, previous].some(
        (sealing) => sealing !== undefined && equal(token, BADGE_PREFIX + sealing.badge(repoId)),
      ),
    serverIdentity: () => current.identity,
    equal,
  };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** What one secret key does to repo tokens. */
interface Sealing {
  /** Nonce, tag and ciphertext, base64. */
  seal(token: string): string;
  /** Undefined when this key did not seal it, or it was changed. */
  open(sealed: string): string | undefined;
  /** The same of any text, base64url, under a key of its own. */
  sealText(text: string): string;
  openText(sealed: string): string | undefined;
  /** Hex HMAC-SHA-256. */
  lookup(token: string): string;
  /** HMAC-SHA-256 of a repo's id, base64url. */
  badge(repoId: number): string;
  /** What servers with this key have in common; it says nothing of the key. */
  readonly identity: string;
}

/**
 * A key of its own is derived for each purpose, so that a leak of the one that finds tokens says nothing about the one
 * that opens them.
 */
function createSealing(deps: { readonly key: KeyObject; readonly randomBytes: RandomBytes }): Sealing {
  const { key, randomBytes } = deps;
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `coverage-service ${purpose} 1`, KEY_BYTES));
  const sealKey = derive('repo-token seal');
  const lookupKey = derive('repo-token lookup');
  const badgeKey = derive('badge-token');
  const textKey = derive('text seal');
  return {
    seal: (token) => encrypt(sealKey, token, randomBytes).toString('base64'),
    open: (sealed) => decrypt(sealKey, Buffer.from(sealed, 'base64')),
    sealText: (text) => encrypt(textKey, text, randomBytes).toString('base64url'),
    openText: (sealed) => decrypt(textKey, Buffer.from(sealed, 'base64url')),
    lookup: (token) => createHmac('sha256', lookupKey).update(token).digest('hex'),
    identity: derive('server-identity').toString('hex').slice(0, 32),
    badge: (repoId) => createHmac('sha256', badgeKey).update(String(repoId)).digest('base64url'),
  };
}

/** Nonce, tag and ciphertext. */
function encrypt(key: Buffer, text: string, randomBytes: RandomBytes): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Buffer, bytes: Buffer): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // The tag does not fit: another key, or changed bytes.
    return undefined;
  }
}
