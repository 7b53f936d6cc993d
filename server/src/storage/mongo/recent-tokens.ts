import { setTimeout as sleep } from 'node:timers/promises';
import { RecentMap } from '../../core/recent-map.ts';
import type { RepoDocument } from './documents.ts';

/** What an upload is identified by. */
export type TokenHolder = Pick<RepoDocument, 'record' | 'tokens'>;

/**
 * Repos by the tokens of uploads that came a moment ago, so that a repo that sends many asks once for them. A token
 * that is taken back counts nowhere once that is confirmed: the confirmation waits until no server can remember it.
 */
export interface RecentTokens {
  find(lookups: readonly string[]): TokenHolder | undefined;
  /** `asked`: by performance.now(), before the database was asked. */
  note(lookups: readonly string[], holder: TokenHolder, asked: number): void;
  /** What this process changes counts at once for its own uploads. */
  forget(): void;
  /** Resolves when no server remembers any more what a write has taken back. */
  untilForgotten(): Promise<void>;
}

/** In ms. It is part of what the servers of one database agree on: never make it longer without a new schema. */
const AGE = 250;
/** Timers may be early. */
const MARGIN = 50;
const MAX_TOKENS = 1_000;

export function createRecentTokens(): RecentTokens {
  const create = () => new RecentMap<{ readonly holder: TokenHolder; readonly until: number }>({ max: MAX_TOKENS });
  let recent = create();
  let forgottenAt = Number.NEGATIVE_INFINITY;
  const forget = (): void => {
    recent = create();
    forgottenAt = performance.now();
  };
  return {
    find(lookups) {
      const known = recent.get(keyOf(lookups));
      return known !== undefined && known.until > performance.now() ? known.holder : undefined;
    },
    note(lookups, holder, asked) {
      // What was asked for before may be as it was before the change.
      if (asked > forgottenAt) recent.set(keyOf(lookups), { holder, until: asked + AGE });
    },
    forget,
    async untilForgotten() {
      forget();
      await sleep(AGE + MARGIN);
    },
  };
}

function keyOf(lookups: readonly string[]): string {
  return lookups.join(' ');
}
