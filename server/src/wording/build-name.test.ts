import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../test/support/hosts.ts';
import { aBuild, providerFacts, sha } from '../../../test/support/records.ts';
import type { Build } from '../core/builds/build.ts';
import type { BuildFacts } from '../core/builds/build-facts.ts';
import { refOf, subjectOf, titleOf } from './build-name.ts';

const titled = (title: string): BuildFacts =>
  providerFacts({
    pull: {
      headCommit: sha('a'),
      baseBranch: 'main',
      state: 'open',
      title,
      merged: false,
      landedCommit: undefined,
      fromFork: false,
    },
  });

describe('what people know a build by', () => {
  test.each<[string, Partial<Build>, string]>([
    ['its pull request’s title', { facts: titled('Take <coupons>'), message: 'x', pullRequest: 7 }, 'Take <coupons>'],
    ['else its commit’s first line', { facts: titled(''), message: ' Sell tea\r\n\r\nand more' }, 'Sell tea'],
    ['else its pull request', { message: '\n', pullRequest: 7 }, 'Pull request #7'],
    [
      'not the merge that its git host made for the test',
      { message: `Merge ${sha('a')} into ${sha('b')}`, pullRequest: 7 },
      'Pull request #7',
    ],
    ['else its commit', {}, 'ccccccc'],
    ['else its number, as the last resort', { commit: undefined }, 'build 71'],
    ['hidden characters are written out', { message: 'a\u202eb' }, 'a\\u202eb'],
  ])('%s', (_, stated, title) => {
    expect(titleOf(aBuild(stated), GITHUB.terms)).toBe(title);
  });

  test('a commit that is no sha keeps more of itself', () => {
    expect(refOf(aBuild({ commit: 'release-2026-11' }))).toBe('release-2026-11');
    expect(subjectOf(aBuild({ message: `${'x'.repeat(300)}` }), GITHUB.terms)).toHaveLength(200);
  });
});
