import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection whose bytes the test writes itself. */
export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** The next whole answer (by its Content-Length). Rejects when none comes in time. */
  answer(timeout?: number): Promise<RawAnswer>;
  /** Everything received so far that no `answer` has taken. */
  pending(): string;
  /** Resolves once the server has closed its side. */
  readonly closed: Promise<void>;
}

/** Opens a plain TCP connection to a server on this machine. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    received += text;
  });
  socket.on('end', resolve).on('close', () => resolve());
  // A reset is one way for a server to hang up.
  socket.on('error', () => resolve());
  await new Promise((connected) => socket.once('connect', connected));
  return {
    socket,
    closed,
    pending: () => received,
    send: (bytes) => void socket.write(bytes),
    async answer(timeout = 20_000) {
      for (const start = Date.now(); Date.now() - start < timeout; await wait(5)) {
        const answer = parseAnswer(received);
        if (answer === undefined) continue;
        received = received.slice(answer.length);
        return answer;
      }
      throw new Error(`No whole answer after ${timeout} ms, only ${JSON.stringify(received.slice(0, 500))}`);
    },
  };
}

function parseAnswer(text: string): (RawAnswer & { readonly length: number }) | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  const body = Buffer.from(text.slice(end + 4, length), 'latin1').toString('utf8');
  return { status: Number(first.split(' ')[1]), headers, body, length };
}
