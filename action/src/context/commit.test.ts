import { expect, test } from 'vitest';
import { parseCommit } from './commit.ts';

test('a merge with a signature and a message of several paragraphs', () => {
  const text = [
    'tree 1',
    'parent aaa',
    'parent bbb',
    'author Zoë <Q> Ä <zoe@example.com> 1700000000 +0100',
    'committer GitHub <noreply@github.com> 1700000001 -0000',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' parent ccc',
    ' -----END PGP SIGNATURE-----',
    '',
    'Merge bbb into aaa',
    '',
    'author nobody',
    '',
  ].join('\n');
  expect(parseCommit(text)).toEqual({
    parents: ['aaa', 'bbb'],
    authorName: 'Zoë <Q> Ä',
    authorEmail: 'zoe@example.com',
    committerName: 'GitHub',
    committerEmail: 'noreply@github.com',
    message: 'Merge bbb into aaa\n\nauthor nobody',
  });
});

test('an author without a name or with none that can be read', () => {
  expect(parseCommit('author  <> 1 +0000\ncommitter broken\n\nx\n')).toEqual({
    parents: [],
    authorName: '',
    authorEmail: '',
    message: 'x',
  });
});

test('no message', () => {
  expect(parseCommit('tree 1\n')).toEqual({ parents: [], message: '' });
});

test('an author of nothing but opening brackets is read once', () => {
  expect(parseCommit(`author ${'<'.repeat(200_000)}><> 0 +000\n\nx`)).toEqual({ parents: [], message: 'x' });
});
