import { RecentMap } from '../core/recent-map.ts';
import type { FetchRefusal } from '../core/repo/no-text.ts';
import { createDeadline, DeadlineExceeded } from '../hosts/facts/deadline.ts';
import type { Clock } from '../platform/clock.ts';
import type { MinuteRate } from '../platform/limiter.ts';
import type { Logger } from '../platform/logger.ts';
import type { Timers } from '../platform/timers.ts';
import type { Hosts } from '../ports/host.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { FetchSource } from '../reports/fetch-source.ts';
import type { StoredSource } from '../reports/report-bytes.ts';
import type { ProviderSources } from '../storage/store.ts';

export interface FetchSourceDeps {
  readonly hosts: Hosts;
  readonly providerSources: ProviderSources;
  /** The stored form of a text; undefined for bytes that are none. */
  readonly packText: (bytes: Uint8Array) => StoredSource | undefined;
  readonly rate: Pick<MinuteRate, 'take'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Bytes of all texts of a repo that are kept; 0: the git host is never asked. */
  readonly maxKept: number;
}

/** Bytes of a file that is asked for; a larger one was hardly written by hand. */
const MAX_FETCHED = 4 * 2 ** 20;
const LONGEST_WAIT = 4_000;
/** Milliseconds for which a refusal is remembered, and how many are. */
const REFUSAL_HOLDS = 60_000;
const MAX_REFUSALS = 1_000;

/** A file's text from the store, else from the git host: several readers ask it once. */
export function createFetchSource(deps: FetchSourceDeps): FetchSource {
  const { hosts, providerSources, rate, timers, maxKept } = deps;
  const underWay = new Map<string, Promise<StoredSource | FetchRefusal>>();
  /** What was refused a short time ago is not asked again. */
  const refusals = new RecentMap<FetchRefusal>({ max: MAX_REFUSALS, lasts: REFUSAL_HOLDS, now: timers.elapsed });
  return async ({ repo, commit, path, longestWait = LONGEST_WAIT }) => {
    const provider = hosts.of(repo)?.provider;
    if (provider === undefined || maxKept === 0) return 'no-host';
    const key = `${commit}/${path}`;
    const id = `${repo.id}/${key}`;
    const known = refusals.get(id) ?? (await providerSources.find(repo.id, key));
    if (known !== undefined) return known;
    if (!underWay.has(id)) {
      if ((await rate.take('sources', 0)) !== undefined) return 'busy';
      const asking = ask(deps, { repo, commit, path, key }).finally(() => underWay.delete(id));
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
  { hosts, providerSources, packText, clock, logger, maxKept }: FetchSourceDeps,
  { repo, commit, path, key }: Parameters<FetchSource>[0] & { readonly key: string },
): Promise<StoredSource | FetchRefusal> {
  try {
    const asked = { repo: repo.name, commit, path, maxBytes: MAX_FETCHED };
    const found = await hosts.of(repo)?.provider?.readFile(asked);
    if (found === undefined) return 'not-found';
    if (found.kind === 'too-large') return 'too-large';
    const source = packText(found.bytes);
    if (source === undefined) return 'not-text';
    await providerSources.put({ repoId: repo.id, key, source, maxBytes: maxKept, at: clock.now() });
    return source;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logger.warn({ repo: repo.name, reason: error.message }, 'the provider gave no source text');
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
