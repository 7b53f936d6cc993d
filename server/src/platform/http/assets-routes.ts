import type Router from '@koa/router';
import { Failure } from '../../core/failure.ts';
import type { Assets } from './assets.ts';
import { sendPieces } from './send-pieces.ts';

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
