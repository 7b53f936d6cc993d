import type Router from '@koa/router';
import { Failure } from '../../domain/failure.ts';
import * as say from '../../messages/requests.ts';

export interface HealthRoutesDeps {
  /** Answers when the store is reachable and writable; else throws a Failure. */
  readonly checkStore: () => Promise<void>;
  readonly isStopping: () => boolean;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
}

const REMEMBERED = 1_000;

/** The check is a durable write that any caller can ask for, so it is made once a second at most. */
function onceASecond(check: () => Promise<void>, now: () => number): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= REMEMBERED) last = { at: now(), outcome: check() };
    return last.outcome;
  };
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can do its work, so send it requests. */
export function registerHealthRoutes(router: Router, deps: HealthRoutesDeps): void {
  const { isStopping } = deps;
  const checkStore = onceASecond(deps.checkStore, deps.now);

  router.get('/healthz', (context) => {
    context.set('Cache-Control', 'no-store');
    context.body = { status: 'ok' };
  });

  router.get('/readyz', async (context) => {
    context.set('Cache-Control', 'no-store');
    if (isStopping()) throw new Failure('unavailable', say.SERVER_STOPPING);
    await checkStore();
    context.body = { status: 'ok' };
  });
}
