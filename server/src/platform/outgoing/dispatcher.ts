import { getCACertificates } from 'node:tls';
import { buildConnector, EnvHttpProxyAgent, Pool } from 'undici';

/** How requests leave this machine; undefined if a setting is not set. */
export interface OutgoingSettings {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
  /** Certificates as PEM, which are trusted beside those that Node trusts. */
  readonly ca: string | undefined;
}

/** Sends requests through the proxies that are set, and trusts `ca` too. */
export function createDispatcher(
  { httpProxy = '', httpsProxy = '', noProxy = '', ca }: OutgoingSettings,
  asProxyFailure: (error: Error) => Error,
): EnvHttpProxyAgent {
  const tls = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  const connectToProxy = buildConnector(tls);
  return new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    connect: tls,
    requestTls: tls,
    clientFactory: (origin, options) =>
      new Pool(origin, {
        ...options,
        connect: (target, done) =>
          connectToProxy(target, (error, socket) =>
            error === null ? done(null, socket) : done(asProxyFailure(error), null),
          ),
      }),
  });
}
