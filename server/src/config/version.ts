import { readFileSync } from 'node:fs';

/** The one place that says the version: the checkout's package.json, which an archive has in its folder `lib`. */
const PLACE = new URL('../../../package.json', import.meta.url);

export function readVersion(): string {
  return (JSON.parse(readFileSync(PLACE, 'utf8')) as { readonly version: string }).version;
}
