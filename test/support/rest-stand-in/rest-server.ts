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
  requests(): readonly { readonly method: string; readonly path: string }[];
  /** What was sent that the host's API does not know. */
  violations(): readonly string[];
  close(): Promise<void>;
}

export interface Answering {
  /** What the host does with a request; a Refused is an answer too. */
  readonly answer: (request: IncomingMessage, text: string, violations: string[]) => RestAnswer | Promise<RestAnswer>;
  readonly now: () => number;
}

/** A host's REST API on a port of its own, with faults where a test wants them. */
export async function startRestServer({ answer, now }: Answering): Promise<RestServer> {
  const violations: string[] = [];
  const requests: { method: string; path: string }[] = [];
  const { faults, pick } = createFaults();
  const honest = async (request: IncomingMessage, text: string): Promise<RestAnswer> => {
    try {
      return await answer(request, text, violations);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  };
  const server = createServer((request, response) => {
    const seen = { method: request.method ?? '', path: request.url ?? '' };
    const index = requests.push(seen) - 1;
    serve(request, { response, honest, now, fault: (body) => pick({ index, ...seen, body }) }).catch(
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
  readonly response: ServerResponse;
  readonly honest: (request: IncomingMessage, text: string) => Promise<RestAnswer>;
  readonly now: () => number;
  readonly fault: (body: unknown) => Fault | undefined;
}

async function serve(request: IncomingMessage, { response, honest, now, fault: pick }: Serving): Promise<void> {
  const text = await readText(request);
  const fault = pick(text);
  if (fault?.kind === 'slow') await wait(fault.delayMs);
  if (fault?.kind === 'duplicate') await honest(request, text);
  const done = fault === undefined || takesEffect(fault) ? await honest(request, text) : undefined;
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (fault?.kind === 'hang') return;
  const isLimit = fault?.kind === 'secondary-limit' || fault?.kind === 'primary-limit';
  const instead = isLimit ? limited(fault) : fault?.kind === 'status' ? (faultAnswer(fault) as RestAnswer) : undefined;
  const { status, body, bytes, headers } = instead ?? done ?? { status: 500 };
  const content = bytes ?? (body === undefined ? '' : JSON.stringify(body));
  const type = bytes ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { date: new Date(now()).toUTCString(), 'content-type': type, ...headers });
  response.end(content);
}

function limited(fault: Extract<Fault, { kind: 'secondary-limit' | 'primary-limit' }>): RestAnswer {
  const seconds = fault.kind === 'secondary-limit' ? fault.retryAfterSeconds : undefined;
  const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return { status: 429, bytes: Buffer.from('Retry later'), headers };
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
