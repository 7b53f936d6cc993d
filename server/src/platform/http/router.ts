import Router from '@koa/router';
import type { Middleware } from 'koa';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { AppState } from './app-state.ts';

/** Adds some routes: `(router) => registerRepoRoutes(router, { createRepo, ... })`. */
export type RegisterRoutes = (router: Router) => void;

/** All routes, and the answer for what none of them takes. `routes`: as `GET /builds/:reference`, in their order. */
export function createRouter(deps: { readonly routes: readonly RegisterRoutes[]; readonly basePath: string }): {
  readonly dispatch: Middleware<AppState>;
  readonly routes: readonly string[];
} {
  const { routes, basePath } = deps;
  const router = new Router();
  for (const register of routes) register(router);
  const match = router.routes() as Middleware<AppState>;
  const dispatch: Middleware<AppState> = (ctx, next) =>
    match(ctx, async () => {
      if (ctx.routeMatched === true) return next();
      // Never 405: several clients swallow it (wire.md, "Failures").
      throw new Failure('not-found', describeUnknown({ router, basePath, method: ctx.method, path: ctx.path }));
    });
  return {
    dispatch,
    routes: router.stack.flatMap(({ methods, path }) => withoutHead(methods).map((m) => `${m} ${path}`)),
  };
}

/** Every GET takes HEAD too. */
function withoutHead(methods: readonly string[]): readonly string[] {
  return methods.filter((one) => one !== 'HEAD');
}

interface Unknown {
  readonly router: Router;
  readonly basePath: string;
  readonly method: string;
  readonly path: string;
}

/** What clients append to the base that they are given. */
const OWN_PATHS = ['/api/v1/jobs', '/webhook', '/api/v1'] as const;

function describeUnknown({ router, basePath, method, path }: Unknown): string {
  const shown = quoteValue(`${basePath}${path}`, 200).slice(1, -1);
  // Clients that were given only the base where they want the whole address: maven, gradle, tarpaulin.
  if (method === 'POST' && path === '/') {
    return `Nothing is uploaded to ${shown}: jobs go to ${basePath}/api/v1/jobs. Give the client that full URL.`;
  }
  const beyond = OWN_PATHS.find((own) => path.length > own.length && path.endsWith(own));
  const base = OWN_PATHS.find((own) => path.startsWith(`${own}/`));
  if (method === 'POST' && beyond !== undefined && base !== undefined) {
    return (
      `There is nothing at ${shown}: the client appends ${beyond} itself. ` +
      `Give it only the base URL, without ${base}.`
    );
  }
  const methods = withoutHead([...new Set(router.match(path, method).path.flatMap((layer) => layer.methods))]);
  if (methods.length > 0) return `${shown} does not accept ${method}; it accepts ${methods.join(', ')}.`;
  return (
    `There is nothing at ${shown}. ` +
    `Jobs go to ${basePath}/api/v1/jobs, closes to ${basePath}/webhook, repos to ${basePath}/api/v1/repos.`
  );
}
