import { describe, expect, test } from 'vitest';
import { findNameProblem, readRepoAddress } from './repo-name.ts';

describe('findNameProblem', () => {
  test.each([
    ['github', 'acme/app'],
    ['github', 'A.c_m~e-/a'],
    ['stash', '~alice/app'],
    ['manual', `${'a'.repeat(100)}/b`],
    ['gitlab', 'group/app'],
    ['gitlab', 'group/sub/deeper/app'],
  ] as const)('%s takes %s', (service, name) => {
    expect(findNameProblem(service, name)).toBeUndefined();
  });

  test.each([
    ['github', 'app', /<owner>\/<name>, not "app"/],
    ['github', 'a/b/c', /not "a\/b\/c"/],
    ['gitlab', 'app', /<subgroup>/],
    ['github', '', /not ""/],
    ['github', 'acme/', /the part "" is not/],
    ['github', '/app', /the part "" is not/],
    ['github', 'acme/..', /the part ".." is not/],
    ['github', './app', /the part "." is not/],
    ['github', 'acme/a b', /"a b"/],
    ['github', 'acme/é', /"é"/],
    ['github', 'acme/app\n', /"app\\n"/],
    ['github', 'acme/<img>', /"<img>"/],
    ['github', `acme/${'a'.repeat(101)}`, /100 letters/],
    ['gitlab', 'group//app', /the part "" is not/],
  ] as const)('%s refuses %j', (service, name, expected) => {
    expect(findNameProblem(service, name)).toMatch(expected);
  });
});

describe('readRepoAddress', () => {
  test('reads a well-formed address', () => {
    expect(readRepoAddress('gitlab', 'a/b/c')).toEqual({ service: 'gitlab', name: 'a/b/c' });
  });

  test.each([
    ['sourcehut', 'a/b'],
    ['GitHub', 'a/b'],
    ['constructor', 'a/b'],
    ['github', 'a'],
  ])('no repo can be %s %s', (service, name) => {
    expect(readRepoAddress(service, name)).toBeUndefined();
  });
});
