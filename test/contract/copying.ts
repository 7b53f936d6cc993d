import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { copyStore, type KindComparison, type StoreCopy } from '../../server/src/storage/copy/copy-store.ts';
import { openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { openArchives } from '../../server/src/storage/open/open-archive.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { accept, bytes, hex, putRepo } from './records.ts';

/** Small, so that there are many batches. */
export const LIMITS = { entries: 3, bytes: 1_000_000 };

/** The database files of a suite; their directory goes with it. */
export function copyFiles(): { readonly next: () => string } {
  let directory = '';
  let files = 0;
  beforeAll(async () => {
    directory = await makeDataFolder('coverage-copies-');
  });
  afterAll(() => rm(directory, { recursive: true }));
  return {
    next: () => {
      files += 1;
      return `sqlite:${join(directory, `${files}.db`)}`;
    },
  };
}

/** A store with one repo. */
export async function putStore(url: string): Promise<string> {
  const store = await openStore({ url });
  const repo = await putRepo(store);
  await accept(store, repo.id, {}, { sources: [{ digest: hex(1, 64), bytes: bytes('source') }] });
  await store.close();
  return url;
}

/** A whole copy, as the command makes it; `change` may put something between it and its stores. */
export async function copy(
  { from, to }: { readonly from: string; readonly to: string },
  change: (copy: StoreCopy) => StoreCopy = (plain) => plain,
): Promise<readonly KindComparison[]> {
  const { close, ...archives } = await openArchives({ from, to });
  try {
    return await copyStore(change({ ...archives, limits: LIMITS }));
  } finally {
    await close();
  }
}

/** Opens a store for one question. `now`: what time it is for a store that goes by its own clock. */
export async function ask<T>(url: string, now: number, question: (store: Store) => Promise<T>): Promise<T> {
  const serverTime = () => ({ $literal: new Date(now) });
  const store = url.startsWith('sqlite:') ? await openStore({ url }) : await openMongoStore({ url, serverTime });
  try {
    return await question(store);
  } finally {
    await store.close();
  }
}

/** What the target holds, to be compared with another target's. */
export function digestsOf(comparisons: readonly KindComparison[]) {
  return comparisons.map(({ kind, to }) => ({ kind, ...to }));
}

export function isEqual(comparisons: readonly KindComparison[]): boolean {
  return comparisons.length > 0 && comparisons.every((one) => one.isEqual);
}
