/** By the code of the system, of TLS or of Node's HTTP client. */
const TROUBLE_BY_CODE: Readonly<Record<string, string>> = {
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

const TLS_CODES = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** What came was no TLS at all. */
const NO_TLS_CODES = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;
const UNTRUSTED_CODES = /^(?:CERT_UNTRUSTED|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** A name that does not exist may be a resolver's hiccup, but not three times. */
const TRIES_FOR_UNKNOWN_NAME = 3;

/**
 * Whether another try makes no sense: no https at this port, a certificate that is not trusted, an address that fetch
 * refuses, a name that does not exist.
 */
export function isHopeless(trouble: unknown, tries: number): boolean {
  const { code, message } = rootOf(trouble);
  return TLS_CODES.test(code) || message === 'bad port' || (code === 'ENOTFOUND' && tries >= TRIES_FOR_UNKNOWN_NAME);
}

/** A failed fetch in words, with the system's code where there is one. */
export function describeNetworkTrouble(trouble: unknown): string {
  const { code, message, name } = rootOf(trouble);
  if (name === 'TimeoutError') return 'no answer in time';
  if (NO_TLS_CODES.test(code))
    return `the server speaks http at this port, not https (${code}); begin its address with http://`;
  if (UNTRUSTED_CODES.test(code))
    return `its certificate is not trusted here (${code}); set the input ca-file, or the runner's NODE_EXTRA_CA_CERTS`;
  const sentence = TROUBLE_BY_CODE[code] ?? (TLS_CODES.test(code) ? 'no https connection could be made' : message);
  return code === '' || sentence.includes(code) ? sentence : `${sentence} (${code})`;
}

/**
 * Fetch wraps what happened: `TypeError: fetch failed`, its cause perhaps one error for each address that was tried.
 */
function rootOf(trouble: unknown): { code: string; message: string; name: string } {
  let error = trouble;
  while (error instanceof Error) {
    const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
    if (!(inner instanceof Error)) break;
    error = inner;
  }
  if (!(error instanceof Error)) return { code: '', message: String(error), name: '' };
  const { code } = error as { code?: unknown };
  return { code: typeof code === 'string' ? code : '', message: error.message, name: error.name };
}
