import type { Fault } from './faults.ts';

/** One request as it arrived and what became of it. */
export interface LoggedRequest {
  readonly index: number;
  /** ms since 1970. */
  readonly at: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** By lower-case name, without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; text where it was none; undefined without a body. */
  readonly body: unknown;
  /** The status that was answered; undefined while none was, and for cut and hanging connections forever. */
  readonly status: number | undefined;
  /** The fault it met. */
  readonly fault: Fault['kind'] | undefined;
  /** Whether the operation ran, whatever the caller was answered. */
  readonly processed: boolean;
  /** The caller waits for an answer that never comes. */
  readonly hangs: boolean;
}

/** What requests cost. */
export interface RequestCounts {
  /** All that arrived. */
  readonly calls: number;
  /** Among them those answered 304, which take nothing from the hour's budget. */
  readonly notModified: number;
  /** By method and path without ids and query, such as `GET /repos/{}/{}/pulls/{}`. */
  readonly byPlace: ReadonlyMap<string, number>;
}

/** Counts requests: all of a log, or a part of it. */
export function countRequests(requests: readonly LoggedRequest[]): RequestCounts {
  const byPlace = new Map<string, number>();
  for (const { method, path } of requests) {
    const place = `${method} ${placeOf(path)}`;
    byPlace.set(place, (byPlace.get(place) ?? 0) + 1);
  }
  return { calls: requests.length, notModified: requests.filter(({ status }) => status === 304).length, byPlace };
}

function placeOf(path: string): string {
  return path
    .replace(/\?.*$/, '')
    .replace(/\/repos\/[^/]+\/[^/]+/, '/repos/{}/{}')
    .replace(/\/compare\/.*$/, '/compare/{}')
    .replace(/\/([0-9a-f]{40,64}|\d+)(?=\/|$)/g, '/{}');
}

export interface RequestLog {
  /** Notes an arrival; answers its index. */
  arrived(request: Pick<LoggedRequest, 'at' | 'method' | 'path' | 'headers' | 'body'>): number;
  became(index: number, fate: Partial<Pick<LoggedRequest, 'status' | 'fault' | 'processed' | 'hangs'>>): void;
  all(): readonly LoggedRequest[];
}

export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    arrived(request) {
      const index = entries.length;
      entries.push({ ...request, index, status: undefined, fault: undefined, processed: false, hangs: false });
      return index;
    },
    became(index, fate) {
      const entry = entries[index];
      if (entry) entries[index] = { ...entry, ...fate };
    },
    all: () => [...entries],
  };
}
