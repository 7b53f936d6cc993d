import type { Context } from 'koa';
import { type GitHosts, termsOf } from '../../core/repo/git-host.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { Timestamp } from '../../core/time.ts';
import type { PageContext, Viewer } from '../web/page-context.ts';
import { createPageLinks } from '../web/page-links.ts';
import type { Assets } from './assets.ts';

/** What a page needs to know of the request that asks for it. */
export type PageOf = (context: Pick<Context, 'path' | 'search' | 'state'>) => PageContext;

export interface PageOfDeps {
  readonly assets: Assets;
  /** The path of BASE_URL, or `''`. */
  readonly basePath: string;
  /** BASE_URL, or where the server listens; asked only once it does. */
  readonly baseUrl: () => string;
  readonly version: string;
  readonly hosts: GitHosts;
  /** Whether people can sign in here. */
  readonly signIn: boolean;
  readonly now: () => Timestamp;
  /** An address may hold a token by mistake: no link leads back to it. */
  readonly secretTexts: Pick<SecretTexts, 'hide'>;
}

export function createPageOf(deps: PageOfDeps): PageOf {
  const { assets, basePath, baseUrl, version, hosts, signIn, now, secretTexts } = deps;
  const links = createPageLinks(basePath, (repo) => termsOf(hosts, repo));
  const address = (name: string): string => `${basePath}/assets/${name}`;
  const own = {
    icon: address(assets.icon.name),
    style: address(assets.style.name),
    script: address(assets.script.name),
    version,
    signIn,
  };
  return ({ path, search, state }) => ({
    site: { ...own, host: new URL(baseUrl()).host, origin: new URL(baseUrl()).origin },
    links,
    viewer: state.viewer as Viewer | undefined,
    csrf: state.csrf as string | undefined,
    here: holdsSecret(`${path}${search}`, secretTexts) ? '/' : `${path}${search}`,
    now: now(),
  });
}

/** Whether the text holds what no answer may. */
export function holdsSecret(text: string, { hide }: Pick<SecretTexts, 'hide'>): boolean {
  return hide(text) !== text;
}
