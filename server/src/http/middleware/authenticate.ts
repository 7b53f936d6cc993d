import type { RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';
import type { Caller } from '../../domain/repo/caller.ts';
import { tokenOfAuthorization } from '../../use-cases/access/authorization-header.ts';
import type { Identify } from '../../use-cases/access/identify-caller.ts';

/** Who sent this request. Throws a Failure for a wrong credential, or for none where one is needed. */
export type IdentifyRequest = (context: Pick<Context, 'get' | 'query'>) => Promise<Caller>;

/** A user, found by the Authorization header; without one a Failure `credential-missing`. */
export type IdentifyCaller = IdentifyRequest;

/** A user, the holder of a repo token (in the header, or as `?repo_token=`), or `anonymous`. */
export type IdentifyReader = IdentifyRequest;

/** Reads a request's credentials: the only place that knows where they are. */
export function authenticate(identify: Identify): IdentifyRequest {
  return (context) => {
    const repoToken = [context.query.repo_token].flat()[0];
    return identify({ authorization: context.get('Authorization') || undefined, repoToken: repoToken || undefined });
  };
}

/** The token of the Authorization header, for requests whose query and body bring none. */
export function headerToken(context: Pick<Context, 'get'>): string | undefined {
  return tokenOfAuthorization(context.get('Authorization'));
}

/** Leaves the caller in `context.state.caller`. It runs before the body is read: strangers cost no memory. */
export function requireCaller(identifyCaller: IdentifyCaller): RouterMiddleware {
  return async (context, next) => {
    context.state.caller = await identifyCaller(context);
    return next();
  };
}
