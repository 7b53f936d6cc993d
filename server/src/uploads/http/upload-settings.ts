import type Router from '@koa/router';
import type { IdentifyReader } from '../../access/browser/authenticate.ts';
import type { ReadUploadSettings } from '../../repos/read-upload-settings.ts';

/** `GET /api/v1/upload-settings`, for whoever holds the repo's token: our own action asks before it uploads. */
export function registerUploadSettings(
  router: Router,
  deps: { readonly identifyReader: IdentifyReader; readonly readUploadSettings: ReadUploadSettings },
): void {
  router.get('/api/v1/upload-settings', async (context) => {
    const { sendSource } = await deps.readUploadSettings(await deps.identifyReader(context));
    context.body = { send_source: sendSource };
  });
}
