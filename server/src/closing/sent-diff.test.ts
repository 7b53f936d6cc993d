import { describe, expect, test } from 'vitest';
import { aDiff } from '../../../test/support/diffs.ts';
import type { Diff, FileDiff } from '../core/diff/file-diff.ts';
import type { Answer } from '../hosts/facts/ask-provider.ts';
import type { Services } from '../services/services.ts';
import { chooseDiff, readSentDiff } from './sent-diff.ts';

const A = aDiff('./a.ts', ['add']);
const B = aDiff('b.ts', ['keep', 'add']);
const gapOf = (file: FileDiff): FileDiff => ({ ...file, hunks: [], complete: false });
const diff = (files: readonly FileDiff[], complete = true): Diff => ({ files, complete });
const sent = diff([A, B]);
const sentCut = diff([A, B], false);
const GONE = aDiff('logo.png', [], { kind: 'removed', complete: false });
const answer = (value: Diff | undefined): Answer<Diff> => ({ kind: 'answer', value });
const UNAVAILABLE: Answer<Diff> = { kind: 'unavailable' };

describe('whose word counts', () => {
  test.each<[string, Answer<Diff>, Diff | undefined, 'provider' | 'upload', boolean]>([
    ['the provider’s list is cut', answer(diff([A], false)), sent, 'upload', false],
    ['so is the upload’s', answer(diff([A], false)), sentCut, 'provider', false],
    ['the provider knows nothing', answer(undefined), sentCut, 'upload', false],
    ['nor does the upload', answer(undefined), undefined, 'provider', false],
    ['the provider is away', UNAVAILABLE, sent, 'upload', false],
    ['the provider is away, and the upload’s list is cut', UNAVAILABLE, sentCut, 'upload', true],
    ['the provider is away, and no upload tells', UNAVAILABLE, undefined, 'provider', true],
  ])('%s', async (_, told, own, source, unavailable) => {
    const found = await chooseDiff(told, async () => own);
    expect(found).toMatchObject({ source, unavailable });
    expect(found.diff).toEqual(source === 'upload' ? own : told.kind === 'answer' ? told.value : undefined);
  });

  test.each<[string, readonly FileDiff[], readonly (string | undefined)[]]>([
    ['the provider left open', [{ ...gapOf(A), name: 'a.ts' }, B], ['upload', undefined]],
    ['the upload does not name', [gapOf({ ...A, name: 'c.ts' })], [undefined]],
    ['the upload tells otherwise', [gapOf({ ...A, kind: 'renamed', previousName: 'old.ts' })], [undefined]],
  ])('lines of a file that %s', async (_, files, sources) => {
    const found = await chooseDiff(answer(diff(files)), async () => sent);
    expect(found).toMatchObject({ source: 'provider', unavailable: false, diff: { complete: true } });
    expect(found.diff?.files.map((file) => file.source)).toEqual(sources);
    expect(found.diff?.files.map((file) => file.complete)).toEqual(
      files.map((file, at) => file.complete || sources[at] === 'upload'),
    );
    if (sources[0] === 'upload') expect(found.diff?.files[0]?.hunks).toEqual(A.hunks);
  });

  test('the upload’s is not even read where the provider leaves nothing open', async () => {
    const told = diff([A, GONE]);
    expect((await chooseDiff(answer(told), () => expect.unreachable())).diff).toBe(told);
    expect(await chooseDiff(UNAVAILABLE, undefined)).toEqual({
      diff: undefined,
      source: 'provider',
      unavailable: true,
    });
  });
});

test('a sent diff is read from where the job was stored; what is gone is none', async () => {
  const bytes = Uint8Array.of(1);
  const services = {
    jobs: {
      source: async (repoId: number, digest: string) =>
        repoId === 5 && digest === 'diff-1' ? { digest, bytes } : undefined,
    },
    engine: { readDiff: async (stored: Uint8Array) => (stored === bytes ? sent : undefined) },
  } as unknown as Services;
  const named = { base: 'b', head: 'a', digest: 'diff-1' };
  expect(await readSentDiff(services, { repoId: 5, diff: named })).toBe(sent);
  expect(await readSentDiff(services, { repoId: 6, diff: named })).toBeUndefined();
  expect(await readSentDiff(services, { repoId: 5, diff: undefined })).toBeUndefined();
});
