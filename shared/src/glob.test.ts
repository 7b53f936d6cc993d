import { describe, expect, test } from 'vitest';
import { isGlob, parseGlob } from './glob.ts';

describe('matches', () => {
  test.each([
    ['lcov.info', 'lcov.info'],
    ['./lcov.info', 'lcov.info'],
    ['*.info', 'a.info'],
    ['**/lcov.info', 'lcov.info'],
    ['**/lcov.info', 'a/b/lcov.info'],
    ['packages/*/coverage/lcov.info', 'packages/x/coverage/lcov.info'],
    ['out/**', 'out/a/b.xml'],
    ['a/**/b', 'a/b'],
    ['a/**/b', 'a/x/y/b'],
    ['*', '.nyc_output'],
    ['cov?.xml', 'cov1.xml'],
    ['cov[0-9].xml', 'cov7.xml'],
    ['cov[!0-9].xml', 'covx.xml'],
    ['{lcov,cov*}.{info,xml}', 'coverage.xml'],
    ['a+b(c).info', 'a+b(c).info'],
    ['a{b', 'a{b'],
    ['/abs/*.info', '/abs/x.info'],
    ['a/**/**/c', 'a/c'],
    ['{a,{b,c}d}?', 'cde'],
    ['{a', '{a'],
    ['{a,b', '{a,b'],
    ['a}', 'a}'],
    ['[]a]', ']'],
    ['[]', '[]'],
    ['a][', 'a]['],
    ['[a-]', '-'],
    ['[[]', '['],
    ['**', 'a/b'],
    ['{a*,b}*c', 'abcc'],
  ])('%s: %s', (pattern, path) => expect(parseGlob(pattern).matches(path)).toBe(true));
});

describe('does not match', () => {
  test.each([
    ['*.info', 'a/b.info'],
    ['lcov.info', 'lcovXinfo'],
    ['cov?.xml', 'cov/.xml'],
    ['cov[!0-9].xml', 'cov7.xml'],
    ['cov[!x]a', 'cov/a'],
    ['packages/*/lcov.info', 'packages/a/b/lcov.info'],
    ['{a,b}.info', 'c.info'],
    ['*.info', 'a.info.bak'],
    ['a/**', 'a'],
    ['a/**/b', 'a/xb'],
    ['[z-a]', 'm'],
    ['[!a-c]', 'b'],
  ])('%s: %s', (pattern, path) => expect(parseGlob(pattern).matches(path)).toBe(false));
});

test.each([
  ['**/x', ''],
  ['a/b/*.xml', 'a/b'],
  ['a/b*/c/d', 'a'],
  ['/abs/x/**', '/abs/x'],
  ['/*.xml', '/'],
])('%s begins in %j', (pattern, folder) => expect(parseGlob(pattern).folder).toBe(folder));

test('what asks for more than one path', () => {
  expect(['a*', 'a?', 'a[b]', '{a}'].every(isGlob)).toBe(true);
  expect(isGlob('a/b (c).info')).toBe(false);
});

test('no pattern goes back over a name for each of its stars', () => {
  expect(parseGlob(`${'*a'.repeat(30)}b`).matches('a'.repeat(5_000))).toBe(false);
  expect(parseGlob(`${'**/a/'.repeat(30)}b`).matches('a/'.repeat(2_000))).toBe(false);
  expect(parseGlob(`${'{a,aa,*}'.repeat(20)}b`).matches('a'.repeat(2_000))).toBe(false);
});
