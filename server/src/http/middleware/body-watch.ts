import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../../domain/failure.ts';

/** Milliseconds without a byte after which a body counts as stopped. */
export const BODY_IDLE = 30_000;

/** Tells a reader when its body will not come to its end. */
export interface BodyWatch {
  /** Rejects with a Failure when the body stops half way; never resolves. */
  readonly stopped: Promise<never>;
  /** Ends the watch. */
  release(): void;
}

/** The body that is being read from a connection: what the HTTP parser finds out late has to reach its reader. */
const watched = new WeakMap<Socket, (reason: string) => void>();

/** Stops the body that is being read from this connection; false when none is. */
export function stopBody(socket: Socket, reason: string): boolean {
  const stop = watched.get(socket);
  stop?.(reason);
  return stop !== undefined;
}

/** Watches a body from before its first byte is read: the client that goes away, closes its side, or falls silent. */
export function watchBody(req: IncomingMessage, { idle }: { readonly idle: number }): BodyWatch {
  const length = req.headers['content-length'];
  const { promise, reject } = Promise.withResolvers<never>();
  let received = 0;
  const stop = (reason: string): void => {
    const whole = length === undefined ? `${received} bytes` : `${received} of ${length} bytes`;
    reject(
      new Failure('payload-invalid', `The body stopped after ${whole} (${reason}); nothing was stored. Send it again.`),
    );
  };
  const timer = setTimeout(() => stop(`no byte for ${idle / 1000} s`), idle);
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    timer.refresh();
  };
  const onClose = (): void => {
    if (!req.complete || !req.readableEnded) stop('the connection was closed');
  };
  const onError = (): void => stop('the connection broke');
  req.on('data', onData).on('close', onClose).on('error', onError);
  // Aborted before anybody listened: no event comes any more.
  if (req.destroyed) onClose();
  watched.set(req.socket, stop);
  // Whoever reads may be done before it is asked for.
  promise.catch(() => {});
  return {
    stopped: promise,
    release() {
      clearTimeout(timer);
      watched.delete(req.socket);
      req.off('data', onData).off('close', onClose);
    },
  };
}
