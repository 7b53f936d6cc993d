import { describe, expect, test } from 'vitest';
import { aDiff } from '../../../test/support/diffs.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import type { Answer } from './ask-provider.ts';
import { chooseDiff, createReadSentDiff } from './sent-diff.ts';

const whole: Diff = { files: [aDiff('a.ts', ['add'])], complete: true };
const blind: Diff = { files: [aDiff('a.ts', [], { complete: false })], complete: true };
const cut: Diff = { ...whole, complete: false };
/** Every line of it is gone: its hunks are not needed. */
const gone: Diff = { files: [aDiff('a.png', [], { kind: 'removed', complete: false })], complete: true };
const answer = (value: Diff | undefined): Answer<Diff> => ({ kind: 'answer', value });
const LACKING: Answer<Diff> = { kind: 'lacking' };

describe('whose word counts', () => {
  test.each<[string, Answer<Diff>, Diff | undefined, 'provider' | 'upload', boolean]>([
    ['the provider tells everything', answer(whole), structuredClone(whole), 'provider', false],
    ['the provider tells all that matters', answer(gone), structuredClone(whole), 'provider', false],
    ['the provider leaves a file open', answer(blind), whole, 'upload', false],
    ['so does the upload', answer(blind), structuredClone(blind), 'provider', false],
    ['the provider’s list is cut', answer(cut), whole, 'upload', false],
    ['so is the upload’s', answer(cut), structuredClone(cut), 'provider', false],
    ['the provider knows nothing', answer(undefined), cut, 'upload', false],
    ['nor does the upload', answer(undefined), undefined, 'provider', false],
    ['the provider is away', LACKING, whole, 'upload', false],
    ['the provider is away, and the upload’s list is cut', LACKING, cut, 'upload', true],
    ['the provider is away, and no upload tells', LACKING, undefined, 'provider', true],
  ])('%s', async (_, told, sent, source, lacking) => {
    const found = await chooseDiff(told, async () => sent);
    expect(found).toMatchObject({ source, lacking });
    expect(found.diff).toBe(source === 'upload' ? sent : told.kind === 'answer' ? told.value : undefined);
  });

  test('the upload’s is not even read where the provider tells everything', async () => {
    await chooseDiff(answer(whole), () => expect.unreachable());
    expect(await chooseDiff(LACKING, undefined)).toEqual({ diff: undefined, source: 'provider', lacking: true });
  });
});

test('a sent diff is read from where the job was stored; what is gone is none', async () => {
  const bytes = Uint8Array.of(1);
  const read = createReadSentDiff({
    jobs: { source: async (repoId, digest) => (repoId === 5 && digest === 'diff-1' ? { digest, bytes } : undefined) },
    engine: { readDiff: async (stored) => (stored === bytes ? whole : undefined) },
  });
  const diff = { base: 'b', head: 'a', digest: 'diff-1' };
  expect(await read({ repoId: 5, diff })).toBe(whole);
  expect(await read({ repoId: 6, diff })).toBeUndefined();
  expect(await read({ repoId: 5, diff: undefined })).toBeUndefined();
});
