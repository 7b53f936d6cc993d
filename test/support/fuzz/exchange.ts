import { connect } from 'node:net';

/** The first final answer on a connection. */
export interface Exchanged {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ms: number;
}

/**
 * Writes bytes as a request, closes this side, and waits for the answer. Rejects when none comes within `timeout` milliseconds, or the
 * connection ends without one.
 */
export function exchange(port: number, bytes: Uint8Array, timeout: number): Promise<Exchanged> {
  const start = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  return new Promise<Exchanged>((resolve, reject) => {
    const fail = (why: string): void => {
      const seen = Buffer.concat(received).toString('latin1').slice(0, 300);
      reject(new Error(`${why} after ${Math.round(performance.now() - start)} ms; received: ${JSON.stringify(seen)}`));
    };
    const timer = setTimeout(() => fail('No answer'), timeout);
    socket.on('close', () => clearTimeout(timer));
    socket.on('data', (chunk) => {
      received.push(chunk);
      const answer = parseAnswer(Buffer.concat(received));
      if (answer !== undefined) resolve({ ...answer, ms: performance.now() - start });
    });
    socket.on('end', () => fail('The connection ended without a whole answer'));
    // The server may hang up on a body that is still being written: what it answered before counts.
    socket.on('error', (error) => fail(`The connection broke (${error.message})`));
    socket.end(bytes);
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
