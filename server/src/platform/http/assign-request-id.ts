import type { Middleware } from 'koa';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { AppState } from './app-state.ts';

/** Long enough for any tracing header, and nothing that could break a log line or a header. */
const HARMLESS = /^[\w.:/+=@-]{1,128}$/;

/** A shorter one may be part of a credential by chance. */
const MIN_TOKEN = 20;

/**
 * Every answer has X-Request-Id: the caller's own where it is harmless, else a new one (wire.md, "Failures"). A token
 * sent as one would be in the answer, and in the log under a name that nobody takes for a secret's.
 */
export function assignRequestId(deps: {
  readonly newRequestId: () => string;
  readonly secretTexts: Pick<SecretTexts, 'find'>;
  readonly requestScope?: { run<T>(requestId: string, work: () => T): T } | undefined;
}): Middleware<AppState> {
  const { newRequestId, secretTexts, requestScope } = deps;
  return (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const credentials = given.length < MIN_TOKEN ? '' : `${ctx.get('Authorization')} ${ctx.querystring}`;
    const isToken = secretTexts.find(given) !== undefined || credentials.includes(given);
    ctx.state.requestId = HARMLESS.test(given) && !isToken ? given : newRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return requestScope === undefined ? next() : requestScope.run(ctx.state.requestId, next);
  };
}
