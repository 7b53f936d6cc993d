import { expect, test } from 'vitest';
import { nextTurn } from './turns.ts';

test('pieces of work come one by one, in order, with a turn for others between them', async () => {
  const seen: string[] = [];
  const work = async (name: string): Promise<void> => {
    await nextTurn();
    seen.push(name);
    setImmediate(() => seen.push(`another after ${name}`));
  };
  await Promise.all([work('a'), work('b'), work('c')]);
  expect(seen).toEqual(['a', 'another after a', 'b', 'another after b', 'c']);
});
