import { expect, it } from 'vitest';
import { createCountBuilds } from './count-builds.ts';

it('counts the old builds of a repo again only after they changed, and the newest each time', async () => {
  const counted: object[] = [];
  let changes = 0;
  let last = 6_000;
  const countBuilds = createCountBuilds({
    look: async () => ({ last, changes }),
    async count(_, range) {
      counted.push(range);
      const { above = 0, upTo = last } = range;
      return upTo - above;
    },
  });
  expect(await countBuilds(1)).toBe(6_000);
  expect(counted.splice(0)).toEqual([{ upTo: 5_000 }, { above: 5_000 }]);
  last = 6_001;
  expect(await countBuilds(1)).toBe(6_001);
  expect(counted.splice(0)).toEqual([{ above: 5_000 }]);
  changes = 1;
  await countBuilds(1);
  expect(counted.splice(0)).toEqual([{ upTo: 5_001 }, { above: 5_001 }]);
  last = 11_000;
  await countBuilds(1);
  expect(counted.splice(0)).toEqual([{ upTo: 10_000 }, { above: 10_000 }]);
  last = 5_000;
  expect(await countBuilds(2)).toBe(5_000);
  expect(counted).toEqual([{}]);
});
