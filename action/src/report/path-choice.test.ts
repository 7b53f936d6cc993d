import { describe, expect, test } from 'vitest';
import { chooser, moveName, parseMove } from './path-choice.ts';

const PATHS = ['src/a.ts', 'src/gen/b.ts', 'srcs/c.ts', 'test/a.test.ts'];
const chosen = (include: string[], exclude: string[] = []) => PATHS.filter(chooser({ include, exclude }));

describe('include and exclude', () => {
  test.each([
    [[], [], PATHS],
    [['src'], [], ['src/a.ts', 'src/gen/b.ts']],
    [['./src/'], ['src/gen'], ['src/a.ts']],
    [['src/*.ts'], [], ['src/a.ts']],
    [[], ['**/*.test.ts', '**/gen/**'], ['src/a.ts', 'srcs/c.ts']],
    [['src\\gen\\b.ts'], [], ['src/gen/b.ts']],
    [['.'], ['src/**'], ['srcs/c.ts', 'test/a.test.ts']],
  ])('%j but %j', (include, exclude, expected) => expect(chosen(include, exclude)).toEqual(expected));
});

describe('path-map', () => {
  const moved = (text: string, ...spellings: string[]) =>
    moveName(spellings, [parseMove(text) ?? { from: '?', to: '' }]);

  test.each([
    ['/app=backend', '/app/src/a.py', 'backend/src/a.py'],
    ['/app/=backend/', '/app/src/a.py', 'backend/src/a.py'],
    ['/app=', '/app/src/a.py', 'src/a.py'],
    ['D:\\a\\shop=.', 'd:/a/shop/src/A.cs', 'src/A.cs'],
    ['com/acme=src/main/java/com/acme', 'com/acme/A.java', 'src/main/java/com/acme/A.java'],
    ['/build/a=b.c=src/x.c', '/build/a/y.c', 'b.c=src/x.c/y.c'],
    ['gen/a.c=src/a.c', 'gen/a.c', 'src/a.c'],
    ['/app=backend', '/application/a.py', undefined],
  ])('%s: %s', (move, name, expected) => expect(moved(move, name)).toBe(expected));

  test('any spelling will do', () => expect(moved('/app=x', 'a.py', '/app/a.py')).toBe('x/a.py'));
  test('what is no move', () => expect(['/app', '=x', ''].map(parseMove)).toEqual([undefined, undefined, undefined]));
});
