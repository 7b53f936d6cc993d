import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** What the provider says of somebody. */
export type OpenIdClaims = Readonly<Record<string, unknown>>;

export interface OpenIdStandIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who sits before the browser from now on. */
  visitAs(subject: string, claims: OpenIdClaims): void;
  /** What it says of somebody from now on. */
  say(subject: string, claims: OpenIdClaims): void;
  /** Takes back what everybody granted: no refresh token works any more. */
  endGrants(): Promise<void>;
  /** Whether it answers nothing from now on. */
  setSilent(silent: boolean): void;
  /** How often it was asked with a refresh token, and how often it refused one. */
  readonly asked: { readonly renewed: number; readonly refused: number };
  close(): Promise<void>;
}

const CLIENT = { id: 'coverage', secret: 'secret-of-the-client-0123456789' };

/**
 * A real OpenID provider on a free port, which asks nobody for a password. `redirectUris`: those that it takes;
 * `refreshes`: it gives refresh tokens, each of which works once, to sign-ins with `prompt=consent`.
 */
export async function startOpenIdStandIn(
  redirectUris: () => readonly string[],
  { refreshes = false }: { readonly refreshes?: boolean } = {},
): Promise<OpenIdStandIn> {
  let visitor = { subject: 'nobody', claims: {} as OpenIdClaims };
  const known = new Map<string, OpenIdClaims>();
  const asked = { renewed: 0, refused: 0 };
  const grants: string[] = [];
  let silent = false;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const make = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...redirectUris()],
          grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
        },
      ],
      scopes: ['openid', ...(refreshes ? ['offline_access'] : [])],
      rotateRefreshToken: true,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['a key of the tests'] },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...known.get(accountId) }) }),
    });
  let provider: Provider | undefined;
  let taken = '';
  const makeCounted = (): Provider => {
    const made = make();
    const isRenewal = (ctx: { oidc: { params?: Record<string, unknown> | undefined } }): boolean =>
      ctx.oidc.params?.grant_type === 'refresh_token';
    made.on('grant.success', (ctx) => {
      if (isRenewal(ctx)) asked.renewed += 1;
    });
    made.on('grant.error', (ctx) => {
      if (isRenewal(ctx)) asked.refused += 1;
    });
    return made;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (silent) return void request.destroy();
    // A server may ask about it before it knows its own address.
    if (redirectUris().join() !== taken) provider = undefined;
    taken = redirectUris().join();
    provider ??= makeCounted();
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    const { prompt, params, grantId } = await provider.interactionDetails(request, response);
    const isLogin = prompt.name === 'login';
    const result = isLogin
      ? { login: { accountId: visitor.subject } }
      : { consent: { grantId: await grant(provider, visitor.subject, { scope: params.scope, grantId }) } };
    if ('consent' in result) grants.push(result.consent?.grantId ?? '');
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  };
  return {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    visitAs(subject, claims) {
      visitor = { subject, claims };
      known.set(subject, claims);
    },
    say: (subject, claims) => void known.set(subject, claims),
    async endGrants() {
      for (const id of grants.splice(0)) await (await provider?.Grant.find(id))?.destroy();
    },
    setSilent(wanted) {
      silent = wanted;
    },
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function grant(
  provider: Provider,
  accountId: string,
  { scope, grantId }: { readonly scope: unknown; readonly grantId: string | undefined },
): Promise<string> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const given = known ?? new provider.Grant({ accountId, clientId: CLIENT.id });
  given.addOIDCScope(String(scope));
  return given.save();
}
