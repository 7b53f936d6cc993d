import { describe, expect, test } from 'vitest';
import { aDiff } from '../../../../test/support/diffs.ts';
import { indexDiffs } from './file-diff.ts';

describe('indexDiffs', () => {
  test('by the names that reports use (rule 6)', () => {
    const renamed = aDiff('src\\b.ts', [], { kind: 'renamed', previousName: './src//a.ts' });
    const { byName, byPreviousName } = indexDiffs([renamed]);
    expect(byName.get('src/b.ts')).toBe(renamed);
    expect(byPreviousName.get('src/a.ts')).toBe(renamed);
  });

  test('what is said of one name twice is not known', () => {
    const link = [aDiff('a.ts', ['remove'], { kind: 'removed' }), aDiff('a.ts', ['add'], { kind: 'added' })];
    const unknown = { name: 'a.ts', previousName: undefined, kind: 'modified', hunks: [], complete: false };
    expect([...indexDiffs(link).byName.values()]).toEqual([unknown]);
    const renamed = aDiff('a.ts', [], { kind: 'renamed', previousName: 'b.ts' });
    const twice = indexDiffs([renamed, renamed]);
    expect([...twice.byName.values()]).toEqual([unknown]);
    expect(twice.byPreviousName.size).toBe(0);
  });
});
