import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { sha } from '../../../../test/support/records.ts';
import { namesMergeCommit } from './merge-commit.ts';

const [HEAD, BASE] = [sha('a'), sha('b')];
const MESSAGE = `Merge ${HEAD} into ${BASE}`;

const { mergedBy } = GITHUB.terms;

describe('what a message says that it merges', () => {
  test.each([
    ['the subject alone', MESSAGE],
    ['with a body', `${MESSAGE}\n\nMore.`],
  ])('%s', (_, message) => {
    expect(mergedBy(message)).toEqual({ head: HEAD, base: BASE });
  });

  test('shas of 64 digits', () => {
    const [head, base] = ['a'.repeat(64), 'b'.repeat(64)];
    expect(mergedBy(`Merge ${head} into ${base}`)).toEqual({ head, base });
  });

  test.each([
    ['nothing', ''],
    ['a merged branch', "Merge branch 'main' into feat/x"],
    ['a merged pull request', 'Merge pull request #7 from acme/feat'],
    ['shortened shas', 'Merge aaaaaaa into bbbbbbb'],
    ['not at the beginning', `Revert "${MESSAGE}"`],
    ['on a later line', `Fix\n${MESSAGE}`],
  ])('%s names no merge commit', (_, message) => {
    expect(mergedBy(message)).toBeUndefined();
  });
});

describe('rule 21: two parents and a message that merges the second into the first', () => {
  test.each([
    ['both fit', [BASE, HEAD], MESSAGE, true],
    ['parents the other way round', [HEAD, BASE], MESSAGE, false],
    ['one parent', [BASE], MESSAGE, false],
    ['three parents', [BASE, HEAD, sha('d')], MESSAGE, false],
    ['another head', [BASE, sha('d')], MESSAGE, false],
    ['another base', [sha('d'), HEAD], MESSAGE, false],
    ['another message', [BASE, HEAD], 'Merge branch main', false],
  ])('%s: %s', (_, parents, message, expected) => {
    expect(namesMergeCommit({ parents, message }, GITHUB.terms)).toBe(expected);
  });
});
