import { connect } from 'node:net';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly bytes: Uint8Array;
  readonly hangUp: HangUp;
  /** Whether it is one well-formed HTTP request and nothing else: then an answer must come, whatever it carries. */
  readonly lawful: boolean;
}

/** The first final answer on a connection. */
export interface Exchanged {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ms: number;
}

/**
 * When the client closes its side: never for a request that is whole, since Node's server would then drop its answer.
 */
export type HangUp = 'never' | 'at once' | 'when silent';

/** The connection ended without a whole answer. */
export class ConnectionCut extends Error {}

/** Milliseconds without an answer after which a request that may lack its end gets it. */
const SILENCE = 250;

/**
 * Writes bytes as a request and waits for the answer. Rejects when none comes within `timeout` milliseconds, with
 * ConnectionCut when the connection ends without one.
 */
export function exchange(port: number, { bytes, hangUp }: WireRequest, timeout: number): Promise<Exchanged> {
  const start = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  return new Promise<Exchanged>((resolve, reject) => {
    const fail = (why: string, Kind = ConnectionCut): void => {
      const seen = Buffer.concat(received).toString('latin1').slice(0, 300);
      reject(new Kind(`${why} after ${Math.round(performance.now() - start)} ms; received: ${JSON.stringify(seen)}`));
    };
    const timer = setTimeout(() => fail('No answer', Error), timeout);
    const silent = setTimeout(() => hangUp === 'when silent' && socket.end(), SILENCE);
    socket.on('close', () => [timer, silent].forEach(clearTimeout));
    socket.on('data', (chunk) => {
      received.push(chunk);
      const answer = parseAnswer(Buffer.concat(received));
      if (answer !== undefined) resolve({ ...answer, ms: performance.now() - start });
    });
    socket.on('end', () => fail('The connection ended without a whole answer'));
    // The server may hang up on a body that is still being written: what it answered before counts.
    socket.on('error', (error) => fail(`The connection broke (${error.message})`));
    socket.write(bytes);
    if (hangUp === 'at once') socket.end();
  }).finally(() => socket.destroy());
}

function parseAnswer(bytes: Buffer): Omit<Exchanged, 'ms'> | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  if (status >= 100 && status < 200) return parseAnswer(bytes.subarray(end + 4));
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = bytes.subarray(end + 4);
  const length = Number(headers['content-length'] ?? 0);
  return body.length < length ? undefined : { status, headers, body: body.subarray(0, length).toString('utf8') };
}
