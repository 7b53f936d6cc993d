import type { RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';
import type { Caller } from '../../domain/repo/caller.ts';
import type { Identify } from '../../use-cases/access/identify-caller.ts';

/** Who sent this request. Throws a Failure for a wrong credential, or for none where one is needed. */
export type IdentifyRequest = (context: Pick<Context, 'get' | 'query'>) => Promise<Caller>;

/** A user, found by the Authorization header; without one a Failure `credential-missing`. */
export type IdentifyCaller = IdentifyRequest;

/** A user, the holder of `?repo_token=`, or `anonymous`. */
export type IdentifyReader = IdentifyRequest;

/** Reads a request's credentials: the only place that knows where they are. */
export function authenticate(identify: Identify): IdentifyRequest {
  return (context) => {
    const repoToken = [context.query.repo_token].flat()[0];
    return identify({ authorization: context.get('Authorization') || undefined, repoToken: repoToken || undefined });
  };
}

/** Leaves the caller in `context.state.caller`; before the body is read, so that strangers cost no memory. */
export function requireCaller(identifyCaller: IdentifyCaller): RouterMiddleware {
  return async (context, next) => {
    context.state.caller = await identifyCaller(context);
    return next();
  };
}
