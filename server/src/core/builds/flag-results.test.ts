import { describe, expect, test } from 'vitest';
import { baseWith, composed, conclude } from '../../../../test/support/close-findings.ts';
import { aDiff } from '../../../../test/support/diffs.ts';
import { aFile, aFlag, aReport, totals } from '../../../../test/support/records.ts';
import { judgedInWords } from '../../../../test/support/verdict-words.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../repo/settings.ts';
import { sumChange } from '../verdict/split-change.ts';
import type { FlagResult } from './build.ts';
import type { ComposedFlag } from './build-report.ts';
import { type FlagFindings, flagsToSplit } from './flag-results.ts';

/** 70 of 100 lines, after 75 of 100. */
const uploaded = (name: string, stated: Partial<ComposedFlag> = {}): ComposedFlag => ({
  name,
  kind: 'uploaded',
  totals: totals(70, 100),
  ...stated,
});
const before = (name: string, stated: Partial<FlagResult> = {}): FlagResult =>
  aFlag(name, { totals: totals(75, 100), ...stated });

describe('flagsToSplit', () => {
  const find = (flags: readonly ComposedFlag[], base: FlagFindings['base'], settings: Partial<RepoSettings> = {}) =>
    flagsToSplit({ settings: { ...DEFAULT_REPO_SETTINGS, ...settings }, flags, base });
  const own = { flag: 'ui', minimum: null, allowedDrop: null, informational: false };

  test.each<[string, readonly string[], ComposedFlag, FlagResult, Partial<RepoSettings>]>([
    ['fails by its change', ['ui'], uploaded('ui'), before('ui'), {}],
    [
      'fails by its own minimum',
      ['ui'],
      uploaded('ui'),
      before('ui', { totals: totals(60, 100) }),
      { flagSettings: [{ ...own, minimum: 71 }] },
    ],
    ['passes', [], uploaded('ui'), before('ui', { totals: totals(70, 100) }), {}],
    [
      'passes by its own allowed drop',
      [],
      uploaded('ui'),
      before('ui'),
      { flagSettings: [{ ...own, allowedDrop: 5 }] },
    ],
    ['brought no coverage', [], uploaded('ui', { totals: totals(0, 0) }), before('ui'), {}],
    ['is carried here', [], uploaded('ui', { kind: 'carried' }), before('ui'), {}],
    ['was carried in the base', [], uploaded('ui'), before('ui', { kind: 'carried' }), {}],
    ['was missing in the base', [], uploaded('ui'), before('ui', { kind: 'missing', totals: undefined }), {}],
    ['is another one in the base', [], uploaded('ui'), before('UI'), {}],
  ])('a flag that %s: %j', (_, expected, flag, ofBase, settings) => {
    expect(find([flag], baseWith([ofBase]), settings)).toEqual(expected);
  });

  test('without a base there is none', () => {
    expect(find([uploaded('ui')], undefined, { flagSettings: [{ ...own, minimum: 99 }] })).toEqual([]);
  });

  test('20 at most, and only failing ones count', () => {
    const names = Array.from({ length: 50 }, (_, index) => `flag-${index + 10}`);
    const flags = names.map((name, index) => uploaded(name, index % 2 === 0 ? { totals: totals(80, 100) } : {}));
    const found = find(flags, baseWith(names.map((name) => before(name))));
    expect(found).toEqual(names.filter((_, index) => index % 2 === 1).slice(0, 20));
  });
});

describe('a flag whose change is known', () => {
  const split = sumChange({
    base: aReport(aFile('a.ts', [1, 1, 1, 0])),
    head: aReport(aFile('a.ts', [1, 0])),
    diff: { files: [aDiff('a.ts', ['remove', 'remove', 'keep', 'keep'])], complete: true },
  });
  const flags = ['api', 'ui'].map((name) => uploaded(name, { totals: split.head }));
  const base = baseWith(['api', 'ui'].map((name) => before(name, { totals: split.base })));
  const flagsOf = (settings: Partial<RepoSettings>) =>
    conclude({
      settings: { ...DEFAULT_REPO_SETTINGS, ...settings },
      composed: composed({ flags }),
      base,
      flagSplits: new Map([['ui', split]]),
    }).flags;

  test('keeps its cause; of the other only what would pass is said', () => {
    const [api, ui] = flagsOf({});
    expect(judgedInWords(ui)).toMatchObject({
      verdict: { state: 'failure', explanation: expect.stringMatching(/2 covered lines were removed;.*would pass\.$/) },
      cause: {
        clause: '2 covered lines removed',
        parts: [{ part: 'removed', points: '-25.00%' }],
      },
    });
    expect(judgedInWords(api)).toMatchObject({
      verdict: {
        state: 'failure',
        explanation: expect.stringMatching(/no decrease allowed\. Covering 1 more line anywhere would pass\.$/),
      },
    });
    expect(api?.cause).toMatchObject({ mainPart: undefined, split: undefined });
  });

  test('is forgiven by the repo’s setting; the other is not', () => {
    expect(flagsOf({ ignoreRemovedCode: true }).map(({ verdict }) => verdict.state)).toEqual(['failure', 'success']);
  });

  test('informational by the repo’s setting, or by its own', () => {
    const own = { flag: 'ui', minimum: null, allowedDrop: null, informational: true };
    for (const settings of [{ informational: true }, { flagSettings: [own] }]) {
      const [, ui] = flagsOf(settings);
      expect(ui?.verdict).toMatchObject({ state: 'failure', informational: true });
      expect(judgedInWords(ui).verdict.explanation).toMatch(/would pass\. Informational only/);
    }
  });
});
