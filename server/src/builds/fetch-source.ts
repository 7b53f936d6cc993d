import { RecentMap } from '../core/recent-map.ts';
import type { FetchRefusal } from '../core/repo/no-text.ts';
import { createDeadline, DeadlineExceeded } from '../hosts/facts/deadline.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import type { Timers } from '../platform/timers.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { FetchSource } from '../reports/fetch-source.ts';
import { packText } from '../reports/ingest/source-texts.ts';
import type { StoredSource } from '../reports/report-bytes.ts';
import type { Services } from '../services/services.ts';

type Fetching = Pick<Services, 'hosts' | 'providerSources' | 'config' | 'clock' | 'timers' | 'logger'>;

/** Bytes of a file that is asked for; a larger one was hardly written by hand. */
const MAX_FETCHED = 4 * 2 ** 20;
const LONGEST_WAIT = 4_000;
/** Milliseconds for which a refusal is remembered, and how many are. */
const REFUSAL_HOLDS = 60_000;
const MAX_REFUSALS = 1_000;

/**
 * A file's text from the store, else from the git host: several readers ask it once. One for all pages: together they
 * keep the limit.
 */
export function createFetchSource(services: Fetching): FetchSource {
  const { hosts, providerSources, config, timers } = services;
  const rate = createMinuteRate({ perMinute: config.sourceRequestsPerMinute, timers });
  const underWay = new Map<string, Promise<StoredSource | FetchRefusal>>();
  /** What was refused a short time ago is not asked again. */
  const refusals = new RecentMap<FetchRefusal>({ max: MAX_REFUSALS, lasts: REFUSAL_HOLDS, now: timers.elapsed });
  return async ({ repo, commit, path, longestWait = LONGEST_WAIT }) => {
    const provider = hosts.of(repo)?.provider;
    if (provider === undefined || config.sourceCacheSize === 0) return 'no-host';
    const key = `${commit}/${path}`;
    const id = `${repo.id}/${key}`;
    const known = refusals.get(id) ?? (await providerSources.find(repo.id, key));
    if (known !== undefined) return known;
    if (!underWay.has(id)) {
      if ((await rate.take('sources', 0)) !== undefined) return 'busy';
      const asking = ask(services, { repo, commit, path, key }).finally(() => underWay.delete(id));
      // A caller that stopped waiting for it meets its failure when asking again.
      asking.catch(() => undefined);
      underWay.set(id, asking);
    }
    const found = await waitFor(underWay.get(id) as Promise<StoredSource | FetchRefusal>, timers, longestWait);
    if (typeof found === 'string' && found !== 'unavailable') refusals.set(id, found);
    return found;
  };
}

async function ask(
  { hosts, providerSources, config, clock, logger }: Fetching,
  { repo, commit, path, key }: Parameters<FetchSource>[0] & { readonly key: string },
): Promise<StoredSource | FetchRefusal> {
  try {
    const asked = { repo: repo.name, commit, path, maxBytes: MAX_FETCHED };
    const found = await hosts.of(repo)?.provider?.readFile(asked);
    if (found === undefined) return 'not-found';
    if (found.kind === 'too-large') return 'too-large';
    const source = packText(found.bytes);
    if (source === undefined) return 'not-text';
    await providerSources.put({ repoId: repo.id, key, source, maxBytes: config.sourceCacheSize, at: clock.now() });
    return source;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logger.warn({ repo: repo.name, reason: error.message }, 'the git host returned no source text');
    return error.kind === 'permanent' ? 'refused' : 'unavailable';
  }
}

async function waitFor<T>(asking: Promise<T>, timers: Timers, longest: number): Promise<T | 'unavailable'> {
  try {
    return await createDeadline(timers, longest)(() => asking);
  } catch (error) {
    if (error instanceof DeadlineExceeded) return 'unavailable';
    throw error;
  }
}
