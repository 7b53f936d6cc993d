import type { Texts } from '../../core/sentences.ts';
import { type Fetch, NotSent } from '../outgoing.ts';
import type { OutgoingSettings } from './dispatcher.ts';

/** What connecting to the proxy itself failed by. */
class ProxyFailure extends Error {
  readonly code: string;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = codeOf(cause);
  }
}

/** The one place where this server calls out. Certificates are verified always. */
export function createFetch(settings: OutgoingSettings): Fetch {
  const { httpProxy, httpsProxy, ca } = settings;
  const isPlain = [httpProxy, httpsProxy, ca].every((one) => one === undefined);
  let opened: ReturnType<typeof openDispatcher> | undefined;
  return async (input, init) => {
    try {
      if (isPlain) return await fetch(input, init);
      opened ??= openDispatcher(settings);
      return await fetch(input, { ...init, dispatcher: await opened } as RequestInit);
    } catch (error) {
      const target = new URL(input instanceof Request ? input.url : input);
      const setting = target.protocol === 'https:' && httpsProxy !== undefined ? 'HTTPS_PROXY' : 'HTTP_PROXY';
      const reason = explain(error, { setting, host: target.host });
      throw reason === undefined ? error : new NotSent(reason, { cause: error });
    }
  };
}

/** Node has the client of a server that calls out directly; the whole package was a tenth of each start. */
async function openDispatcher(settings: OutgoingSettings) {
  const { createDispatcher } = await import('./dispatcher.ts');
  return createDispatcher(settings, (error) => new ProxyFailure(error));
}

/** Node's words for a chain that ends at no authority that it trusts. */
const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)\w+)$/;
/** Undici's sentence, which has no code of its own. */
const PROXY_REFUSED = /^Proxy response \((\d{3})\) !== 200/;

/** Which setting fixes it, as a clause; undefined if no known setting does. */
function explain(error: unknown, { setting, host }: Texts<'setting' | 'host'>): string | undefined {
  for (let next = error, depth = 0; next instanceof Error && depth < 6; next = next.cause, depth += 1) {
    const why = codeOf(next);
    const isUntrusted = UNTRUSTED.test(why);
    if (next instanceof ProxyFailure) return (isUntrusted ? proxyUntrusted : proxyUnreachable)({ setting, why });
    if (isUntrusted) return certificateUntrusted({ host, why });
    const [, status] = PROXY_REFUSED.exec(next.message) ?? [];
    if (status !== undefined)
      return (
        `the proxy of ${setting} refused (${status}): ` +
        'it has to let this server through, or NO_PROXY names the host'
      );
  }
  return undefined;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function certificateUntrusted({ host, why }: Texts<'host' | 'why'>): string {
  return `the certificate of ${host} is not trusted (${why}): set CA_FILE to the authority that issued it`;
}

function proxyUnreachable({ setting, why }: Texts<'setting' | 'why'>): string {
  return `the proxy of ${setting} cannot be reached (${why})`;
}

function proxyUntrusted({ setting, why }: Texts<'setting' | 'why'>): string {
  return certificateUntrusted({ host: `the proxy of ${setting}`, why });
}
