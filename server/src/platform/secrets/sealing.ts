import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { RandomBytes } from './random-token.ts';
import { KEY_BYTES } from './secret-key.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** What one secret key does to repo tokens. */
export interface Sealing {
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
export function createSealing(deps: { readonly key: KeyObject; readonly randomBytes: RandomBytes }): Sealing {
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
