import type { Context } from 'koa';

/** Our cookies: who is signed in, or was; what share links open; what a form or sign-in is recognized by. */
const COOKIES = ['session', 'shares', 'visit', 'signin', 'setup', 'device'] as const;
export type CookieName = (typeof COOKIES)[number];

/** Reads and writes cookies that no script sees and no other site sends with what changes anything. */
export interface Cookies {
  read(context: Pick<Context, 'get'>, name: CookieName): string | undefined;
  /** `maxAge`: ms; undefined: until the browser is closed. */
  write(context: Pick<Context, 'append'>, name: CookieName, value: string, maxAge?: number): void;
  forget(context: Pick<Context, 'append'>, name: CookieName): void;
}

/** Tokens of share links that a browser keeps. */
export const MAX_SHARES = 5;

/** Characters of a Cookie header that are read. */
const MAX_READ = 8_192;

/** `baseUrl`: as people's browsers see it, which decides what browsers are told. */
export function createCookies(baseUrl: () => string): Cookies {
  const shape = (): { readonly prefix: string; readonly attributes: string } => {
    const { protocol, pathname } = new URL(baseUrl());
    const path = pathname.replace(/\/$/, '') || '/';
    const attributes = `Path=${path}; HttpOnly; SameSite=Lax`;
    if (protocol !== 'https:') return { prefix: '', attributes };
    // A browser takes `__Host-` from this very host alone, and only for all of it.
    return { prefix: path === '/' ? '__Host-' : '__Secure-', attributes: `${attributes}; Secure` };
  };
  const write: Cookies['write'] = (context, name, value, maxAge) => {
    const { prefix, attributes } = shape();
    const age = maxAge === undefined ? '' : `; Max-Age=${Math.floor(maxAge / 1_000)}`;
    context.append('Set-Cookie', `${prefix}coverage_${name}=${value}; ${attributes}${age}`);
  };
  return {
    read(context, name) {
      const wanted = `${shape().prefix}coverage_${name}=`;
      const pairs = context.get('Cookie').slice(0, MAX_READ).split(';');
      const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(wanted));
      return found?.slice(wanted.length) || undefined;
    },
    write,
    forget: (context, name) => write(context, name, '', 0),
  };
}
