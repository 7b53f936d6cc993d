import { readFile } from 'node:fs/promises';
import type { Docs } from '../pages/docs-page.tsx';

/** Created by scripts/bundle-docs.ts; the same place whether the server runs from its sources or built. */
const BUILT = new URL('../../../dist/docs.json', import.meta.url);

/** Reads them when they are first asked for: they are 1 MB. Undefined if they were not built. */
export function createDocsReader(path = BUILT): () => Promise<Docs | undefined> {
  let reading: Promise<Docs | undefined> | undefined;
  return () => {
    reading ??= readFile(path, 'utf8').then(
      (text) => JSON.parse(text) as Docs,
      () => {
        reading = undefined;
        return undefined;
      },
    );
    return reading;
  };
}
