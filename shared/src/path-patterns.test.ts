import { describe, expect, test } from 'vitest';
import { pathList, pathPattern } from './path-patterns.ts';

describe('one pattern', () => {
  test.each([
    ['packages/cli/**', 'packages/cli/src/a.ts', true],
    ['packages/cli/**', 'packages/client/a.ts', false],
    ['packages/cli', 'packages/cli/src/a.ts', true],
    ['packages/cli/', 'packages/cli/src/a.ts', true],
    ['packages/cli', 'packages/cli-next/a.ts', false],
    ['/src', 'src/a.ts', true],
    ['./src/**', 'src/a.ts', true],
    ['src\\lib\\**', 'src/lib/a.ts', true],
    ['packages/*/', 'packages/cli/src/a.ts', true],
    ['**/*.pb.go', 'api/v1/a.pb.go', true],
    ['**/*.pb.go', 'a.pb.go', true],
    ['*.pb.go', 'api/a.pb.go', false],
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/a.tsx', false],
    ['src/[ab].ts', 'src/b.ts', true],
    ['src/{a,b}.ts', 'src/c.ts', false],
    ['.', 'any/where.ts', true],
    ['/', 'any/where.ts', true],
    ['**', 'any/where.ts', true],
  ])('%s on %s: %s', (pattern, path, fits) => expect(pathPattern(pattern)(path)).toBe(fits));
});

describe('patterns in order', () => {
  const isIgnored = pathList(['**/*.pb.go', 'docs/**', '!docs/tool.go', 'docs/tool.go/**']);

  test.each([
    ['api/a.pb.go', true],
    ['docs/a.go', true],
    ['docs/tool.go', false],
    ['src/a.go', false],
  ])('%s: %s', (path, isIn) => expect(isIgnored(path)).toBe(isIn));

  test('what was taken out comes in again by a later pattern', () => {
    const list = pathList(['src/**', '!src/gen/**', 'src/gen/kept/**']);
    expect(['src/a', 'src/gen/a', 'src/gen/kept/a'].map(list)).toEqual([true, false, true]);
  });

  test('exceptions alone take nothing in', () => {
    expect(pathList(['!docs/**'])('src/a.ts')).toBe(false);
    expect(pathList([])('src/a.ts')).toBe(false);
  });
});
