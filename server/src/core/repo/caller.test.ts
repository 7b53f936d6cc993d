import { describe, expect, test } from 'vitest';
import { type Caller, mayAdminister, mayRead, mayReadEmails, mayReadSource } from './caller.ts';
import { DEFAULT_REPO_SETTINGS } from './settings.ts';

const hidden = { id: 7, owner: 'alice', settings: DEFAULT_REPO_SETTINGS };
const open = { ...hidden, settings: { ...DEFAULT_REPO_SETTINGS, visibility: 'public' } } as const;

const callers: Record<string, Caller> = {
  owner: { kind: 'user', user: 'alice', role: 'user' },
  stranger: { kind: 'user', user: 'bob', role: 'user' },
  administrator: { kind: 'user', user: 'carol', role: 'administrator' },
  'own token': { kind: 'repo', repoId: 7 },
  'other token': { kind: 'repo', repoId: 8 },
  nobody: { kind: 'anonymous' },
};

describe.each([
  ['owner', true, true],
  ['administrator', true, true],
  ['stranger', false, false],
  ['own token', true, false],
  ['other token', false, false],
  ['nobody', false, false],
])('%s', (who, reads, administers) => {
  const caller = callers[who] as Caller;

  test('e-mail addresses: as a private repo, though it is public', () =>
    expect(mayReadEmails(caller, open)).toBe(reads));

  test('of a private repo', () => {
    expect(mayRead(caller, hidden)).toBe(reads);
    expect(mayAdminister(caller, hidden)).toBe(administers);
  });

  test('of a public repo', () => {
    expect(mayRead(caller, open)).toBe(true);
    expect(mayAdminister(caller, open)).toBe(administers);
  });
});

const bob = { kind: 'user', user: 'bob', role: 'user' } as const;
const other = { ...hidden, id: 8 };

test.each([
  ['a reader of it', { ...bob, grants: [{ repoId: 7, role: 'reader' }] }, [true, true, true, false]],
  ['its maintainer', { ...bob, grants: [{ repoId: 7, role: 'maintainer' }] }, [true, true, true, true]],
  [
    'a reader and maintainer',
    {
      ...bob,
      grants: [
        { repoId: 7, role: 'reader' },
        { repoId: 7, role: 'maintainer' },
      ],
    },
    [true, true, true, true],
  ],
  [
    'anybody who has a share link',
    { kind: 'anonymous', shares: [{ repoId: 7, source: false }] },
    [true, false, false, false],
  ],
  ['one with source', { ...bob, shares: [{ repoId: 7, source: true }] }, [true, true, false, false]],
] as const)('%s reads, reads source and e-mails, and administers: in that repo alone', (_, caller, rights) => {
  const rightsIn = (repo: typeof hidden): readonly boolean[] => [
    mayRead(caller, repo),
    mayReadSource(caller, repo),
    mayReadEmails(caller, repo),
    mayAdminister(caller, repo),
  ];
  expect(rightsIn(hidden)).toEqual(rights);
  expect(rightsIn(other)).toEqual([false, false, false, false]);
});
