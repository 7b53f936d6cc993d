import { describe, expect, test } from 'vitest';
import { createAddresses } from './addresses.ts';

const { file } = createAddresses(() => 'https://ci.example/base');
const at = (name: string, lines?: readonly [number, number]) =>
  file('github', 'acme/shop', { commit: 'abc', file: name, lines });
const PAGES = 'https://ci.example/base/github/acme/shop/commits/abc/file';

describe('the page of a file', () => {
  test.each<[string, readonly [number, number] | undefined, string]>([
    ['web/src/cart.js', undefined, '/web/src/cart.js'],
    ['web/src/cart.js', [12, 12], '/web/src/cart.js#L12'],
    ['web/src/cart.js', [12, 20], '/web/src/cart.js#L12-L20'],
    ['web/src/cart.js', [1001, 1002], '/web/src/cart.js?line=1001#L1001-L1002'],
    ['a b#1?/ü%.js', [3, 3], '/a%20b%231%3F/%C3%BC%25.js#L3'],
  ])('%s %j', (name, lines, path) => {
    expect(at(name, lines)).toBe(PAGES + path);
  });

  test.each(['../../../../builds/1', './a', '/etc/passwd', 'a//b', 'a/..'])('no name leads elsewhere: %s', (name) => {
    const { pathname } = new URL(at(name));
    expect(pathname.slice(0, pathname.lastIndexOf('/'))).toBe(new URL(PAGES).pathname);
    expect(decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1))).toBe(name);
  });

  test('a commit is a text of an upload', () => {
    expect(file('github', 'acme/shop', { commit: 'a/b#c\ud800', file: 'x' })).toBe(
      'https://ci.example/base/github/acme/shop/commits/a%2Fb%23c%EF%BF%BD/file/x',
    );
  });
});
