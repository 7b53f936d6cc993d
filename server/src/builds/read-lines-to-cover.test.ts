import { describe, expect, test } from 'vitest';
import { aClosedBuild, aFile, aResult, providerFacts, totals } from '../../../test/support/records.ts';
import { A_REPO } from '../../../test/support/shown-build.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import type { FileDiff } from '../core/diff/file-diff.ts';
import { Failure } from '../core/failure.ts';
import type { StoredSource } from '../reports/report-bytes.ts';
import type { FilePart } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { readLinesToCover } from './read-lines-to-cover.ts';

/** A change of this many new files, each with `lines` lines that nothing runs. */
function aChange(files: number, lines: number, covered = 0): PatchResult {
  const names = Array.from({ length: files }, (_, index) => `f${String(index).padStart(3, '0')}.ts`);
  return {
    totals: totals(0, files * lines),
    files: names.map((name) => ({
      name,
      totals: totals(covered, lines),
      uncovered: [[1, lines]],
      uncoveredRanges: 1,
    })),
    fileCount: files,
    unmeasured: [],
    unmeasuredCount: 0,
    complete: true,
    verdict: undefined,
  };
}

interface Stated {
  readonly readFiles?: Services['reader']['readFiles'];
  /** The text of a file, as an upload brought it. */
  readonly source?: () => Promise<StoredSource>;
}

function read(patch: PatchResult, stated: Stated = {}, mayReadSource = true) {
  const lines = patch.files[0]?.totals.relevantLines ?? 0;
  const { hits, branches } = aFile(
    'a.ts',
    Array.from({ length: lines }, () => 0),
  );
  const files = patch.files.map(
    ({ name }): FileDiff => ({ name, previousName: undefined, kind: 'added', hunks: [], complete: true }),
  );
  const services = {
    builds: { report: async () => new Uint8Array() },
    views: { summary: async () => undefined },
    reader: {
      readFiles: async ({ files: asked }) =>
        asked.map(({ name }): FilePart => {
          const places = { places: [], placeCount: 0, placeBefore: undefined, placeAfter: undefined };
          return { name, lines, totals: totals(0, lines), source: 'text', hits, branches, ...places };
        }),
      readLines: async ({ limit }) => ({
        lines: Array.from({ length: Math.min(limit, lines) }, (_, index) => `line ${index + 1}`),
        total: lines,
      }),
      ...(stated.readFiles && { readFiles: stated.readFiles }),
    } satisfies Partial<Services['reader']>,
    facts: { find: async () => ({ files, complete: true }) },
    jobs: { source: stated.source ?? (async () => ({ bytes: new Uint8Array(), digest: '' })) },
    highlighter: { highlight: async () => 'pending' },
  };
  return readLinesToCover(services as unknown as Services, {
    build: aClosedBuild({
      result: aResult({ patch }),
      pullRequest: 7,
      testedCommit: undefined,
      facts: providerFacts({ mergeParent: 'f'.repeat(40) }),
    }),
    repo: A_REPO,
    mayReadSource,
    mayReadHostSource: mayReadSource,
  });
}

describe('the lines to cover of a build', () => {
  test('are those of at most 10 files and 400 rows', async () => {
    const many = await read(aChange(30, 5));
    expect([many?.files.length, many?.left]).toEqual([10, 20]);
    const long = await read(aChange(4, 150));
    expect(long?.files.map(({ rows, cut }) => [rows.length, cut])).toEqual([
      [150, false],
      [150, false],
      [100, true],
    ]);
    expect(long?.left).toBe(1);
  });

  test('come with their texts, but not for anybody who reads numbers only', async () => {
    expect((await read(aChange(1, 2)))?.files[0]?.texts).toEqual(
      new Map([
        [1, 'line 1'],
        [2, 'line 2'],
      ]),
    );
    const withheld = await read(aChange(1, 2), { source: () => Promise.reject(new Error('was read')) }, false);
    expect([withheld?.withheld, withheld?.files[0]?.texts, withheld?.files[0]?.rows.length]).toEqual([
      true,
      undefined,
      2,
    ]);
  });

  test('are left out where all is covered', async () => {
    expect(await read(aChange(3, 5, 5))).toBeUndefined();
  });

  test('are known by their numbers where the report cannot be read now', async () => {
    const readFiles = () => Promise.reject(new Failure('unavailable', 'All threads are busy.'));
    const found = await read(aChange(2, 5), { readFiles });
    expect([found?.unreadable, found?.files.map(({ rows }) => rows.length)]).toEqual([true, [0, 0]]);
    const source = () => Promise.reject(new Failure('internal', 'Damaged.'));
    const textless = await read(aChange(1, 5), { source });
    expect([textless?.unreadable, textless?.files[0]?.rows.length, textless?.files[0]?.texts]).toEqual([
      false,
      5,
      undefined,
    ]);
  });
});
