import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** Requests whose client sends its body only after "100 Continue". */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Remembers that the client waits: it may be refused before it sends the body. */
export function noteExpectation(req: IncomingMessage, res: ServerResponse): void {
  waiting.set(req, res);
}

/** Whether the client still waits for "100 Continue". */
export function isAwaitingContinue(req: IncomingMessage): boolean {
  return waiting.has(req);
}

/** Answers "100 Continue" to a waiting client; does nothing for others. */
export function askForBody(req: IncomingMessage): void {
  waiting.get(req)?.writeContinue();
  waiting.delete(req);
}

/** How much of an unwanted body is still read before the connection is cut. */
export interface Linger {
  readonly bytes: number;
  /** Milliseconds in all. */
  readonly time: number;
  /** Milliseconds without a byte. */
  readonly idle: number;
}

/** Two uploads of the default limit; a minute for a slow line; a client that stopped sending has read its answer. */
export const LINGER: Linger = { bytes: 512 * 1024 * 1024, time: 60_000, idle: 5_000 };

/**
 * An answer that is sent at once, and ends when the rest of the request is read and dropped, within bounds. Closing a
 * socket with unread bytes resets it: a client that writes all before it reads would see only a broken pipe.
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

/** Whether the request ended within the bounds. */
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
