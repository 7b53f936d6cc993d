import type Router from '@koa/router';
import { readUploadSettings } from '../../repos/read-upload-settings.ts';
import type { Services } from '../../services/services.ts';

/** `GET /api/v1/upload-settings`, for anybody who holds the repo's token: our own action asks before it uploads. */
export function registerUploadSettings(router: Router, services: Services): void {
  router.get('/api/v1/upload-settings', async (context) => {
    const { sendSource } = await readUploadSettings(services, await services.identifyReader(context));
    context.body = { send_source: sendSource };
  });
}
