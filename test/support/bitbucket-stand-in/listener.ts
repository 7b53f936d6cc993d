import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createFaults,
  type Fault,
  type Faults,
  answerOf as faultAnswer,
  takesEffect,
} from '../github-stand-in/faults.ts';
import { readText } from '../github-stand-in/http-message.ts';

/** What one request says. */
export interface RestRequest {
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

export interface RestAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** In place of JSON. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Listener {
  readonly url: string;
  readonly faults: Faults;
  requests(): readonly { readonly method: string; readonly path: string }[];
  violations(): readonly string[];
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly now: () => number;
  /** The answer while too much is asked. */
  readonly limited: RestAnswer;
  answer(request: RestRequest, violations: string[]): RestAnswer;
}

/** A host's API on a port of its own, with faults on purpose. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const violations: string[] = [];
  const requests: { method: string; path: string }[] = [];
  const { faults, pick } = createFaults();
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const index = requests.push({ method, path: url }) - 1;
    serve({ options, violations, response }, request, (body) => pick({ index, method, path: url, body })).catch(
      (error: unknown) => {
        violations.push(String(error instanceof Error ? error.stack : error));
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests: () => requests,
    violations: () => violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly options: ListenerOptions;
  readonly violations: string[];
  readonly response: ServerResponse;
}

async function serve(
  { options, violations, response }: Serving,
  incoming: IncomingMessage,
  pick: (body: unknown) => Fault | undefined,
): Promise<void> {
  const text = await readText(incoming);
  const { pathname, searchParams: query } = new URL(incoming.url ?? '', 'http://host');
  const request = { method: incoming.method ?? '', path: pathname, query, text, headers: incoming.headers };
  const fault = pick(text);
  if (fault?.kind === 'slow') await wait(fault.delayMs);
  if (fault?.kind === 'duplicate') options.answer(request, violations);
  const runs = fault === undefined || takesEffect(fault);
  const honest = runs ? options.answer(request, violations) : undefined;
  if (fault?.kind === 'drop') return void incoming.socket.destroy();
  if (fault?.kind === 'hang') return;
  const isLimit = fault?.kind === 'secondary-limit' || fault?.kind === 'primary-limit';
  const isFalse = fault?.kind === 'status';
  const answer = isLimit ? options.limited : isFalse ? (faultAnswer(fault) as RestAnswer) : (honest ?? { status: 500 });
  const { status, body, bytes, headers } = answer;
  const content = bytes ?? (body === undefined ? '' : JSON.stringify(body));
  const date = new Date(options.now()).toUTCString();
  response.writeHead(status, { date, 'content-type': bytes ? 'text/plain' : 'application/json', ...headers });
  response.end(content);
}
