import { describe, expect, test } from 'vitest';
import { readCodeOwners } from './code-owners.ts';

/** The examples of GitHub's own documentation of CODEOWNERS. */
const GITHUB = `
# Each line is a file pattern followed by one or more owners.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs-direct@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`;

describe("GitHub's examples", () => {
  const ownersOf = readCodeOwners(GITHUB);

  test.each([
    ['README.md', ['@global-owner1', '@global-owner2']],
    ['src/deep/a.js', ['@js-owner']],
    ['main.go', ['docs@example.com']],
    ['a/b.txt', ['@octo-org/octocats']],
    ['docs/getting-started.md', ['@doctocat']],
    ['docs/build-app/troubleshooting.md', ['@doctocat']],
    ['src/apps/x/y.c', ['@octocat']],
    ['scripts/a.sh', ['@doctocat', '@octocat']],
    ['deeply/nested/logs/x', ['@octocat']],
    ['build/logs', ['@octocat']],
    ['apps/web/a', ['@octocat']],
    ['apps/github', []],
    ['apps/github/a', []],
  ])('%s: %j', (path, owners) => expect(ownersOf(path)).toEqual(owners));
});

test('docs/* fits the folder alone, and docs/ all that is below a folder of that name', () => {
  const ofFolder = readCodeOwners('docs/* @a');
  expect([ofFolder('docs/a.md'), ofFolder('docs/b/a.md'), ofFolder('x/docs/a.md')]).toEqual([['@a'], [], []]);
  const anywhere = readCodeOwners('docs/ @a');
  expect([anywhere('docs/a.md'), anywhere('x/docs/b/a.md'), anywhere('docs')]).toEqual([['@a'], ['@a'], []]);
});

test('the last pattern that matches decides, also one without owners', () => {
  const ownersOf = readCodeOwners('* @all\n/src/ @src\n/src/gen/\n/src/gen/kept.ts @kept @kept');
  expect(['a', 'src/a', 'src/gen/a', 'src/gen/kept.ts'].map(ownersOf)).toEqual([['@all'], ['@src'], [], ['@kept']]);
});

test('lines that GitHub does not take are skipped; blanks and braces stand for themselves', () => {
  const ownersOf = readCodeOwners(
    [
      '* @all',
      '!src/ @a',
      '/[ab]/ @a',
      '/x/ nobody',
      '/my\\ file.ts @blank',
      '/a{b}.ts @brace',
      '#x @a',
      '  ',
      '\\#x',
    ].join('\r\n'),
  );
  expect(['src/a', 'a/b', 'x/y', 'my file.ts', 'a{b}.ts'].map(ownersOf)).toEqual([
    ['@all'],
    ['@all'],
    ['@all'],
    ['@blank'],
    ['@brace'],
  ]);
});

test('names are told apart by their case', () => {
  expect(readCodeOwners('/Docs/ @a')('docs/a')).toEqual([]);
});
