import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets.ts';
import { type RandomBytes, randomBase64Url, randomLetters } from './random-token.ts';
import { createSealing } from './sealing.ts';

export interface SecretsDeps {
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
