import type { Services } from '../../server/src/services/services.ts';

/** What is stored of merged reports where nothing was merged before. */
export const NOTHING_MERGED = {
  ofBuild: async () => [],
  read: async () => undefined,
} as unknown as Services['mergedReports'];
