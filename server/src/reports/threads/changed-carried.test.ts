import { describe, expect, test } from 'vitest';
import { NO_BRANCHES } from '../../core/coverage/file-coverage.ts';
import { compareNames } from '../../core/coverage/merge.ts';
import { encodeReport } from '../codec/encode-report.ts';
import { MAX_CHANGED_CARRIED } from '../report-engine.ts';
import { findChangedCarried } from './changed-carried.ts';

/** In place of a SHA-256. */
const text = (digit: string): string => digit.repeat(64);

interface Stated {
  readonly name?: string;
  readonly digest?: string | undefined;
  readonly source?: string | undefined;
}

const report = (...files: readonly Stated[]): Uint8Array =>
  encodeReport({
    files: files
      .map(({ name = 'a.ts', digest, source }) => ({
        name,
        digest,
        source,
        hits: Int32Array.of(1),
        branches: NO_BRANCHES,
      }))
      .sort((a, b) => compareNames(a.name, b.name)),
  });
const find = (own: readonly Uint8Array[], ...carried: readonly Uint8Array[]) =>
  findChangedCarried({
    jobs: own.map((one) => ({ flag: undefined, report: one })),
    carried: [{ flag: 'ui', reports: carried }],
  });

const old = { digest: 'old', source: text('a') };
const now = { digest: 'new', source: text('b') };
const other = { digest: 'other', source: text('c') };

describe('carried files that have changed since (rule 16)', () => {
  test('are found with both texts', () => {
    expect(find([report(now)], report(old))).toEqual([{ flag: 'ui', name: 'a.ts', from: text('a'), to: text('b') }]);
  });

  test.each<[string, readonly Stated[], readonly Stated[]]>([
    ['the same text', [old], [old]],
    ['another name', [{ ...now, name: 'b.ts' }], [old]],
    ['a digest that is not known here', [{ source: text('b') }], [old]],
    ['a digest that was not known then', [now], [{ source: text('a') }]],
    ['no text here', [{ digest: 'new' }], [old]],
    ['no text then', [now], [{ digest: 'old' }]],
    ['one text under two digests', [{ digest: 'new', source: text('a') }], [old]],
    ['jobs that disagree', [now, other], [old]],
    ['carried jobs that disagree', [now], [old, other]],
  ])('%s: is not one', (_, own, carried) => {
    const one = (file: Stated): Uint8Array => report(file);
    expect(find(own.map(one), ...carried.map(one))).toEqual([]);
  });

  test('what one job knows and another does not, both know', () => {
    expect(
      find([report({}), report({ digest: 'new' }), report(now)], report({ source: text('a') }), report(old)),
    ).toHaveLength(1);
  });

  test('are listed by flag and name, up to a limit', () => {
    const names = Array.from({ length: MAX_CHANGED_CARRIED }, (_, index) => `f${1_000 + index}.ts`);
    const all = (file: Stated): Uint8Array => report(...names.map((name) => ({ ...file, name })));
    const found = findChangedCarried({
      jobs: [{ flag: undefined, report: all(now) }],
      carried: ['z', 'b'].map((flag) => ({ flag, reports: [all(old)] })),
    });
    expect(found.map(({ flag, name }) => `${flag} ${name}`)).toEqual(names.map((name) => `b ${name}`));
  });
});
