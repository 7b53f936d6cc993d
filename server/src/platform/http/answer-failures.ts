import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import { Failure, type FailureCode } from '../../core/failure.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import { asStarted } from '../sentences.ts';
import { withDocsAddresses } from '../web/docs-links.tsx';
import { renderFailurePage } from '../web/failure-page.tsx';
import type { AppLogger, AppState } from './app-state.ts';
import type { PageOf } from './page-of.ts';
import { DATA_HEADERS } from './protect-answers.ts';
import { answerThenLinger, isAwaitingContinue, type Linger } from './unread-body.ts';
import { wantsPage } from './wants-page.ts';

/** The only place where a failure becomes an HTTP status (wire.md, "Failures"). */
const STATUS: Readonly<Record<FailureCode, number>> = {
  'query-invalid': 400,
  'payload-invalid': 422,
  'payload-too-large': 413,
  'body-incomplete': 408,
  'repo-token-unknown': 422,
  'build-unknown': 422,
  'credential-missing': 401,
  'credential-unknown': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'over-limit': 429,
  unavailable: 503,
  internal: 500,
};

/** Seconds. A restart takes less, and a client that obeys it waits no longer than needed. */
const RETRY_AFTER = 10;

export interface AnswerFailuresDeps {
  readonly logger: AppLogger;
  /** Failures quote what was sent. */
  readonly secretTexts: Pick<SecretTexts, 'hide'>;
  readonly linger: Linger;
  readonly isStopping: () => boolean;
  readonly pageOf: PageOf;
}

/** Turns whatever was thrown into `{"message", "error": true}`, or a small page where a browser asked for a page. */
export function answerFailures(deps: AnswerFailuresDeps): Middleware<AppState> {
  const { logger, secretTexts, linger, isStopping, pageOf } = deps;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const failure = withoutSecrets(toFailure(error, ctx.state.requestId), secretTexts);
      logFailure(logger, ctx, failure);
      answer(ctx, failure, { linger, pageOf });
    }
    // A client that waits for "100 Continue" may send its body now or not: where its next request begins is unknown.
    if (isStopping() || isAwaitingContinue(ctx.req)) ctx.set('Connection', 'close');
  };
}

function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure && error.code !== 'internal') return error;
  const sentence =
    'Something went wrong in this server, not in your request. ' +
    `Its log has more under the request id ${requestId}.`;
  return new Failure('internal', sentence, { cause: error });
}

function withoutSecrets(failure: Failure, { hide }: Pick<SecretTexts, 'hide'>): Failure {
  const sentence = hide(asStarted(failure.message));
  const { code, cause, repo } = failure;
  return sentence === failure.message ? failure : new Failure(code, sentence, { cause, ...(repo && { repo }) });
}

function logFailure(logger: AppLogger, ctx: { readonly state: AppState }, failure: Failure): void {
  ctx.state.failure = failure.code;
  const fields = { request: ctx.state.requestId, code: failure.code, error: failure.cause };
  if (failure.code === 'internal') logger.error(fields, 'request failed');
  else if (failure.code === 'unavailable') logger.warn({ ...fields, reason: failure.message }, 'request refused');
}

function answer(
  ctx: Context,
  failure: Failure,
  { linger, pageOf }: Pick<AnswerFailuresDeps, 'linger' | 'pageOf'>,
): void {
  ctx.status = STATUS[failure.code];
  const retryAfter = failure.retryAfter ?? (failure.code === 'unavailable' ? RETRY_AFTER : undefined);
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (ctx.status === 401) ctx.set('WWW-Authenticate', 'token realm="coverage"');
  const page = wantsPage(ctx);
  const text = page
    ? showFailure(ctx, failure, pageOf)
    : JSON.stringify({ message: withAddresses(ctx, failure.message, pageOf), error: true });
  const body = Buffer.from(text);
  const whole = ctx.req.complete || isAwaitingContinue(ctx.req) || ctx.method === 'HEAD';
  ctx.body = whole ? body : answerThenLinger(ctx.req, body, linger);
  ctx.type = page ? 'html' : 'json';
  ctx.length = body.length;
}

/** Anybody who asks by a program has no page with links. */
function withAddresses(ctx: Context, sentence: string, pageOf: PageOf): string {
  return withDocsAddresses(sentence, (name) => {
    const { site, links } = pageOf(ctx);
    return site.origin + links.docs(name);
  });
}

function showFailure(ctx: Context, failure: Failure, pageOf: PageOf): string {
  const { message, repo } = failure;
  const shown = { status: ctx.status, title: ctx.message, message, repo, request: ctx.state.requestId };
  return [...renderFailurePage(shown, pageOf(ctx))].join('');
}

/** For what is thrown after the middleware: a body that cannot be written, a connection that broke. */
export function reportEscapedErrors(app: Koa<AppState>, { logger }: { readonly logger: AppLogger }): void {
  app.on('error', (error: Error & { code?: string }, ctx?: Context) => {
    const fields = { request: ctx?.state.requestId, error };
    const isClientGone = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(error.code ?? '');
    if (isClientGone) logger.debug(fields, 'client went away');
    else logger.error(fields, 'answer failed');
  });
  const context = app.context as unknown as { onerror: (this: Context, error: unknown) => void };
  context.onerror = function answerEscaped(error) {
    if (error === null || error === undefined) return;
    this.app.emit('error', error instanceof Error ? error : new Error(String(error)), this);
    if (this.headerSent || !this.writable) return;
    const text = JSON.stringify({ message: toFailure(error, this.state.requestId ?? '').message, error: true });
    this.res.statusCode = 500;
    this.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.res.setHeader('Content-Length', Buffer.byteLength(text));
    for (const [name, value] of Object.entries(DATA_HEADERS)) this.res.setHeader(name, value);
    this.res.end(text);
  };
}
