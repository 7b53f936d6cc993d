import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { AppLogger } from './app-state.ts';
import { DATA_HEADERS } from './protect-answers.ts';
import { stopBody } from './read-body.ts';

interface ParserError extends Error {
  readonly code?: string;
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** What Node's HTTP parser refuses never becomes a request: it is answered here, in the same form as all failures. */
export function answerParserErrors(
  server: Server,
  deps: { readonly logger: AppLogger; readonly newRequestId: () => string },
): void {
  const { logger, newRequestId } = deps;
  const current = new WeakMap<Socket, ServerResponse>();
  const ending = new WeakSet<ServerResponse>();
  const remember = (req: IncomingMessage, res: ServerResponse): void => void current.set(req.socket, res);
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.prependListener(event, remember);
  server.on('clientError', (error: ParserError, duplex) => {
    const socket = duplex as Socket;
    const pending = current.get(socket);
    // The reader of the body fails, and the request is answered in the usual way.
    if (stopBody(socket, describeStop(error))) return;
    if (pending !== undefined && !pending.writableFinished) {
      // Rubbish behind a request that is still being answered: its answer goes out first.
      if (pending.writableEnded || pending.destroyed) socket.destroy();
      else if (!ending.has(pending)) {
        // Once: the parser reports each further piece.
        ending.add(pending);
        pending.once('finish', () => socket.destroySoon());
      }
      return;
    }
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const refusal = refuse(error);
    const id = newRequestId();
    logger.info(
      { request: id, status: refusal.status, code: error.code, ip: socket.remoteAddress },
      'request refused by the HTTP parser',
    );
    socket.end(writeRefusal(refusal, id), () => socket.destroy());
  });
}

function describeStop({ code }: ParserError): string {
  if (code === 'HPE_INVALID_EOF_STATE') return 'the client or a proxy closed its side';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'it took too long';
  return 'its chunks are malformed or the connection broke';
}

function refuse({ code = '' }: ParserError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, message: 'The request line and headers have more than 16 KiB; send shorter ones.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, message: 'The request did not arrive in time; send it again.' };
  return {
    status: 400,
    message:
      code === 'HPE_INVALID_METHOD'
        ? `${malformed(code)} If it was https: this port speaks only http.`
        : malformed(code),
  };
}

function writeRefusal({ status, message }: Refusal, id: string): string {
  const body = JSON.stringify({ message, error: true });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    ...Object.entries(DATA_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** `code`: of Node's HTTP parser; empty if it gave none. */
function malformed(code: string): string {
  return `This is not a well-formed HTTP request (${code || 'unknown reason'}).`;
}
