import * as say from '../messages/network.ts';

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
  if (name === 'TimeoutError') return say.NO_ANSWER;
  if (NO_TLS_CODES.test(code)) return say.speaksHttp(code);
  if (UNTRUSTED_CODES.test(code)) return say.untrusted(code);
  const sentence = say.TROUBLE_BY_CODE[code] ?? (TLS_CODES.test(code) ? say.TLS_FAILED : message);
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
