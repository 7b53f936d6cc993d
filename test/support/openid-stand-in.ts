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
  close(): Promise<void>;
}

const CLIENT = { id: 'coverage', secret: 'secret-of-the-client-0123456789' };

/** A real OpenID provider on a free port, which asks nobody for a password. `redirectUris`: those that it takes. */
export async function startOpenIdStandIn(redirectUris: () => readonly string[]): Promise<OpenIdStandIn> {
  let visitor = { subject: 'nobody', claims: {} as OpenIdClaims };
  const known = new Map<string, OpenIdClaims>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const make = () =>
    new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirectUris()] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['a key of the tests'] },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...known.get(accountId) }) }),
    });
  let provider: Provider | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    provider ??= make();
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    const { prompt, params, grantId } = await provider.interactionDetails(request, response);
    const isLogin = prompt.name === 'login';
    const result = isLogin
      ? { login: { accountId: visitor.subject } }
      : { consent: { grantId: await grant(provider, visitor.subject, { scope: params.scope, grantId }) } };
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
