import type { Repo } from '../../core/repo/repo.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import type { FactStore } from '../../storage/store.ts';
import { type Deadline, DeadlineExceeded } from './deadline.ts';

export interface AskDeps {
  readonly facts: Pick<FactStore, 'find' | 'put'>;
  readonly providerOf: (repo: Repo) => Provider | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A question's outcome: the answer, which may be "there is no such thing", or none for now. */
export type Answer<T> = { readonly kind: 'answer'; readonly value: T | undefined } | Unavailable;

export interface Unavailable {
  readonly kind: 'unavailable';
  /** Why the provider denies us access, a sentence; undefined: it is unreachable or slow. */
  readonly refusal?: string | undefined;
}

/** A question to a repo's provider. `key`: the answer never changes, and is kept under it for all instances. */
export interface Question<T> {
  readonly repo: Repo;
  readonly key?: string;
  readonly ask: (provider: Provider) => Promise<T | undefined>;
  /** Whether an answer is kept; absent: every one is. */
  readonly keeps?: (value: T) => boolean;
  readonly deadline: Deadline;
}

export type AskProvider = <T>(question: Question<T>) => Promise<Answer<T>>;

/** What was answered, if anything was. */
export function answerOf<T>(answer: Answer<T>): T | undefined {
  return answer.kind === 'answer' ? answer.value : undefined;
}

/** Why access was denied; undefined: it was not. */
export function refusalOf(answer: Answer<unknown>): string | undefined {
  return answer.kind === 'unavailable' ? answer.refusal : undefined;
}

/** A repo without an adapter has a definite answer: nothing is known (rules.md, after rule 21). */
export function createAskProvider({ facts, providerOf, clock, logger }: AskDeps): AskProvider {
  return async ({ repo, key, ask, keeps = () => true, deadline }) => {
    const provider = providerOf(repo);
    if (provider === undefined) return { kind: 'answer', value: undefined };
    if (key !== undefined) {
      const known = await facts.find(repo.id, key);
      if (known !== undefined) return { kind: 'answer', value: known as Awaited<ReturnType<typeof ask>> };
    }
    try {
      const value = await deadline(() => ask(provider));
      if (key !== undefined && value !== undefined && keeps(value))
        await facts.put({ repoId: repo.id, key, value, at: clock.now() });
      return { kind: 'answer', value };
    } catch (error) {
      const about = { repo: repo.name, key };
      return readFailure(error, (reason, sentence) => logger.warn({ ...about, reason }, sentence));
    }
  };
}

function readFailure(error: unknown, warn: (reason: string, sentence: string) => void): Answer<never> {
  if (!(error instanceof ProviderFailure) && !(error instanceof DeadlineExceeded)) throw error;
  const isDenied = error instanceof ProviderFailure && error.accessDenied;
  if (error instanceof ProviderFailure && error.kind === 'permanent' && !isDenied) {
    // Waiting does not give the token a missing permission.
    warn(error.message, 'the provider refuses to answer; what needs no answer decides');
    return { kind: 'answer', value: undefined };
  }
  warn(error.message, 'the provider gave no answer; it is asked again later');
  return { kind: 'unavailable', refusal: isDenied ? error.message : undefined };
}
