import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';

/** Length of SECRET_KEY and of the keys derived from it. */
export const KEY_BYTES = 32;

/**
 * A secret key from its text; undefined when it is not 32 bytes in hexadecimal or base64. A KeyObject, since it never
 * prints itself.
 */
export function parseSecretKey(text: string): KeyObject | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return createSecretKey(Buffer.from(text, 'hex'));
  if (!/^[A-Za-z0-9+/_-]{43}=$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === KEY_BYTES ? createSecretKey(bytes) : undefined;
}

/** Whether the key is so regular that it was typed: worth a warning. */
export function looksTyped(key: KeyObject): boolean {
  // 32 random bytes hold fewer than 16 different values about once in 10^11 keys.
  return new Set(key.export()).size < 16;
}

export const KEY_FORM = '64 hexadecimal or 44 base64 characters (32 bytes), as `openssl rand -hex 32` prints them';

/** The lines of a private key (PEM) in both forms that RSA keys are kept in: a part of it may be shown alone. */
export function privateKeyLines(pem: string): readonly string[] {
  const key = createPrivateKey(pem);
  const forms = (['pkcs1', 'pkcs8'] as const).map((type) => key.export({ type, format: 'pem' }).toString());
  return forms.flatMap((form) => form.split('\n')).filter((line) => line !== '' && !line.startsWith('-----'));
}
