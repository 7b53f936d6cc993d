import type Router from '@koa/router';
import type { UploaderServices } from '../../access/uploaders/uploader-services.ts';
import { createUploadBudget } from '../../platform/http/upload-budget.ts';
import type { Services } from '../../services/services.ts';
import { countUploads } from '../upload-services.ts';
import { registerJobRoutes } from './jobs-routes.ts';
import { registerPreview } from './preview.ts';

/** Jobs and previews, which share the memory of all uploads. `seen`: they show what is public. */
export function registerUploads(router: Router, services: UploaderServices, seen: Services): void {
  const budget = createUploadBudget({ bytes: services.config.maxUploadsMemory });
  registerJobRoutes(router, { ...countUploads(services), budget }, seen);
  registerPreview(router, { ...services, budget }, seen);
}
