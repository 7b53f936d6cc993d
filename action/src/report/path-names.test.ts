import { expect, test } from 'vitest';
import { below, cleanName, isForeignName } from './path-names.ts';

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
