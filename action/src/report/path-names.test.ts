import { describe, expect, test } from 'vitest';
import { below, chooser, cleanName, isForeignName, moveName, parseMove } from './path-names.ts';

test.each([
  ['./a//b/../c.ts', 'a/c.ts'],
  ['a\\b.ts', 'a/b.ts'],
  ['C:\\x\\y.cs', 'C:/x/y.cs'],
  ['file:///c:/x.cs', 'c:/x.cs'],
  ['file:///x/y', '/x/y'],
  ['//x///y', '/x/y'],
  ['src/', 'src'],
  ['/', '/'],
  ['', '.'],
])('%j is %j', (name, clean) => expect(cleanName(name)).toBe(clean));

test.each([
  ['/r', '/r/a/b', 'a/b'],
  ['/r/', '/r/a', 'a'],
  ['/r', '/right/a', undefined],
  ['D:/A/Repo', 'd:/a/repo/Src/x.cs', 'Src/x.cs'],
  ['/R', '/r/a', undefined],
  ['/', '/a', 'a'],
])('%s: %s', (root, name, rest) => expect(below(root, name)).toBe(rest));

test.each([
  ['/usr/include/stdio.h', true],
  ['/usr/src/app/a.js', false],
  ['/opt/app/a.js', false],
  ['x/node_modules/y/a.js', true],
  ['C:/Program Files (x86)/a.h', true],
  ['src/vendored/a.go', false],
])('%s: %s', (name, foreign) => expect(isForeignName(name)).toBe(foreign));

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
