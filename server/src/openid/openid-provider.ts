import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
} from 'openid-client';
import { Failure } from '../domain/failure.ts';
import * as say from '../messages/openid.ts';
import type { Fetch } from '../ports/outgoing.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { SignedInPerson, SignInProvider } from '../ports/sign-in.ts';

/** Seconds for one request. */
const TIME_LIMIT = 10;

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As people know it. */
  readonly name: string;
  readonly scopes: string;
  /** The claim that lists somebody's groups. */
  readonly groupsClaim: string;
  /** Of verified e-mail addresses; `*`: any. Who is in none of both may not sign in. */
  readonly allowedDomains: readonly string[];
  readonly allowedGroups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Any provider of OpenID Connect, which is asked about itself when somebody signs in for the first time. */
export function createOpenIdProvider(settings: OpenIdSettings, { fetch }: { readonly fetch: Fetch }): SignInProvider {
  const { name, scopes, issuer } = settings;
  let known: Promise<Configuration> | undefined;
  const configure = async (): Promise<Configuration> => {
    known ??= discover(settings, fetch);
    try {
      return await known;
    } catch (cause) {
      known = undefined;
      throw new ProviderFailure('transient', say.undescribed(issuer), { cause });
    }
  };
  return {
    key: 'openid',
    name,
    async begin({ redirectUri, state, nonce, verifier }) {
      const asked = {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      return buildAuthorizationUrl(await configure(), asked).toString();
    },
    async finish({ redirectUri, state, nonce, verifier, answer }) {
      const back = new URL(redirectUri);
      back.search = answer.toString();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      return toPerson(await readClaims(await configure(), back, checks), settings);
    },
  };
}

function discover({ issuer, clientId, clientSecret }: OpenIdSettings, fetch: Fetch): Promise<Configuration> {
  const url = new URL(issuer);
  // Only a provider on this machine may be without https: the settings take no other.
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  return discovery(url, clientId, clientSecret, undefined, {
    execute,
    timeout: TIME_LIMIT,
    [customFetch]: (url, init) => fetch(url, init as RequestInit),
  });
}

async function readClaims(
  config: Configuration,
  back: URL,
  checks: Parameters<typeof authorizationCodeGrant>[2],
): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(config, back, checks);
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderFailure('permanent', say.NO_ID_TOKEN);
    if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...claims, ...(await fetchUserInfo(config, tokens.access_token, claims.sub)) };
  } catch (cause) {
    if (cause instanceof ProviderFailure) throw cause;
    // It was reached, and its answer was refused, unless the connection failed.
    const kind = cause instanceof TypeError || isTimeout(cause) ? 'transient' : 'permanent';
    throw new ProviderFailure(kind, say.NOT_CONFIRMED, { cause });
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'OAUTH_TIMEOUT';
}

function toPerson(claims: Claims, settings: OpenIdSettings): SignedInPerson {
  const { issuer, groupsClaim } = settings;
  const subject = textOf(claims.sub) ?? '';
  const email = claims.email_verified === true ? textOf(claims.email) : undefined;
  const groups = listOf(claims[groupsClaim]);
  const name = textOf(claims.preferred_username) ?? textOf(claims.name) ?? email ?? subject;
  refuseStrangers({ email, groups }, settings);
  return { issuer, subject, name, email, groups, token: undefined };
}

function refuseStrangers(
  { email, groups }: Pick<SignedInPerson, 'email' | 'groups'>,
  { name, allowedDomains, allowedGroups }: OpenIdSettings,
): void {
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const isAllowed =
    allowedDomains.includes('*') ||
    allowedDomains.some((one) => one.toLowerCase() === domain) ||
    allowedGroups.some((group) => groups.includes(group));
  if (isAllowed) return;
  throw new Failure('forbidden', say.notLetIn(name));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listOf(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}
