import { createFetchSource, type FetchSource } from '../builds/fetch-source.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import { packText } from '../reports/ingest/source-texts.ts';
import type { Store } from '../storage/store.ts';
import type { Services } from './services.ts';

/** One for all pages: together they keep the limit. */
export function composeFetchSource(
  services: Services,
  { providerSources }: Pick<Store, 'providerSources'>,
): FetchSource {
  const { config, hosts, clock, timers, logger } = services;
  return createFetchSource({
    hosts,
    providerSources,
    packText,
    rate: createMinuteRate({ perMinute: config.sourceRequestsPerMinute, timers }),
    clock,
    timers,
    logger,
    maxKept: config.sourceCacheSize,
  });
}
