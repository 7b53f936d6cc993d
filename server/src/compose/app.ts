import Koa from 'koa';
import { cleanAddresses } from '../access/browser/clean-addresses.ts';
import { inviteToSignIn } from '../access/browser/invite-to-sign-in.ts';
import { recognizeVisitors } from '../access/browser/visitors.ts';
import type { SecretTexts } from '../core/secret-texts.ts';
import { answerFailures, reportEscapedErrors } from '../platform/http/answer-failures.ts';
import type { AppLogger, AppState } from '../platform/http/app-state.ts';
import { findClientAddress, type TrustedProxies } from '../platform/http/client-address.ts';
import { assignRequestId, countRequests, logRequests } from '../platform/http/log-requests.ts';
import { normalizePath } from '../platform/http/normalize-path.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import { parseQuery } from '../platform/http/parse-query.ts';
import { protectAnswers } from '../platform/http/protect-answers.ts';
import { refuseStrayTokens } from '../platform/http/refuse-stray-tokens.ts';
import { createRouter, type RegisterRoutes } from '../platform/http/router.ts';
import { LINGER, type Linger } from '../platform/http/unread-body.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Services } from '../services/services.ts';

export interface AppDeps {
  readonly logger: AppLogger;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** What the logger knows requests by; none by default. */
  readonly requestScope?: { run<T>(requestId: string, work: () => T): T } | undefined;
  readonly secretTexts: SecretTexts;
  readonly trustProxy: TrustedProxies;
  /** The path of BASE_URL, such as `/coverage`; `''` without one. */
  readonly basePath: string;
  /** For pages that tell of a failure. */
  readonly pageOf: PageOf;
  /** True once the process was asked to stop: then each answer ends its connection. */
  readonly isStopping: () => boolean;
  readonly routes: readonly RegisterRoutes[];
  /** By which browsers are known, and addresses with tokens cleaned; nobody is known without. */
  readonly visitors?: Services;
  /** Not counted by default. */
  readonly metrics?: Pick<Metrics, 'requestAnswered'>;
  /** How much of an unwanted body is still read; LINGER by default. */
  readonly linger?: Linger;
}

/** The whole HTTP side of the server: the app's `callback()` is a request listener. */
export function createApp(deps: AppDeps): { readonly app: Koa<AppState>; readonly routes: readonly string[] } {
  const { logger, secretTexts, basePath, isStopping, linger = LINGER } = deps;
  const app = new Koa<AppState>();
  reportEscapedErrors(app, { logger });
  app.use(assignRequestId(deps));
  const findAddress = findClientAddress(deps.trustProxy);
  app.use(logRequests(deps, deps.now, findAddress));
  if (deps.metrics !== undefined) app.use(countRequests(deps.metrics, deps.now));
  app.use(protectAnswers);
  app.use(answerFailures({ logger, secretTexts, linger, isStopping, pageOf: deps.pageOf }));
  app.use(normalizePath({ basePath }));
  app.use(parseQuery());
  app.use(refuseStrayTokens({ secretTexts }));
  if (deps.visitors !== undefined) {
    app.use(recognizeVisitors(deps.visitors));
    app.use(inviteToSignIn({ basePath, secretTexts }));
    app.use(cleanAddresses(deps.visitors));
  }
  const { dispatch, routes } = createRouter(deps);
  app.use(dispatch);
  return { app, routes };
}
