import { expect, test } from 'vitest';
import { GITHUB_TOKENS } from './tokens.ts';

test.each([
  ['ghs_abc', 'installation'],
  ['ghs_123_eyJhbGciOi.eyJpc3Mi.c2ln', 'installation'],
  ['ghp_abc', 'person'],
  ['gho_abc', 'person'],
  ['ghu_abc', 'person'],
  ['github_pat_abc', 'person'],
  ['ghr_abc', undefined],
  ['glpat-abc', undefined],
  ['0123456789abcdef0123456789abcdef01234567', undefined],
  ['ghs_a b', undefined],
  ['ghs_a\r\nx-injected: 1', undefined],
  ['ghp_ü', undefined],
  [`ghp_${'a'.repeat(1_000)}`, undefined],
  ['', undefined],
])('%j: %s', (token, kind) => {
  expect(GITHUB_TOKENS.kindOf(token)).toBe(kind);
});
