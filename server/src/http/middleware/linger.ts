import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** How much of a body that nobody wants is still read before the connection is cut. */
export interface Linger {
  readonly bytes: number;
  /** Milliseconds in all. */
  readonly time: number;
  /** Milliseconds without a byte. */
  readonly idle: number;
}

/** Two uploads of the default limit; a minute for a slow line; a client that stands still has read its answer. */
export const LINGER: Linger = { bytes: 512 * 1024 * 1024, time: 60_000, idle: 5_000 };

/**
 * An answer that is on the wire at once, and whose end waits until the rest of the request is read and dropped, within
 * bounds. A client that writes all before it reads would otherwise see only a broken pipe, since closing a socket with
 * unread bytes resets it (wire.md, "Upload": 413).
 */
export function answerThenLinger(req: IncomingMessage, answer: Buffer, linger: Linger): Readable {
  return Readable.from(
    (async function* () {
      yield answer;
      const complete = await drop(req, linger);
      if (!complete) req.socket.destroySoon();
    })(),
    { objectMode: false },
  );
}

/** Whether the request came to its end within the bounds. */
function drop(req: IncomingMessage, { bytes, time, idle }: Linger): Promise<boolean> {
  return new Promise((resolve) => {
    let dropped = 0;
    const finish = (complete: boolean): void => {
      clearTimeout(whole);
      clearTimeout(still);
      req.off('data', count).off('end', onEnd).off('close', onClose);
      resolve(complete);
    };
    const count = (chunk: Buffer): void => {
      dropped += chunk.length;
      still.refresh();
      if (dropped > bytes) finish(false);
    };
    const onEnd = (): void => finish(true);
    const onClose = (): void => finish(req.complete);
    const whole = setTimeout(finish, time, false);
    const still = setTimeout(finish, idle, false);
    if (req.destroyed || req.readableEnded || req.socket.readableEnded) finish(req.complete);
    else req.on('data', count).on('end', onEnd).on('close', onClose).resume();
  });
}
