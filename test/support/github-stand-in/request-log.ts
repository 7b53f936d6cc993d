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
  /** The status that was answered; undefined while none was, and for cut and hanging connections for ever. */
  readonly status: number | undefined;
  /** The fault it met. */
  readonly fault: Fault['kind'] | undefined;
  /** Whether the operation ran, whatever the caller was told. */
  readonly processed: boolean;
}

export interface RequestLog {
  /** Notes an arrival; answers its index. */
  arrived(request: Pick<LoggedRequest, 'at' | 'method' | 'path' | 'headers' | 'body'>): number;
  became(index: number, fate: Partial<Pick<LoggedRequest, 'status' | 'fault' | 'processed'>>): void;
  all(): readonly LoggedRequest[];
}

export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    arrived(request) {
      const index = entries.length;
      entries.push({ ...request, index, status: undefined, fault: undefined, processed: false });
      return index;
    },
    became(index, fate) {
      const entry = entries[index];
      if (entry) entries[index] = { ...entry, ...fate };
    },
    all: () => [...entries],
  };
}
