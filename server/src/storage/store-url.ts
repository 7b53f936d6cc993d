import { Failure, quoteValue } from '../core/failure.ts';

/** The store that a URL names. */
export type StoreUrl =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'mongodb'; readonly url: string };

export const EXAMPLE_URLS =
  'sqlite:./data/coverage.db, sqlite:/var/lib/coverage/coverage.db or mongodb://host/coverage';

/** Reads the URL of a setting. Throws a Failure that repeats nothing but the scheme: the rest may hold a password. */
export function readStoreUrl(setting: string, url: string): StoreUrl {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  if (/^mongodb(\+srv)?$/i.test(scheme)) return { kind: 'mongodb', url };
  if (scheme.toLowerCase() !== 'sqlite') {
    const seen = scheme === '' ? 'no scheme' : theScheme(quoteValue(`${scheme}:`));
    throw refuse(`${setting} has ${seen}, which names no store of this program`);
  }
  if (path === '') throw refuse(`${setting} names no file after "sqlite:"`);
  return { kind: 'sqlite', path };
}

function refuse(reason: string): Failure {
  return new Failure('unavailable', `${reason}; use ${EXAMPLE_URLS}.`);
}

function theScheme(scheme: string): string {
  return `the scheme ${scheme}`;
}
