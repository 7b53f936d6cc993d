import { createSign, generateKeyPairSync } from 'node:crypto';

/** What signs the ID tokens of a host's CI, beside its API. */
export interface IdTokenIssuer {
  /** What it describes itself by and its keys, by address; undefined: another page. */
  answer(address: string): object | undefined;
  sign(claims: Readonly<Record<string, unknown>>): string;
}

let keys: ReturnType<typeof makeKeys> | undefined;
const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Made when it is needed, and once: a key takes longer than a test. */
const keyPair = () => {
  keys ??= makeKeys();
  return keys;
};

/** `keysAt`: the address of its keys. */
export function createIdTokenIssuer({
  issuer,
  keysAt,
  now,
}: {
  readonly issuer: string;
  readonly keysAt: string;
  readonly now: () => number;
}): IdTokenIssuer {
  return {
    answer(address) {
      if (address === `${issuer}/.well-known/openid-configuration`) return { issuer, jwks_uri: keysAt };
      if (address !== keysAt) return undefined;
      return { keys: [{ ...keyPair().publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] };
    },
    sign(claims) {
      const iat = Math.floor(now() / 1_000);
      const payload = { iss: issuer, iat, nbf: iat - 5, exp: iat + 300, ...claims };
      const parts = [{ alg: 'RS256', kid: 'one', typ: 'JWT' }, payload].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      const signature = createSign('RSA-SHA256').update(parts.join('.')).sign(keyPair().privateKey, 'base64url');
      return [...parts, signature].join('.');
    },
  };
}
