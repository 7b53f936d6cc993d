import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import qs from 'qs';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { AppState } from './app-state.ts';
import { readBody } from './read-body.ts';
import { readJsonObject } from './read-json.ts';
import { nextTurn } from './turns.ts';
import { createUploadBudget, type UploadBudget } from './upload-budget.ts';

declare module 'koa' {
  interface Request {
    /** What smallBodies left. */
    body?: unknown;
  }
}

/** Largest JSON or form body of a caller who is known, after unpacking: settings are the largest. */
const SMALL_BODY_LIMIT = 1024 * 1024;
/** The same of anybody else, who sends closes, reruns and the form that signs in: each byte costs our main thread. */
const STRANGERS_BODY_LIMIT = 64 * 1024;

export interface SmallBodiesOptions {
  /** Milliseconds without a byte; 30 s by default. */
  readonly idle?: number;
  /** The memory of all bodies that these routes read at once; SMALL_BODIES_MEMORY by default. */
  readonly budget?: UploadBudget;
}

/** Characters from which on a body is parsed in a turn of its own. */
const LARGE = 16 * 1024;

/** Pairs of a form that are read. */
const MAX_PAIRS = 1_000;
/** Characters of a name in a form: many times those of any field, however it is nested. */
const MAX_NAME_LENGTH = 1_000;

/** Bytes: 64 of the largest, and any number of usual ones. */
const SMALL_BODIES_MEMORY = 64 * 1024 * 1024;

/**
 * Leaves the body in `ctx.request.body`: of JSON an object, of a form its fields (`payload[build_num]=7`
 * nests), else `{}`. Other content types, and none, are JSON when they begin with `{`: clients forget the header.
 */
export function smallBodies(options: SmallBodiesOptions = {}): Middleware<AppState> {
  const { idle, budget = createUploadBudget({ bytes: SMALL_BODIES_MEMORY }) } = options;
  return async (ctx, next) => {
    const memory = budget.open(ctx.request.length);
    const limit = isKnown(ctx.state) ? SMALL_BODY_LIMIT : STRANGERS_BODY_LIMIT;
    try {
      const limits = { limit, tooLarge: () => tooLarge(limit), memory };
      const bytes = await readBody(ctx.req, idle === undefined ? limits : { ...limits, idle });
      const encoding = ctx.get('Content-Encoding') || 'identity';
      const text = new TextDecoder().decode(await unpack(bytes, encoding, limit));
      if (text.length > LARGE) await nextTurn();
      const body = isForm(ctx) ? parseForm(text) : parseJson(text, ctx);
      if (typeof body === 'object' && body !== null) ctx.state.refuseTokens(body, text);
      ctx.request.body = body;
    } finally {
      memory.release();
    }
    return next();
  };
}

/** By requireCaller, which ran before, or by a session. */
const isKnown = (state: AppState): boolean => 'caller' in state || state.visitor?.person !== undefined;

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const unpackZlib: Unpack = promisify(unzip);
const UNPACKERS: Readonly<Record<string, Unpack>> = {
  gzip: unpackZlib,
  deflate: unpackZlib,
  br: promisify(brotliDecompress),
};

async function unpack(bytes: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  const unpacker = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding] : undefined;
  if (unpacker === undefined)
    throw invalid(
      'The Content-Encoding is unknown; send the body plain or with Content-Encoding: gzip, deflate or br.',
    );
  if (bytes.length === 0) return bytes;
  try {
    return await unpacker(bytes, { maxOutputLength: limit });
  } catch (cause) {
    const code = (cause as { readonly code?: string }).code ?? '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw invalid(
      `The body is not what its Content-Encoding says (${quoteValue(code)}). Send it again, or send it uncompressed.`,
      cause,
    );
  }
}

const isForm = (ctx: Context): boolean => /^application\/x-www-form-urlencoded\b/i.test(ctx.get('Content-Type').trim());

/** `curl -d '{...}'` calls everything a form: a body that is a JSON object is read as one. */
function parseForm(text: string): unknown {
  const mislabeled = /^\s*\{/.test(text) ? readJsonObject(text) : undefined;
  if (mislabeled !== undefined && 'value' in mislabeled) return mislabeled.value;
  const longest = Math.max(...text.split('&', MAX_PAIRS).map((pair) => pair.split('=', 1)[0]?.length ?? 0));
  if (longest > MAX_NAME_LENGTH)
    throw invalid(
      `The form has a field with a name of ${longest} characters; at most ${MAX_NAME_LENGTH} are accepted.`,
    );
  return qs.parse(text, { allowDots: true, parameterLimit: MAX_PAIRS });
}

function parseJson(text: string, ctx: Context): unknown {
  if (text === '') return {};
  const read = readJsonObject(text);
  if ('value' in read && !holdsProto(read.value)) return read.value;
  // Neither called JSON nor looking like it: as good as no body.
  if (!/\bjson\b/i.test(ctx.get('Content-Type')) && !/^\s*[[{]/.test(text)) return {};
  throw invalid(
    'problem' in read
      ? `The body is ${read.problem}.`
      : 'The body has the key "__proto__", which is not allowed; leave it out.',
  );
}

/** Whether a key could change what every object inherits, at any depth: without recursion, since depth is free. */
function holdsProto(parsed: unknown): boolean {
  const found = [parsed];
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const inner of Object.values(value)) if (typeof inner === 'object') found.push(inner);
  }
  return false;
}

function invalid(sentence: string, cause?: unknown): Failure {
  return new Failure('payload-invalid', sentence, { cause });
}

function tooLarge(limit: number): Failure {
  const sentence = `The body has more than ${limit} bytes (${limit / 1024} KiB), the limit of this request; send less.`;
  return new Failure('payload-too-large', sentence);
}
