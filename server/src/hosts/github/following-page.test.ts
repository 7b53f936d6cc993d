import { expect, test } from 'vitest';
import { followingPage, lastPage } from './following-page.ts';

const link = (relations: Record<string, number>): string =>
  Object.entries(relations)
    .map(
      ([relation, page]) =>
        `<https://api.github.com/repositories/1/issues/7/comments?per_page=100&page=${page}>; rel="${relation}"`,
    )
    .join(', ');

test.each([
  ['', undefined],
  [link({ next: 2, last: 34 }), 34],
  [link({ prev: 1, first: 1 }), undefined],
  ['<https://x/?page=3&per_page=100>; rel="last"', 3],
  ['<https://x/?per_page=100>; rel="last"', undefined],
  ['nonsense', undefined],
  ['<https://x/?page=3>; rel="next"', undefined],
  [`<${'&page=0"'.repeat(20_000)}`, undefined],
  [`${'<&page=0>'.repeat(20_000)}, <https://x/?page=3>; rel="last"`, 3],
])('the last page of %j is %s', (header, expected) => {
  expect(lastPage(header)).toBe(expected);
});

test.each([
  [1, 5, [1, 5, 4, 3, 2]],
  [1, 2, [1, 2]],
  [1, 1, [1]],
])('from page %d of %d: %j', (first, last, expected) => {
  const read: number[] = [];
  for (let page: number | undefined = first; page !== undefined; page = followingPage({ page, last, link: '' }))
    read.push(page);
  expect(read).toEqual(expected);
});

test('without a last page the next one leads on', () => {
  expect(followingPage({ page: 4, last: undefined, link: link({ prev: 3, next: 5 }) })).toBe(5);
  expect(followingPage({ page: 4, last: undefined, link: link({ prev: 3 }) })).toBeUndefined();
});
