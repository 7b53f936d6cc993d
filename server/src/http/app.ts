import Koa from 'koa';
import type { SecretTexts } from '../domain/secret-texts.ts';
import type { AppLogger, AppState } from './app-state.ts';
import { answerFailures, reportEscapedErrors } from './middleware/answer-failures.ts';
import { assignRequestId } from './middleware/assign-request-id.ts';
import { type CleanAddressesDeps, cleanAddresses } from './middleware/clean-addresses.ts';
import { findClientAddress, type TrustedProxies } from './middleware/client-address.ts';
import { type CountRequestsDeps, countRequests } from './middleware/count-requests.ts';
import { inviteToSignIn } from './middleware/invite-to-sign-in.ts';
import { logRequests } from './middleware/log-requests.ts';
import { normalisePath } from './middleware/normalise-path.ts';
import { parseQuery } from './middleware/parse-query.ts';
import { protectAnswers } from './middleware/protect-answers.ts';
import { refuseStrayTokens } from './middleware/refuse-stray-tokens.ts';
import { refuseWhileStopping } from './middleware/refuse-while-stopping.ts';
import { LINGER, type Linger } from './middleware/unread-body.ts';
import { recogniseVisitors, type VisitorsDeps } from './middleware/visitors.ts';
import type { PageOf } from './presenters/page-of.ts';
import { createRouter, type RegisterRoutes } from './router.ts';

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
  /** True once the process was asked to stop. */
  readonly isStopping: () => boolean;
  readonly routes: readonly RegisterRoutes[];
  /** Whom browsers are known as, and what becomes of addresses with tokens; nobody is known without. */
  readonly visitors?: VisitorsDeps & CleanAddressesDeps;
  /** Not counted by default. */
  readonly metrics?: CountRequestsDeps['metrics'];
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
  app.use(logRequests({ logger, now: deps.now, findAddress, secretTexts }));
  if (deps.metrics !== undefined) app.use(countRequests({ metrics: deps.metrics, now: deps.now }));
  app.use(protectAnswers);
  app.use(answerFailures({ logger, secretTexts, linger, isStopping, pageOf: deps.pageOf }));
  app.use(normalisePath({ basePath }));
  app.use(parseQuery());
  app.use(refuseStrayTokens({ secretTexts }));
  app.use(refuseWhileStopping({ isStopping }));
  if (deps.visitors !== undefined) {
    app.use(recogniseVisitors(deps.visitors));
    app.use(inviteToSignIn({ basePath, secretTexts }));
    app.use(cleanAddresses(deps.visitors));
  }
  const { dispatch, routes } = createRouter(deps);
  app.use(dispatch);
  return { app, routes };
}
