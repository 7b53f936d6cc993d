import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose client sends its body only after "100 Continue". */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Remembers that the client waits: whoever wants the body says so, a refusal comes before it is sent. */
export function noteExpectation(req: IncomingMessage, res: ServerResponse): void {
  waiting.set(req, res);
}

/** Whether the client was not told to go on. */
export function isAwaitingContinue(req: IncomingMessage): boolean {
  return waiting.has(req);
}

/** Tells a waiting client to send its body; does nothing for others. */
export function askForBody(req: IncomingMessage): void {
  waiting.get(req)?.writeContinue();
  waiting.delete(req);
}
