import type Router from '@koa/router';
import { Failure } from '../../../domain/failure.ts';

export interface HealthRoutesDeps {
  /** Answers when the store is reachable and writable; else throws a Failure. */
  readonly checkStore: () => Promise<void>;
  readonly isStopping: () => boolean;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can do its work, so send it requests. */
export function registerHealthRoutes(router: Router, deps: HealthRoutesDeps): void {
  const { checkStore, isStopping } = deps;

  router.get('/healthz', (context) => {
    context.set('Cache-Control', 'no-store');
    context.body = { status: 'ok' };
  });

  router.get('/readyz', async (context) => {
    context.set('Cache-Control', 'no-store');
    if (isStopping()) throw new Failure('unavailable', 'The server is stopping.');
    await checkStore();
    context.body = { status: 'ok' };
  });
}
