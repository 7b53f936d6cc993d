import type Router from '@koa/router';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { Services } from '../../services/services.ts';

/** `GET /ci/<service>.yml`: what the CI of a host includes from here, for everybody, since the host itself asks. */
export function registerCiFiles(router: Router, { hosts, addresses }: Services): void {
  router.get('/ci/:service.yml', (context) => {
    const { service = '' } = context.params;
    const included = hosts.all.find((host) => host.service === service)?.snippets?.included;
    if (included === undefined)
      throw new Failure('not-found', `No CI of ${quoteValue(service)} includes a file of this server.`);
    context.set('Cache-Control', 'no-cache');
    context.set('X-Content-Type-Options', 'nosniff');
    context.type = 'text/yaml; charset=utf-8';
    context.body = included(addresses.root().replace(/\/$/, ''));
  });
}
