import Koa from 'koa';
import { cleanAddresses } from '../access/browser/clean-addresses.ts';
import { inviteToSignIn } from '../access/browser/invite-to-sign-in.ts';
import { recognizeVisitors } from '../access/browser/visitors.ts';
import { answerFailures, reportEscapedErrors } from '../platform/http/answer-failures.ts';
import type { AppLogger, AppState } from '../platform/http/app-state.ts';
import { findClientAddress, type TrustedProxies } from '../platform/http/client-address.ts';
import { assignRequestId, countRequests, logRequests } from '../platform/http/log-requests.ts';
import { protectAnswers } from '../platform/http/protect-answers.ts';
import { refuseStrayTokens } from '../platform/http/refuse-stray-tokens.ts';
import { normalizePath, parseQuery } from '../platform/http/request-address.ts';
import { createRouter, type RegisterRoutes } from '../platform/http/router.ts';
import { LINGER, type Linger } from '../platform/http/unread-body.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Services } from '../services/services.ts';

interface AppServices extends Pick<Services, 'secretTexts' | 'basePath' | 'pageOf' | 'isStopping'> {
  readonly logger: AppLogger;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** What the logger knows requests by; none by default. */
  readonly requestScope?: { run<T>(requestId: string, work: () => T): T } | undefined;
  readonly trustProxy: TrustedProxies;
  readonly routes: readonly RegisterRoutes[];
  /** By which browsers are known, and addresses with tokens cleaned; nobody is known without. */
  readonly visitors?: Services;
  /** Not counted by default. */
  readonly metrics?: Pick<Metrics, 'requestAnswered'>;
  /** How much of an unwanted body is still read; LINGER by default. */
  readonly linger?: Linger;
}

/** The whole HTTP side of the server: the app's `callback()` is a request listener. */
export function createApp(services: AppServices): { readonly app: Koa<AppState>; readonly routes: readonly string[] } {
  const { logger, secretTexts, basePath, isStopping, linger = LINGER } = services;
  const app = new Koa<AppState>();
  reportEscapedErrors(app, { logger });
  app.use(assignRequestId(services));
  const findAddress = findClientAddress(services.trustProxy);
  app.use(logRequests(services, services.now, findAddress));
  if (services.metrics !== undefined) app.use(countRequests(services.metrics, services.now));
  app.use(protectAnswers);
  app.use(answerFailures({ logger, secretTexts, linger, isStopping, pageOf: services.pageOf }));
  app.use(normalizePath({ basePath }));
  app.use(parseQuery());
  app.use(refuseStrayTokens({ secretTexts }));
  if (services.visitors !== undefined) {
    app.use(recognizeVisitors(services.visitors));
    app.use(inviteToSignIn({ basePath, secretTexts }));
    app.use(cleanAddresses(services.visitors));
  }
  const { dispatch, routes } = createRouter(services);
  app.use(dispatch);
  return { app, routes };
}
