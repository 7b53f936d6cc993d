import type { Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/uploads.ts';
import type { AppState } from './app-state.ts';

/** Probes have their own answer while the process stops. */
const ALWAYS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** A stopping process finishes what it accepted and takes nothing new; connections end with their next answer. */
export function refuseWhileStopping(deps: { readonly isStopping: () => boolean }): Middleware<AppState> {
  const { isStopping } = deps;
  return (ctx, next) => {
    if (isStopping() && !ALWAYS.has(ctx.path)) {
      throw new Failure('unavailable', say.STOPPING);
    }
    return next();
  };
}
