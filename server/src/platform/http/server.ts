import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type Koa from 'koa';
import { answerParserErrors } from './answer-parser-errors.ts';
import type { AppLogger, AppState } from './app-state.ts';
import { noteExpectation } from './unread-body.ts';

/** Milliseconds. A silent body is stopped by its reader; this ends one that comes a byte at a time. */
const WHOLE_REQUEST = 15 * 60_000;
const HEADERS = 30_000;
/** Longer than the 60 s after which usual proxies drop an idle connection: the proxy has to close first. */
const KEEP_ALIVE = 65_000;
/** Milliseconds. What a response holds until its client has read it goes then. */
const ANSWER_STALL = 30_000;

/** The HTTP server around the app, not yet listening. */
export function createHttpServer(deps: {
  readonly app: Koa<AppState>;
  readonly logger: AppLogger;
  readonly newRequestId: () => string;
  /** Milliseconds without progress after which a response is ended; ANSWER_STALL by default. */
  readonly answerStall?: number;
}): Server {
  const answer = deps.app.callback();
  const handle = (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    endStalled(res, deps.answerStall ?? ANSWER_STALL);
    return answer(req, res);
  };
  const server = createServer({
    requestTimeout: WHOLE_REQUEST,
    headersTimeout: HEADERS,
    keepAliveTimeout: KEEP_ALIVE,
    // The Host header is never used, and Node's own answer to a missing one has no body.
    requireHostHeader: false,
  });
  server.on('request', (req, res) => void handle(req, res));
  server.on('checkContinue', (req, res) => {
    noteExpectation(req, res);
    void handle(req, res);
  });
  // Any other Expect header: served as if it were not there.
  server.on('checkExpectation', (req, res) => void handle(req, res));
  answerParserErrors(server, deps);
  return server;
}

/**
 * Ends a response of which the client has read nothing for `limit` ms, between that and twice as long. A socket's own
 * timeout sees each part of a write that goes out; a response that is still being worked out waits for nobody.
 */
function endStalled(response: ServerResponse, limit: number): void {
  response.setTimeout(limit, () => {
    const { socket } = response;
    if (socket === null || socket.writableLength > 0) response.destroy();
    else socket.setTimeout(limit);
  });
}
