import { Failure, quoteValue } from '../core/failure.ts';
import * as say from '../messages/stores.ts';

/** The store that a URL names. */
export type StoreUrl =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'mongodb'; readonly url: string };

export const EXAMPLE_URLS = say.EXAMPLE_URLS;

/** Reads the URL of a setting. Throws a Failure that repeats nothing but the scheme: the rest may hold a password. */
export function readStoreUrl(setting: string, url: string): StoreUrl {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  if (/^mongodb(\+srv)?$/i.test(scheme)) return { kind: 'mongodb', url };
  if (scheme.toLowerCase() !== 'sqlite') {
    const seen = scheme === '' ? say.WITHOUT_SCHEME : say.theScheme(quoteValue(`${scheme}:`));
    throw refuse(say.noSuchStore(setting, seen));
  }
  if (path === '') throw refuse(say.noFileNamed(setting));
  return { kind: 'sqlite', path };
}

function refuse(reason: string): Failure {
  return new Failure('unavailable', `${reason}; use ${EXAMPLE_URLS}.`);
}
