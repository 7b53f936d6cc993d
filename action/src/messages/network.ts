// What is said of a server that could not be reached.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

/** By the code of the system, of TLS or of Node's HTTP client. */
export const TROUBLE_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused, nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name could not be looked up just now',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EPIPE: 'the connection was closed while sending',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

export const NO_ANSWER = 'no answer in time';

export const TLS_FAILED = 'no https connection could be made';

export function speaksHttp(code: string): string {
  return `the server speaks http at this port, not https (${code}); begin its address with http://`;
}

export function untrusted(code: string): string {
  return `its certificate is not trusted here (${code}); set the input ca-file, or the runner's NODE_EXTRA_CA_CERTS`;
}

export const CA_FILE_NEEDS_NEWER_NODE =
  'Input ca-file needs a runner with Node 24.5 or newer; update the runner, or set NODE_EXTRA_CA_CERTS on it.';

/** Ends a sentence. */
export const NO_CERTIFICATE = 'it holds no certificate';

export function caFileUnusable(path: string, why: string): string {
  return `Input ca-file: expected a file of certificates (PEM), got ${path}: ${why}.`;
}

export function lastTry(tries: number): string {
  return `try ${tries} was the last`;
}

export function nextTry(wait: number): string {
  return `next try in ${(wait / 1000).toFixed(1)} s`;
}

export function tryFailed(what: string, { url, next }: Texts<'url' | 'next'>): string {
  return `${what} from ${url}; ${next}`;
}

export function unreachable(url: string, { trouble, tries }: Texts<'trouble'> & Counts<'tries'>): string {
  return (
    `The coverage server cannot be reached at ${url}: ${trouble} (${counted(tries, 'try', 'tries')}). Check the ` +
    'address in "coveralls-endpoint" or "server-url", that the server is up, and that this runner may connect to it.'
  );
}

/** Of a server that did answer another request of this step. `said`: its sentence; empty without one. */
export function unanswered(
  url: string,
  { trouble, tries, to, status, said }: Texts<'trouble' | 'to' | 'said'> & Counts<'tries' | 'status'>,
): string {
  const words = said === '' ? '' : `: ${said}`;
  return (
    `The coverage server did not answer the request to ${url}: ${trouble} (${counted(tries, 'try', 'tries')}). It ` +
    `last answered ${status} from ${to}${words}. Look at the server's log, then run this job again.`
  );
}
