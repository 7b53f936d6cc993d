import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Failure, quoteValue } from '../../domain/failure.ts';
import { BODY_IDLE, watchBody } from './body-watch.ts';
import { askForBody } from './expect-continue.ts';
import { locateJsonError } from './json-position.ts';
import { type BodyMemory, createUploadBudget, type UploadBudget } from './upload-budget.ts';

/** Largest JSON or form body of a route that takes small ones, after unpacking. */
export const SMALL_BODY_LIMIT = 1024 * 1024;

export interface SmallBodiesOptions {
  /** Milliseconds without a byte; 30 s unless told. */
  readonly idle?: number;
  /** The memory of all bodies that these routes read at once; SMALL_BODIES_MEMORY unless told. */
  readonly budget?: UploadBudget;
}

/** Bytes: 64 of the largest, and any number of usual ones. */
const SMALL_BODIES_MEMORY = 64 * 1024 * 1024;

/**
 * Leaves the body in `ctx.request.body`: of JSON an object or list, of a form its fields (`payload[build_num]=7`
 * nests), else
 * `{}`. Other content types, and none, are JSON when they begin with `{`: clients forget the header. No body is an
 * empty one.
 */
export function smallBodies(options: SmallBodiesOptions = {}): Middleware {
  const { idle = BODY_IDLE, budget = createUploadBudget({ bytes: SMALL_BODIES_MEMORY }) } = options;
  const limit = String(SMALL_BODY_LIMIT);
  const parse = bodyParser({
    enableTypes: ['json', 'form'],
    jsonLimit: limit,
    formLimit: limit,
    detectJSON: (ctx) => !isForm(ctx),
    onerror: (error, ctx) => {
      if (!isNoJson(error, ctx)) throw toFailure(error);
      ctx.request.body = {};
    },
  });
  return async (ctx, next) => {
    const length = Number(ctx.get('Content-Length') || 0);
    if (length > SMALL_BODY_LIMIT) throw tooLarge();
    const watch = watchBody(ctx.req, { idle });
    const memory = budget.open(ctx.request.length);
    const room = makeRoom(ctx.req, memory);
    askForBody(ctx.req);
    try {
      await Promise.race([parse(ctx, async () => {}), watch.stopped, room.refused, memory.displaced]);
      if (isForm(ctx)) ctx.request.body = readMislabelled(ctx.request.rawBody) ?? ctx.request.body;
    } finally {
      room.release();
      memory.release();
      watch.release();
    }
    return next();
  };
}

/** Takes memory for what comes, beside the parser that keeps it; while there is none the connection is not read. */
function makeRoom(req: IncomingMessage, memory: BodyMemory): { readonly refused: Promise<never>; release(): void } {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  // The parser may be done before it is asked for.
  refused.catch(() => {});
  let received = 0;
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    memory.note(chunk.length);
    const waiting = memory.grow(received);
    if (waiting === undefined) return;
    req.pause();
    waiting.then(() => req.resume(), reject);
  };
  req.on('data', onData);
  return { refused, release: () => void req.off('data', onData) };
}

/** `curl -d '{...}'` calls everything a form: a body that is a JSON object is read as one. */
function readMislabelled(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isForm = (ctx: Context): boolean => /^application\/x-www-form-urlencoded\b/i.test(ctx.get('Content-Type').trim());

interface ParserError extends Error {
  readonly status?: number;
  readonly type?: string;
  /** The text that could not be parsed. */
  readonly body?: string;
}

/** Neither called JSON nor looking like it: as good as no body. */
function isNoJson(error: ParserError, ctx: Context): boolean {
  return error.body !== undefined && !/\bjson\b/i.test(ctx.get('Content-Type')) && !/^\s*\{/.test(error.body);
}

function toFailure(error: ParserError): Failure {
  if (error.type === 'entity.too.large') return tooLarge();
  if (error.body !== undefined)
    return new Failure('payload-invalid', describeBrokenJson(error.body), { cause: undefined });
  if (error.status === 415) {
    return new Failure(
      'payload-invalid',
      'The Content-Encoding is unknown; send the body plain or with Content-Encoding: gzip, deflate or br.',
    );
  }
  // zlib's own: what claims to be compressed is not.
  if ('code' in error && String(error.code).startsWith('Z_')) {
    return new Failure(
      'payload-invalid',
      `The body is not what its Content-Encoding says (${quoteValue(error.code)}); send it again, or plain.`,
    );
  }
  return new Failure('payload-invalid', 'The body could not be read to its end; nothing was stored. Send it again.', {
    cause: error,
  });
}

function describeBrokenJson(text: string): string {
  if (/^[ \t\r\n]*[^ \t\r\n[{]/.test(text)) return 'The body is not a JSON object: it must begin with {.';
  // The parser refuses this one key, which could change what every object inherits.
  if (isJson(text)) return 'The body holds the key "__proto__", which no field has; leave it out.';
  const { offset, line, column } = locateJsonError(text);
  const where =
    offset >= text.length
      ? `it ends too early, after ${offset} characters`
      : `it goes wrong at character ${offset + 1}`;
  return `The body is not JSON: ${where} (line ${line}, column ${column}).`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function tooLarge(): Failure {
  return new Failure(
    'payload-too-large',
    `The body has more than ${SMALL_BODY_LIMIT} bytes (1 MiB), the limit of this route; send less.`,
  );
}
