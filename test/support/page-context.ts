import { listHosts } from '../../server/src/core/repo/git-host.ts';
import { loadAssets } from '../../server/src/platform/http/assets.ts';
import { createPageOf, type PageOf } from '../../server/src/platform/http/page-of.ts';
import type { PageContext } from '../../server/src/platform/web/page-context.ts';
import { GITHUB } from './hosts.ts';

/** Pages of a server at the root of a host, at a moment that stands still. */
export function aPageOf(now = (): number => Date.UTC(2026, 10, 20, 14, 44)): PageOf {
  const baseUrl = () => 'https://coverage.example';
  return createPageOf({
    assets: loadAssets(),
    basePath: '',
    baseUrl,
    version: '0.0.0',
    hosts: listHosts([GITHUB]),
    signIn: false,
    now,
    secretTexts: { hide: (text) => text },
  });
}

/** What a stranger's request for `/` gives its page. */
export function aPageContext(): PageContext {
  return aPageOf()({ path: '/', search: '', state: {} });
}
