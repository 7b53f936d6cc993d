import type { RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';
import type { Caller } from '../../core/repo/caller.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import type { IdentifyReaderOf, IdentifyRequest } from '../../platform/http/identify-request.ts';
import { networkOf } from '../../platform/network-of.ts';
import { tokenOfAuthorization } from '../authorization-header.ts';
import type { BuildAsking, Credentials } from '../identify-caller.ts';
import { holdsCsrfToken } from './visitors.ts';

/** A user, found by the Authorization header; without one a Failure `credential-missing`. */
export type IdentifyCaller = IdentifyRequest;

export function authenticate(identify: (credentials: Credentials) => Promise<Caller>): IdentifyRequest {
  return async (context) => ({ ...(await identify(credentialsOf(context))), address: context.request.ip });
}

export function authenticateReaderOf(
  identify: (asking: BuildAsking, reference: string) => Promise<Caller>,
): IdentifyReaderOf {
  return (context, reference) =>
    identify({ ...credentialsOf(context), address: networkOf(context.request.ip) }, reference);
}

/** Reads a request's credentials: the only place that knows where they are. */
function credentialsOf(context: Parameters<IdentifyRequest>[0]): Credentials {
  const repoToken = [context.query.repo_token].flat()[0];
  const { visitor, form } = context.state as AppState;
  const { person, shares = [] } = visitor ?? {};
  return {
    authorization: context.get('Authorization') || undefined,
    repoToken: repoToken || undefined,
    person: person?.caller,
    isPersonProven:
      isSafe(context.method) || form !== undefined || holdsCsrfToken(context, context.get('X-CSRF-Token')),
    shares: isSafe(context.method) ? shares : [],
  };
}

/** What a request of this method changes nothing by, so that any page may have sent it. */
function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
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
