import { placeOf } from './addressing.ts';
import type { Answer } from './answer.ts';
import { failure, Refusal, validationFailed } from './answer.ts';
import { appOfJwt, isJwt } from './app-jwt.ts';
import { suspended } from './app-operations.ts';
import type { Caller, World } from './model.ts';
import { oauthCaller } from './oauth.ts';
import { checkAnswer, checkRequest, type Violation } from './openapi-check.ts';
import type { Call, Operation } from './operation.ts';
import { matchTemplate } from './operation.ts';
import { operations } from './operations.ts';
import type { RateLimit } from './rate-limit.ts';

/** A request without its transport. */
export interface ApiRequest {
  readonly method: string;
  /** Below the API's base, without query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
  readonly userAgent: string | undefined;
  readonly contentType: string | undefined;
  readonly body: unknown;
  readonly bodyBroken: boolean;
}

/** What the API needs, shared by all requests. */
export interface ApiDependencies {
  readonly world: World;
  readonly callers: ReadonlyMap<string, Caller>;
  readonly rateLimit: RateLimit;
  readonly report: (violation: Violation) => void;
}

const NOBODY: Caller = { login: '', kind: 'user', access: 'read' };

/** GitHub's way with one request: agent, token, budget, route, description, operation. */
export function handle(deps: ApiDependencies, request: ApiRequest): Answer {
  const { callers, rateLimit } = deps;
  if (!request.userAgent)
    return failure(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
    );
  // Anybody who has the code may exchange it.
  if (/^\/app-manifests\//.test(request.path)) return route(deps, request, NOBODY);
  if (request.token === undefined) return failure(401, 'Requires authentication');
  const caller =
    callers.get(request.token) ?? oauthCaller(deps.world, request.token) ?? appCaller(deps.world, request.token);
  if (!caller) return failure(401, 'Bad credentials');
  if ('status' in caller) return caller;
  if (request.method === 'GET' && request.path === '/rate_limit') {
    const { scopes } = caller;
    const headers = scopes === undefined ? {} : { 'x-oauth-scopes': scopes.join(', ') };
    return { ...rateLimit.overview(request.token), headers };
  }
  const refused = rateLimit.spend(request.token);
  if (refused) return refused;
  const place = placeOf(deps.world, caller, request);
  return 'status' in place ? place : route(deps, { ...request, path: place.path }, caller);
}

/**
 * Who asks by an App's JWT, or by a token of one of its installations; undefined for neither, and for tokens that
 * have ended.
 */
function appCaller(world: World, token: string): Caller | Answer | undefined {
  return refusable(() => {
    if (isJwt(token)) return { login: '', kind: 'app', access: 'read', app: appOfJwt(world, token) };
    const known = world.apps.tokens.get(token);
    const installation = world.apps.installations.get(known?.installation ?? 0);
    if (known === undefined || installation === undefined || known.expiresAt <= world.now()) return undefined;
    if (installation.suspendedAt !== undefined) throw suspended();
    const { app } = installation;
    return { login: `${app.slug}[bot]`, kind: 'installation', access: known.access, app, installation };
  });
}

function route(deps: ApiDependencies, request: ApiRequest, caller: Caller): Answer {
  for (const operation of operations) {
    if (operation.method !== request.method) continue;
    const params = matchTemplate(operation.template, request.path);
    if (params) return run(deps, { request, operation, params, caller });
  }
  const problem = 'the stand-in has no such operation';
  deps.report({ what: 'request', method: request.method, path: request.path, problem });
  return failure(404, 'Not Found');
}

function run(
  deps: ApiDependencies,
  routed: { request: ApiRequest; operation: Operation; params: Record<string, string>; caller: Caller },
): Answer {
  const { world, report } = deps;
  const { request, operation, params, caller } = routed;
  const { method, path, query, body, contentType } = request;
  if (request.bodyBroken) return failure(400, 'Problems parsing JSON');
  const problems = checkRequest({ method, template: operation.template, params, query, contentType, body });
  for (const problem of problems) report({ what: 'request', method, path, problem });
  const answer =
    problems.length > 0
      ? refuseInvalid(problems)
      : attempt(operation, {
          world,
          caller,
          params,
          query,
          body: (body ?? {}) as Record<string, unknown>,
          address: `${world.apiUrl}${path}`,
        });
  for (const problem of checkAnswer(method, operation.template, answer))
    report({ what: 'answer', method, path, problem });
  return answer;
}

function attempt(operation: Operation, call: Call): Answer {
  return refusable(() => operation.run(call));
}

function refusable<T>(run: () => T): T | Answer {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function refuseInvalid(problems: readonly string[]): Answer {
  const errors = problems.map((message) => ({ resource: 'Request', field: 'body', code: 'invalid' as const, message }));
  return validationFailed(...errors).answer;
}
