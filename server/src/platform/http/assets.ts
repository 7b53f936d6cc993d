import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type Router from '@koa/router';
import { Failure } from '../../core/failure.ts';
import { sendPieces } from './send-pieces.ts';

/** What pages load: a file under a name that changes with its content, so that a browser may keep it forever. */
interface Asset {
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

/** A year: new content gets a new name. */
const FOR_EVER = ['public', 'max-age=31536000', 'immutable'].join(', ');

/** `GET /assets/<name>`: what our pages load, for everybody. */
export function registerAssetRoutes(router: Router, { assets }: { readonly assets: Assets }): void {
  const byName = new Map(Object.values(assets).map((asset) => [asset.name, asset]));
  router.get('/assets/:name', async (context) => {
    const asset = byName.get(context.params.name ?? '');
    if (asset === undefined)
      throw new Failure('not-found', 'There is no such file here: reload the page that asked for it.');
    context.set('Cache-Control', FOR_EVER);
    context.set('X-Content-Type-Options', 'nosniff');
    await sendPieces(context, asset.type, [asset.text]);
  });
}
