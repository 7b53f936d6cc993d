import { ProviderFailure } from '../../ports/provider.ts';
import { type HostWords, notHost } from './sentences.ts';

/** One thing that is asked of a host, in the words that failures need. */
export interface Operation {
  readonly host: HostWords;
  /** Changes something there: an unknown outcome must be read back before it is repeated (rule 27). */
  readonly writes: boolean;
  /** Completes "when asked to". */
  readonly task: string;
  /** What a 404 means here, and what to do. */
  readonly notFound: string;
  /** What the token lacks where the answer is 403; undefined: what setting statuses needs. */
  readonly needs?: string;
}

export function operationsOf(host: HostWords) {
  return {
    write: (task: string, notFound: string): Operation => ({ host, writes: true, task, notFound }),
    question: (task: string, notFound: string): Operation => ({ host, writes: false, task, notFound }),
  };
}

/** An answer cut short, or from something else than the host. */
export function unexpectedAnswer({ host, writes, task }: Operation): ProviderFailure {
  return new ProviderFailure(writes ? 'uncertain' : 'transient', notHost(host, task));
}
