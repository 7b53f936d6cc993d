import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { withAuthorities } from '../api/trust-authorities.ts';
import { ActionFailure } from '../runner/failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Fetch = typeof fetch;

interface Sending {
  readonly url: URL;
  readonly init: RequestInit;
  /** Certificates of authorities, the usual ones included; undefined: these alone. */
  readonly ca: readonly string[] | undefined;
}

/**
 * Node's own fetch; where a proxy or an authority of one's own is asked for, the same by node:https, since the fetch of
 * Node 20 knows neither. `caFile` is absolute; empty without one.
 */
export async function createProxiedFetch(fetch: Fetch, options: { env: Environment; caFile: string }): Promise<Fetch> {
  const { env, caFile } = options;
  const ca = caFile === '' ? undefined : await readAuthorities(caFile);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = proxyFor(url, env);
    if (proxy === undefined && ca === undefined) return fetch(input, init);
    return proxy === undefined ? direct({ url, init, ca }) : throughProxy({ url, init, ca }, proxy);
  };
}

/** The proxy of HTTPS_PROXY or HTTP_PROXY for an address, unless NO_PROXY names its host. */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const text = env[name] || env[name.toUpperCase()];
  if (!text || isExcepted(url, env.no_proxy || env.NO_PROXY || '')) return undefined;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol !== 'http:')
    throw new ActionFailure(
      'bad-input',
      `${name.toUpperCase()} is not the URL of a proxy, such as http://proxy.example:3128.`,
    );
  return proxy;
}

/** `example.com` and `.example.com` mean what is below them too; a port may follow; `*` means every host. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const atPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const host = name.replace(/^\*?\./, '');
    if (host === '' || (onlyPort !== undefined && onlyPort !== atPort)) return false;
    return host === '*' || hostname === host || hostname.endsWith(`.${host}`);
  });
}

async function readAuthorities(path: string): Promise<readonly string[]> {
  const { rootCertificates } = await import('node:tls');
  return withAuthorities(path, (pem) => [...rootCertificates, pem]);
}

async function direct({ url, init, ca }: Sending): Promise<Response> {
  if (url.protocol === 'http:')
    return exchange(httpRequest, url, { options: requestOptions(init), body: bodyOf(init) });
  const { request } = await import('node:https');
  const options = { ...requestOptions(init), ...(ca === undefined ? {} : { ca: [...ca] }) };
  return exchange(request, url, { options, body: bodyOf(init) });
}

async function throughProxy({ url, init, ca }: Sending, proxy: URL): Promise<Response> {
  if (url.protocol === 'http:') {
    const { headers, ...options } = requestOptions(init);
    const known = { ...headers, host: url.host, ...credentials(proxy) };
    return exchange(httpRequest, proxy, {
      options: { ...options, path: url.href, headers: known },
      body: bodyOf(init),
    });
  }
  const [tls, { request }] = await Promise.all([import('node:tls'), import('node:https')]);
  const socket = await connectThrough(proxy, url, init.signal);
  const secured = { socket, servername: url.hostname, ...(ca === undefined ? {} : { ca: [...ca] }) };
  const createConnection = () => tls.connect(secured);
  return exchange(request, url, {
    options: { ...requestOptions(init), createConnection },
    body: bodyOf(init),
  });
}

/** Has the proxy connect to the server; it sees the host's name, and nothing of what is sent. */
function connectThrough(proxy: URL, url: URL, signal: AbortSignal | null | undefined) {
  const target = `${url.hostname}:${url.port || '443'}`;
  return new Promise<IncomingMessage['socket']>((resolve, reject) => {
    const headers = { host: target, ...credentials(proxy) };
    const asked = httpRequest(proxy, { method: 'CONNECT', path: target, headers, ...(signal ? { signal } : {}) });
    asked.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new Error(`the proxy ${proxy.host} refused to connect (${statusCode})`));
    });
    asked.once('error', reject).end();
  });
}

function credentials({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const known = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(known).toString('base64')}` };
}

function requestOptions({ method = 'GET', headers = {}, signal }: RequestInit): RequestOptions {
  return { method, headers: headers as Record<string, string>, ...(signal ? { signal } : {}) };
}

function bodyOf({ body }: RequestInit): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array);
}

/** Sends a request and reads its answer to the end; follows no redirect. */
function exchange(
  send: typeof httpRequest,
  url: URL,
  { options, body }: { readonly options: RequestOptions; readonly body: Uint8Array | undefined },
): Promise<Response> {
  const length = body === undefined ? {} : { 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = send(url, { ...options, headers: { ...(options.headers as object), ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => resolve(responseOf(answer, Buffer.concat(chunks))));
    });
    sent.once('error', reject).end(body);
  });
}

function responseOf({ statusCode: status = 502, headers }: IncomingMessage, body: Buffer<ArrayBuffer>): Response {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Response(status === 204 || status === 304 ? null : body, { status, headers: texts });
}
