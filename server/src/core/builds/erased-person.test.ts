import { expect, test } from 'vitest';
import { eraseFromCommit } from './erased-person.ts';

const NOBODY = { authorName: undefined, authorEmail: undefined, committerName: undefined, committerEmail: undefined };
const person = { names: [], emails: ['ann@x.example'] };

test('a commit of others stays the same object', () => {
  const facts = { authors: { ...NOBODY, authorName: 'Ann', authorEmail: 'ann@x.example.org' }, message: 'Ann.' };
  expect(eraseFromCommit(facts, person)).toBe(facts);
  expect(eraseFromCommit({ authors: NOBODY, message: undefined }, person)).toEqual({
    authors: NOBODY,
    message: undefined,
  });
});

test('author and committer are two people', () => {
  const authors = {
    authorName: 'Ann',
    authorEmail: 'ANN@x.example',
    committerName: 'Bo',
    committerEmail: 'b@x.example',
  };
  expect(eraseFromCommit({ authors, message: 'Add it' }, person)).toEqual({
    authors: { ...NOBODY, committerName: 'Bo', committerEmail: 'b@x.example' },
    message: 'Add it',
  });
  const swapped = {
    authorName: 'Bo',
    authorEmail: 'b@x.example',
    committerName: 'Ann',
    committerEmail: 'Ann@X.example',
  };
  expect(eraseFromCommit({ authors: swapped, message: undefined }, person).authors).toEqual({
    ...NOBODY,
    authorName: 'Bo',
    authorEmail: 'b@x.example',
  });
});

test('lines of the message that hold the address go, whatever the line is', () => {
  const message = 'Add it\n\nSigned-off-by: Ann <Ann@x.example>\nReviewed-by: Bo <b@x.example>';
  expect(eraseFromCommit({ authors: NOBODY, message }, person).message).toBe('Add it\n\nReviewed-by: Bo <b@x.example>');
  expect(eraseFromCommit({ authors: NOBODY, message: 'ann@x.example' }, person).message).toBeUndefined();
});
