import type { FailureCode } from '../core/failure.ts';
import type { RepoService } from '../core/repo/repo.ts';
import type { ProviderFailureKind } from '../ports/provider.ts';
import type { StoreMeasure } from '../storage/store-measure.ts';

/** What is counted while the server runs. Nothing in it is a name that a caller chose: each makes a series. */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void;
  /** A build was closed, or looked at again. */
  closeEnded(close: Ended): void;
  providerCalled(call: ProviderCall): void;
}

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern, such as `/builds/:id`; undefined: none took it. */
  readonly route: string | undefined;
  readonly status: number;
  /** Undefined: it did not fail. */
  readonly failure: FailureCode | undefined;
  readonly seconds: number;
}

export interface Ended {
  readonly seconds: number;
  readonly failed: boolean;
}

export interface ProviderCall {
  readonly provider: RepoService;
  /** For the Provider port. */
  readonly operation: string;
  /** `error`: it threw what no provider may throw. */
  readonly outcome: 'ok' | ProviderFailureKind | 'error';
  readonly seconds: number;
}

/** What is read when the metrics are asked for. */
export interface Measures {
  store(): Promise<StoreMeasure>;
  queues(): readonly QueueLoad[];
  threads(): Promise<ThreadMemory>;
}

/** Tasks for threads of one kind. */
export interface QueueLoad {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
}

/** For all threads together, in bytes. */
export interface ThreadMemory {
  readonly threads: number;
  readonly heap: number;
  /** Outside of the heaps, as reports are. */
  readonly external: number;
}
