import { hash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { claimWrong, NEW_ID_TOKEN } from '../../access/uploaders/sentences.ts';
import { createUnknownLimit } from '../../access/uploaders/unknown-limit.ts';
import { quoteValue } from '../../core/failure.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { isAmongIssuers } from '../../core/repo/run-claims.ts';
import type { TrustProblem } from '../../core/repo/workflow-run.ts';
import type { Texts } from '../../core/sentences.ts';
import type { Timestamp } from '../../core/time.ts';
import type { CheckedIdToken, IdTokens } from '../../ports/id-tokens.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';
import { ANSWER_NOT_UNDERSTOOD, createIssuerKeys, type IssuerKeys, issuerUnreachable } from './issuer-keys.ts';

/** Pinned: what a token says of its own signature is not believed. */
const ALGORITHM = 'RS256';
/** Seconds by which clocks may differ. */
const LEEWAY = 30;
const LONGEST = 8_000;
const MAX_ISSUERS = 100;
const MAX_SILENT = 20;
/** Each issuer that an address names is a question to a host. */
const UNANSWERED = { tokens: 'ID tokens', fault: 'whose issuers gave no keys', check: "the token's issuer" };
const MARK = /#[\w-]{1,64}$/;
/** A signature may be missing: that is refused with a sentence of its own. */
const FORM = /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*$/;

type Issuers = Pick<Services, 'fetch' | 'clock' | 'timers'> & {
  /** Without a slash at the end; `*` stands for one part of an address. */
  readonly issuers: readonly string[];
};

/** ID tokens by their issuers' keys; time is the server's clock. */
export function createIdTokens(services: Pick<Services, 'fetch' | 'clock' | 'timers' | 'hosts' | 'baseUrl'>): IdTokens {
  const { clock, hosts, baseUrl } = services;
  const issuers = hosts.all.flatMap(({ idTokens }) => idTokens?.issuers ?? []);
  const keys = createKeysOf({ ...services, issuers });
  return {
    issuerOf,
    async check(token, address) {
      const issuer = issuerOf(token) ?? '';
      const keysOf = keys(issuer, address);
      if (keysOf === undefined)
        return { found: `It names the issuer ${quoteValue(issuer)}.`, remedy: issuersTaken(issuers) };
      const audience = baseUrl();
      const now = clock.now();
      try {
        const { alg, kid } = decodeProtectedHeader(token);
        if (alg !== ALGORITHM) return problem(`It is signed by ${quoteValue(alg)}, and only ${ALGORITHM} is accepted.`);
        const { payload } = await jwtVerify(token, createLocalJWKSet(await keysOf(kid)), {
          algorithms: [ALGORITHM],
          issuer,
          audience: [audience, `${audience}/`, ...markedIn(token, audience)],
          clockTolerance: LEEWAY,
          currentDate: new Date(now),
          requiredClaims: ['exp', 'iat'],
        });
        return toChecked(payload, { token, issuer, now });
      } catch (error) {
        return explain(error, { token, issuer, audience, now });
      }
    },
  };
}

/**
 * The keys of each issuer that is taken; of more than are kept the one that was asked for last is there. Anybody can
 * name an issuer that there is none of: those that never answered take no place of others, and each address has few of
 * them asked for.
 */
function createKeysOf(services: Issuers): (issuer: string, address: string) => IssuerKeys | undefined {
  const [answering, silent] = [MAX_ISSUERS, MAX_SILENT].map((max) => new RecentMap<IssuerKeys>({ max })) as [
    RecentMap<IssuerKeys>,
    RecentMap<IssuerKeys>,
  ];
  const unanswered = createUnknownLimit(services.clock.now, UNANSWERED);
  return (issuer, address) => {
    if (!isAmongIssuers(services.issuers, issuer)) return undefined;
    const isNew = answering.get(issuer) === undefined && silent.get(issuer) === undefined;
    if (isNew) {
      unanswered.left(address);
      unanswered.count(address);
    }
    const keys = answering.get(issuer) ?? silent.get(issuer) ?? createIssuerKeys(issuer, services);
    if (answering.get(issuer) === undefined) silent.set(issuer, keys);
    return async (keyId) => {
      const found = await keys(keyId);
      if (isNew) unanswered.giveBack(address);
      answering.set(issuer, keys);
      return found;
    };
  };
}

function issuerOf(text: string): string | undefined {
  if (text.length > LONGEST || !FORM.test(text)) return undefined;
  try {
    const { iss } = decodeJwt(text);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An issuer without a `jti` gives two jobs of one run the same token in the same second. So what was asked for may have
 * a mark behind it: `https://coverage.example#7f3a`.
 */
function markedIn(token: string, audience: string): readonly string[] {
  const { aud } = decodeJwt(token);
  return [aud].flat().filter((one): one is string => one?.startsWith(`${audience}#`) === true && MARK.test(one));
}

function toChecked(
  { jti, exp = 0, iat = 0, ...claims }: JWTPayload,
  { token, issuer, now }: Omit<Seen, 'audience'>,
): CheckedIdToken | TrustProblem {
  if (iat * 1_000 > now + LEEWAY * 1_000) return problem(notYetValid({ claim: 'iat', ...timesOf(iat, now) }));
  if (jti !== undefined && (typeof jti !== 'string' || jti === '')) return problem(claimWrong('jti'));
  return { issuer, id: jti ?? digestOf(token), expiresAt: (exp + LEEWAY) * 1_000, claims };
}

/** For what is signed: the same signature can be written in more ways than one. */
function digestOf(token: string): string {
  return hash('sha256', token.slice(0, token.lastIndexOf('.')));
}

interface Seen {
  readonly token: string;
  readonly issuer: string;
  readonly audience: string;
  readonly now: Timestamp;
}

function explain(error: unknown, { token, issuer, audience, now }: Seen): TrustProblem {
  if (error instanceof errors.JWTExpired) return problem(expired(timesOf(error.payload.exp, now)));
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error;
    if (claim === 'aud' && payload.aud !== undefined) {
      return {
        found: `It is for the audience ${quoteValue(payload.aud)}, but this server is ${audience}.`,
        remedy:
          `Have the job ask for the audience ${audience} (the action does, if its server-url is BASE_URL), or use ` +
          "the repo's own token.",
      };
    }
    if (claim === 'nbf' && typeof payload.nbf === 'number')
      return problem(notYetValid({ claim, ...timesOf(payload.nbf, now) }));
    return problem(claimWrong(claim));
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return problem(
      `It is signed with the key ${quoteValue(decodeProtectedHeader(token).kid)}, which is not one of ${issuer}.`,
    );
  if (error instanceof errors.JWSSignatureVerificationFailed) return problem('Its signature is wrong.');
  if (error instanceof errors.JOSEError) return problem('It is incomplete.');
  if (error instanceof ProviderFailure) throw error;
  // What the issuer names is no key.
  throw new ProviderFailure('transient', issuerUnreachable(issuer, ANSWER_NOT_UNDERSTOOD), { cause: error });
}

function problem(found: string): TrustProblem {
  return { found, remedy: NEW_ID_TOKEN };
}

/** `seconds`: as a token holds them; what is no time is shown as the beginning of all time. */
function timesOf(seconds: unknown, now: Timestamp): { readonly at: string; readonly now: string } {
  const at = new Date(typeof seconds === 'number' ? seconds * 1_000 : 0);
  return { at: Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString(), now: new Date(now).toISOString() };
}

/** `issuers`: empty: none. */
function issuersTaken(issuers: readonly string[]): string {
  if (issuers.length === 0) return "This server accepts no ID tokens: use the repo's own token.";
  return `This server only accepts those of ${issuers.join(' and ')}. Use one of these, or the repo's own token.`;
}

function expired({ at, now }: Texts<'at' | 'now'>): string {
  return `It expired at ${at}, and it is ${now} now.`;
}

function notYetValid({ claim, at, now }: Texts<'claim' | 'at' | 'now'>): string {
  return `It is valid from ${at} on (${claim}), and it is ${now} now.`;
}
