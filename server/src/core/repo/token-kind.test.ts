import { expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { listHosts } from './git-host.ts';
import { describeToken } from './token-kind.ts';

test.each([
  ['', 'an empty text'],
  [`cvr_${'a'.repeat(43)}`, 'a repo token of this service'],
  [`cvp_${'a'.repeat(43)}`, 'a personal token of this service'],
  ['ghp_abc', 'a GitHub personal token'],
  ['ghs_abc', 'a GitHub token'],
  ['github_pat_abc', 'a GitHub fine-grained token'],
  ['eyJhbGciOi.eyJ.x', 'a JSON web token'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text that a broken workflow sends
  ['${{ secrets.COVERALLS }}', 'the name of a variable that was not replaced'],
  ['$COVERALLS_REPO_TOKEN', 'the name of a variable that was not replaced'],
  ['0123456789abcdef0123456789abcdef', 'a token of another kind'],
  ['hm?', 'a text that is no token of this service'],
])('%j is %s', (token, expected) => {
  expect(describeToken(token, listHosts([GITHUB]))).toBe(expected);
});
