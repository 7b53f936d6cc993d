import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** What pages load: a file under a name that changes with its content, so that a browser may keep it forever. */
export interface Asset {
  /** As `style-0123456789ab.css`. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export interface Assets {
  readonly icon: Asset;
  readonly style: Asset;
  readonly script: Asset;
}

const FOLDER = new URL('../../../assets/', import.meta.url);

/** Reads the icon, the style sheet (its parts in the order of their names) and the script. Throws if one is missing. */
export function loadAssets(): Assets {
  const parts = readdirSync(new URL('style/', FOLDER)).sort();
  const style = parts.map((part) => readFileSync(new URL(`style/${part}`, FOLDER), 'utf8')).join('\n');
  return {
    icon: makeAsset('icon', 'svg', 'image/svg+xml', readFileSync(new URL('icon.svg', FOLDER), 'utf8')),
    style: makeAsset('style', 'css', 'text/css', style),
    script: makeAsset('page', 'js', 'text/javascript', readFileSync(new URL('page.js', FOLDER), 'utf8')),
  };
}

function makeAsset(name: string, ending: string, type: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { name: `${name}-${digest}.${ending}`, type: `${type}; charset=utf-8`, text };
}
