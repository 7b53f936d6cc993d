import { expect, test } from 'vitest';
import { readRemotes } from './git-remotes.ts';

const read = (...urls: readonly unknown[]) => readRemotes(urls.map((url) => ({ name: 'origin', url })));

test.each([
  ['https://github.com/acme/shop.git', 'https://github.com/acme/shop.git'],
  ['https://user:ghp_secret@git.example/acme/shop', 'https://git.example/acme/shop'],
  ['https://ghp_secret@git.example:8443/acme/shop?private_token=x#y', 'https://git.example:8443/acme/shop'],
  ['ssh://git:secret@git.example/acme/shop', 'ssh://git.example/acme/shop'],
  ['git@github.com:acme/shop.git', 'ssh://github.com/acme/shop.git'],
])('%s is kept as %s', (url, kept) => {
  expect(read(url)).toBe(kept);
});

test.each([
  ['/home/ci/shop'],
  ['C:\\ci\\shop'],
  ['file:///home/ci/shop'],
  ['javascript:alert(1)'],
  ['https://git.example/a@b'],
  [`https://git.example/${'x'.repeat(300)}`],
  [7],
  [null],
])('%s is left out', (url) => {
  expect(read(url)).toBeUndefined();
});

test('five are kept, each once', () => {
  const urls = Array.from({ length: 9 }, (_, index) => `https://git.example/${Math.floor(index / 2)}`);
  expect(read(...urls)).toBe('https://git.example/0 https://git.example/1 https://git.example/2');
  for (const odd of [undefined, null, {}, 'x', [], [7, null, {}]]) expect(readRemotes(odd)).toBeUndefined();
});
