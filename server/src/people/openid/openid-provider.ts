import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  refreshTokenGrant,
} from 'openid-client';
import { Failure } from '../../core/failure.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { OpenIdSignIn, SignedInPerson } from '../../ports/sign-in.ts';

/** Seconds for one request. */
const TIME_LIMIT = 10;
/** The scope by which a provider gives a refresh token (OpenID Connect Core 1.0, section 11). */
const OFFLINE = 'offline_access';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As people know it. */
  readonly name: string;
  readonly scopes: string;
  /** The `prompt` of a sign-in. */
  readonly prompt: string | undefined;
  /** Whether a group means anything here, so that it is to be asked for again. */
  readonly usesGroups: boolean;
  /** The claim that lists somebody's groups. */
  readonly groupsClaim: string;
  /** Domains of verified e-mail addresses; `*`: any. People who match neither list may not sign in. */
  readonly allowedDomains: readonly string[];
  readonly allowedGroups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Any provider of OpenID Connect, which is asked about itself when somebody signs in for the first time. */
export function createOpenIdProvider(settings: OpenIdSettings, { fetch }: { readonly fetch: Fetch }): OpenIdSignIn {
  const { name, issuer, prompt } = settings;
  let known: Promise<Configuration> | undefined;
  const configure = async (): Promise<Configuration> => {
    known ??= discover(settings, fetch);
    try {
      return await known;
    } catch (cause) {
      known = undefined;
      throw new ProviderFailure('transient', `${issuer} has no valid discovery document.`, { cause });
    }
  };
  return {
    key: 'openid',
    name,
    issuer,
    offersRefresh: async () => offersRefresh(await configure()),
    async begin({ redirectUri, state, nonce, verifier }) {
      const config = await configure();
      const asked = {
        redirect_uri: redirectUri,
        scope: scopesFor(config, settings),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(prompt !== undefined && { prompt }),
      };
      return buildAuthorizationUrl(config, asked).toString();
    },
    async finish({ redirectUri, state, nonce, verifier, answer }) {
      const back = new URL(redirectUri);
      back.search = answer.toString();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const config = await configure();
      const tokens = await answered(authorizationCodeGrant(config, back, checks));
      const claims = await answered(readClaims(config, tokens, tokens.claims()?.sub));
      if (claims === undefined) throw new ProviderFailure('permanent', 'The provider’s response has no ID token.');
      // One that was not asked for may end with the person's session there, before their groups' time.
      const isKept = settings.usesGroups && scopesFor(config, settings).split(' ').includes(OFFLINE);
      return { ...toPerson(claims, settings), refresh: isKept ? tokens.refresh_token : undefined };
    },
    async askAgain({ refresh, subject }) {
      const config = await configure();
      const tokens = await answered(refreshTokenGrant(config, refresh).catch(endedOrThrow));
      if (tokens === undefined) return undefined;
      // What it gave is kept whatever else it does not say: the one that was used may be worth nothing now.
      const claims = await readClaims(config, tokens, subject).catch(() => undefined);
      const groups = claims && listOf(claims[settings.groupsClaim]);
      return { refresh: tokens.refresh_token ?? refresh, groups };
    },
  };
}

function offersRefresh(config: Configuration): boolean {
  return config.serverMetadata().scopes_supported?.includes(OFFLINE) === true;
}

/** Without a meaning of groups nothing is asked later, so nothing is kept for it. */
function scopesFor(config: Configuration, { scopes, usesGroups }: OpenIdSettings): string {
  const isMissing = !scopes.split(' ').includes(OFFLINE);
  return usesGroups && isMissing && offersRefresh(config) ? `${scopes} ${OFFLINE}` : scopes;
}

/** Undefined: the issuer has ended it. */
function endedOrThrow(cause: unknown): undefined {
  if (!(cause instanceof ResponseBodyError && cause.error === 'invalid_grant')) throw cause;
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

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

/** What the provider says of the subject, by its ID token and where people are asked about; undefined: nothing. */
async function readClaims(
  config: Configuration,
  tokens: Tokens,
  subject: string | undefined,
): Promise<Claims | undefined> {
  const claims = tokens.claims();
  if (subject === undefined || (claims !== undefined && claims.sub !== subject)) return undefined;
  if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...claims, ...(await fetchUserInfo(config, tokens.access_token, subject)) };
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    // It was reached, and its answer was refused, unless the connection failed.
    const kind = cause instanceof TypeError || isTimeout(cause) ? 'transient' : 'permanent';
    throw new ProviderFailure(kind, 'The provider did not confirm who signed in.', { cause });
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
  throw new Failure('forbidden', `${name} knows you, but this server only accepts some domains and groups.`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listOf(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}
