import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createFaults,
  type Fault,
  type FaultRule,
  type Faults,
  answerOf as faultAnswer,
  takesEffect,
} from '../github-stand-in/faults.ts';
import { readText } from '../github-stand-in/http-message.ts';
import { createRequestLog, type LoggedRequest, type RequestLog } from '../github-stand-in/request-log.ts';

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

/** An answer that ends an operation. */
export class Refused extends Error {
  readonly answer: RestAnswer;
  constructor(status: number, body: unknown) {
    super(JSON.stringify(body));
    this.answer = { status, body };
  }
}

export interface RestServer {
  readonly url: string;
  readonly faults: Faults;
  requests(): readonly LoggedRequest[];
  /** What was sent that the host's API does not know. */
  violations(): readonly string[];
  close(): Promise<void>;
}

export interface Answering {
  /** What the host does with a request; a Refused is an answer too. */
  readonly answer: (request: IncomingMessage, text: string, violations: string[]) => RestAnswer | Promise<RestAnswer>;
  readonly now: () => number;
  /** The answer while too much is asked. Default: text, and how long to wait where the fault says so. */
  readonly limited?: RestAnswer;
}

/** A host's REST API on a port of its own, with faults where a test wants them. */
export async function startRestServer(answering: Answering): Promise<RestServer> {
  const violations: string[] = [];
  const log = createRequestLog();
  const { faults, pick } = createFaults();
  const server = createServer((request, response) => {
    serve(request, { ...answering, response, violations, log, pick }).catch((error: unknown) => {
      violations.push(String(error instanceof Error ? error.stack : error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests: log.all,
    violations: () => violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving extends Answering {
  readonly response: ServerResponse;
  readonly violations: string[];
  readonly log: RequestLog;
  readonly pick: FaultRule;
}

async function serve(request: IncomingMessage, serving: Serving): Promise<void> {
  const { response, log } = serving;
  const text = await readText(request);
  const { method = '', url: path = '' } = request;
  const body = /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : text;
  const index = log.arrived({ at: Date.now(), method, path, headers: {}, body });
  const fault = serving.pick({ index, method, path, body });
  log.became(index, { fault: fault?.kind, hangs: fault?.kind === 'hang' });
  if (fault?.kind === 'slow') await wait(fault.delayMs);
  if (fault?.kind === 'duplicate') await honest(request, text, serving);
  const done = fault === undefined || takesEffect(fault) ? await honest(request, text, serving) : undefined;
  // What is refused changes nothing.
  log.became(index, { processed: done !== undefined && done.status < 400 });
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (fault?.kind === 'hang') return;
  const { status, body: answered, bytes, headers } = falseAnswer(fault, serving) ?? done ?? { status: 500 };
  log.became(index, { status });
  const content = bytes ?? (answered === undefined ? '' : JSON.stringify(answered));
  const type = bytes ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { date: new Date(serving.now()).toUTCString(), 'content-type': type, ...headers });
  response.end(content);
}

async function honest(request: IncomingMessage, text: string, { answer, violations }: Serving): Promise<RestAnswer> {
  try {
    return await answer(request, text, violations);
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** What is answered in place of what was done. */
function falseAnswer(fault: Fault | undefined, { limited }: Serving): RestAnswer | undefined {
  if (fault?.kind === 'status') return faultAnswer(fault) as RestAnswer;
  if (fault?.kind !== 'secondary-limit' && fault?.kind !== 'primary-limit') return undefined;
  if (limited !== undefined) return limited;
  const seconds = fault.kind === 'secondary-limit' ? fault.retryAfterSeconds : undefined;
  const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return { status: 429, bytes: Buffer.from('Retry later'), headers };
}

export function readRequest({ method = '', url = '', headers }: IncomingMessage, text: string): RestRequest {
  const { pathname: path, searchParams: query } = new URL(url, 'http://host');
  return { method, path, query, text, headers };
}

/** The parts of an address that `:x` stands for; `*` is the rest of it. */
export function matchPath(pattern: string, asked: string): readonly string[] | undefined {
  const [wanted, sent] = [pattern.split('/'), asked.split('/')];
  const rest = wanted.at(-1) === '*' ? sent.splice(wanted.length - 1).join('/') : undefined;
  if (rest === '') return undefined;
  if (rest !== undefined) sent.push(rest);
  const fits = wanted.length === sent.length && wanted.every((part, at) => isOpen(part) || part === sent[at]);
  return fits ? sent.filter((_, at) => isOpen(wanted[at] ?? '')).map(decodeURIComponent) : undefined;
}

const isOpen = (part: string): boolean => part.startsWith(':') || part === '*';
