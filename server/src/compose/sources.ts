import { createFetchSource } from '../builds/fetch-source.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import type { FetchSource } from '../reports/fetch-source.ts';
import { packText } from '../reports/ingest/source-texts.ts';
import type { Services } from '../services/services.ts';
import type { Parts } from './services.ts';

/** One for all pages: together they keep the limit. */
export function composeFetchSource(
  { config, store, timers, logger }: Parts,
  { hosts, clock }: Pick<Services, 'hosts' | 'clock'>,
): FetchSource {
  const { providerSources } = store;
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
