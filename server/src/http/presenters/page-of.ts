import type { Context } from 'koa';
import type { Timestamp } from '../../domain/time.ts';
import type { PageContext, Viewer } from '../../web/page-context.ts';
import type { Assets } from '../assets.ts';
import { createPageLinks } from './page-links.ts';

/** What a page needs to know of the request that asks for it. */
export type PageOf = (context: Pick<Context, 'path' | 'search' | 'state'>) => PageContext;

export interface PageOfDeps {
  readonly assets: Assets;
  /** The path of BASE_URL, or `''`. */
  readonly basePath: string;
  /** BASE_URL, or where the server listens; asked only once it does. */
  readonly baseUrl: () => string;
  readonly version: string;
  /** Whether people can sign in here. */
  readonly signIn: boolean;
  readonly now: () => Timestamp;
}

export function createPageOf({ assets, basePath, baseUrl, version, signIn, now }: PageOfDeps): PageOf {
  const links = createPageLinks(basePath);
  const address = (name: string): string => `${basePath}/assets/${name}`;
  const own = {
    icon: address(assets.icon.name),
    style: address(assets.style.name),
    script: address(assets.script.name),
    version,
    signIn,
  };
  return ({ path, search, state }) => ({
    site: { ...own, host: new URL(baseUrl()).host },
    links,
    viewer: state.viewer as Viewer | undefined,
    csrf: state.csrf as string | undefined,
    here: `${path}${search}`,
    now: now(),
  });
}
