import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, type Edit, edits } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import type { Diff } from '../diff/file-diff.ts';
import { beginLedger, decidingBuilds, extendLedger, type FlipLedger, type LedgerBuild } from './flip-ledger.ts';
import { newestBuilds, statesOf } from './flip-record.ts';

const ALL = newestBuilds(64);
const DAY = 24 * 60 * 60 * 1_000;

function aLedgerBuild(at: number, stated: Partial<LedgerBuild> = {}): LedgerBuild {
  return { id: at, number: String(at), commit: `c${at}`, at, jobs: 1, flags: [], ...stated };
}

/** One build after the other of a file with these hits; `diffs` says what changed before each but the first. */
function follow(all: readonly (readonly number[])[], diffs: readonly (Diff | undefined)[] = []): FlipLedger {
  let ledger = beginLedger(aLedgerBuild(0));
  for (const [at, hits] of all.slice(1).entries())
    ledger = extendLedger(ledger, {
      build: aLedgerBuild(at + 1),
      before: aReport(aFile('a.go', all[at] as readonly number[])),
      report: aReport(aFile('a.go', hits)),
      diff: diffs[at] ?? { files: [aDiff('other.go', ['add'])], complete: true },
    });
  return ledger;
}

const recorded = ({ files }: FlipLedger) =>
  [...files].flatMap(([name, records]) =>
    records.map((record) => [name, record.line, statesOf(record, ALL).map(Number).join('')]),
  );

describe('a ledger', () => {
  test('has the lines that changed their state, with all their states, the newest first', () => {
    expect(
      recorded(
        follow([
          [1, 1, 0],
          [1, 1, 0],
          [1, 0, 0],
          [1, 1, 0],
        ]),
      ),
    ).toEqual([['a.go', 2, '1011']]);
  });

  test('moves them with their text, and forgets those whose text changed', () => {
    const moved: Edit[] = ['add', 'keep', 'keep', 'remove'];
    const ledger = follow(
      [
        [1, 1, 0],
        [0, 1, 1],
        [1, 1, 1],
      ],
      [undefined, { files: [aDiff('a.go', moved)], complete: true }],
    );
    expect(recorded(ledger)).toEqual([['a.go', 2, '101']]);
  });

  test('forgets a file if nobody knows what changed in it', () => {
    expect(recorded(follow([[1], [0], [1]], [undefined, { files: [], complete: false }]))).toEqual([]);
    const unknown = { ...aDiff('a.go', []), complete: false };
    expect(recorded(follow([[1], [0], [1]], [undefined, { files: [unknown], complete: true }]))).toEqual([]);
  });

  test('keeps what no job measured, without a state', () => {
    const first = follow([[1], [0]]);
    const ledger = extendLedger(first, {
      build: aLedgerBuild(2),
      before: aReport(aFile('a.go', [0])),
      report: aReport(),
      diff: { files: [aDiff('other.go', ['add'])], complete: true },
    });
    expect(recorded(ledger)).toEqual([['a.go', 1, '01']]);
  });

  test('takes a difference between two builds of one tree as proof, if flags and jobs are the same', () => {
    const same: Diff = { files: [], complete: true };
    const proven = (jobs: number) =>
      extendLedger(beginLedger(aLedgerBuild(0)), {
        build: aLedgerBuild(1, { jobs }),
        before: aReport(aFile('a.go', [1])),
        report: aReport(aFile('a.go', [0])),
        diff: same,
      }).files.get('a.go')?.[0]?.proven;
    expect([proven(1), proven(2)]).toEqual([1n, 0n]);
  });

  test('records none of more than 5,000 lines that change at once, and keeps those that it has', () => {
    const hits = (first: number, rest: number, lines: number) => [first, ...Array<number>(lines).fill(rest)];
    const past = (lines: number) => [0, 1, 0, 1].map((first) => hits(first, 1, lines));
    const whole = (lines: number) => [...past(lines), hits(0, 0, lines)];
    expect(recorded(follow(whole(5_000)))).toHaveLength(5_001);
    const over = follow(whole(5_001));
    expect(recorded(over)).toEqual([['a.go', 1, '01010']]);
    expect([over.overflow, decidingBuilds(over, 1)]).toEqual([0, 31n]);
    // A line that changed without a record is known since then, and no longer.
    expect(recorded(follow([...whole(5_001), [...hits(0, 0, 5_000), 1]]))).toEqual([
      ['a.go', 1, '001010'],
      ['a.go', 5_002, '10'],
    ]);
  });

  test('decides by builds of 90 days', () => {
    expect(decidingBuilds(follow([[1], [0], [1]]), 90 * DAY + 1)).toBe(3n);
    expect(decidingBuilds(follow([[1], [0], [1]]), 91 * DAY)).toBe(0n);
  });
});

describe('whatever happens to a text', () => {
  /** A line keeps its name while its text is the same. */
  const step = fc.record({ edits, states: fc.array(fc.constantFrom(0, 1), { minLength: 60, maxLength: 60 }) });

  test('the states of a line are those that its builds reported, by its name', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
        let names: readonly string[] = Array.from({ length: 12 }, (_, at) => `first ${at}`);
        let ledger = beginLedger(aLedgerBuild(0));
        let hits: readonly number[] = names.map(() => 1);
        const past = new Map(names.map((name) => [name, '1']));
        for (const [at, { edits: all, states }] of steps.entries()) {
          const [next, diff] = [applyEdits(names, all, at), aDiff('a.go', padEdits(all, names.length))];
          const now = next.map((_, line) => states[line] as number);
          const isSame = next.length === names.length && next.every((name, line) => name === names[line]);
          ledger = extendLedger(ledger, {
            build: aLedgerBuild(at + 1, { jobs: at }),
            before: aReport(aFile('a.go', hits)),
            report: aReport(aFile('a.go', now)),
            diff: { files: isSame ? [] : [diff], complete: true },
          });
          for (const [line, name] of next.entries()) past.set(name, `${now[line]}${past.get(name) ?? ''}`);
          [names, hits] = [next, now];
        }
        for (const record of ledger.files.get('a.go') ?? []) {
          const states = statesOf(record, ALL).map(Number).join('');
          const whole = past.get(names[record.line - 1] as string) ?? '';
          // A record may know less of a line than there was, and never anything else.
          expect(whole.startsWith(states)).toBe(true);
          expect(new Set(states).size).toBe(2);
        }
      }),
      { numRuns: numRuns(300) },
    );
  });
});

function padEdits(all: readonly Edit[], lines: number): readonly Edit[] {
  let left = lines;
  const used = all.filter((edit) => edit === 'add' || left-- > 0);
  return [...used, ...Array<Edit>(Math.max(0, left)).fill('keep')];
}

function applyEdits(names: readonly string[], all: readonly Edit[], at: number): readonly string[] {
  let old = 0;
  return padEdits(all, names.length).flatMap((edit, index) => {
    if (edit === 'add') return [`added ${at}.${index}`];
    old += 1;
    return edit === 'keep' ? [names[old - 1] as string] : [];
  });
}
