import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createResolveNames } from './resolve-names.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'go-modules-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What becomes of each import path in a checkout of these files; those with a text are written. */
function resolve(names: string[], files: Record<string, string>, report = 'cover.out') {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const checkout = { root, files: new Set(Object.keys(files)), links: new Set<string>(), byGit: true };
  const { paths, ambiguous } = createResolveNames({ checkout, basePath: '' })(
    { path: `${root}/${report}`, names, sources: [], importPaths: true },
    { isOneOfSeveral: false },
  );
  return names.map((name) => paths.get(name) ?? ambiguous.get(name));
}

const MODULE = 'module example.com/acme/shop\n\ngo 1.21\n';

test('go.mod maps import paths; other modules, generated files and the standard library are left out', () => {
  const names = ['example.com/acme/shop/a.go', 'example.com/acme/shop/_cgo_gotypes.go', 'errors/errors.go'];
  const files = { 'go.mod': MODULE, 'a.go': '', 'errors/errors.go': '' };
  expect(resolve([...names, 'example.com/acme/shopping/a.go'], files)).toEqual([
    'a.go',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a nested module comes before the one around it, and none hides files that are not its own', () => {
  const files = {
    'server/go.mod': '// Deprecated: not yet\nmodule "example.com/acme/shop" // quoted\n',
    'server/a.go': '',
    'server/tools/x.go': '',
    'server/tools/b.go': '',
    'tools/go.mod': 'module example.com/acme/shop/tools\n',
    'tools/b.go': '',
    'mod/v2/go.mod': 'module example.com/acme/mod/v2\r\n',
    'mod/v2/c.go': '',
  };
  const names = ['a.go', 'tools/b.go', 'tools/x.go'].map((name) => `example.com/acme/shop/${name}`);
  for (const listed of [files, Object.fromEntries(Object.entries(files).toReversed())])
    expect(resolve([...names, 'example.com/acme/mod/v2/c.go'], listed)).toEqual([
      'server/a.go',
      'tools/b.go',
      'server/tools/x.go',
      'mod/v2/c.go',
    ]);
});

test('a module called like a folder', () => {
  const files = { 'go.mod': 'module money\n', 'money.go': '', 'money/money.go': '' };
  expect(resolve(['money/money.go', 'money/money/money.go'], files)).toEqual(['money.go', 'money/money.go']);
});

test('of two modules of one path the workspace says which', () => {
  const files = { 'old/go.mod': MODULE, 'old/a.go': '', 'new/go.mod': MODULE, 'new/a.go': '' };
  expect(resolve(['example.com/acme/shop/a.go'], files)).toEqual(['old/a.go']);
  const block = { ...files, 'go.work': 'go 1.21\n\nuse (\n\t./new // the one\n\t./other\n)\n' };
  expect(resolve(['example.com/acme/shop/a.go'], block)).toEqual(['new/a.go']);
  expect(resolve(['example.com/acme/shop/a.go'], { ...files, 'go.work': 'use ./new\n' })).toEqual(['new/a.go']);
  const words = { 'go/go.mod': MODULE, 'go/a.go': '', 'toolchain/go.mod': MODULE, 'toolchain/a.go': '' };
  const between = 'go 1.21\nuse (\n\t./new\n)\ntoolchain go1.22.1\n';
  expect(resolve(['example.com/acme/shop/a.go'], { ...words, ...files, 'go.work': between })).toEqual(['new/a.go']);
});

test('of two modules of one path that of testdata is not meant, and the nearest to the report is', () => {
  const files = { 'testdata/go.mod': MODULE, 'testdata/a.go': '', 'x/go.mod': MODULE, 'x/a.go': '' };
  expect(resolve(['example.com/acme/shop/a.go'], files)).toEqual(['x/a.go']);
  const two = { ...files, 'y/go.mod': MODULE, 'y/a.go': '' };
  expect(resolve(['example.com/acme/shop/a.go'], two, 'y/cover.out')).toEqual(['y/a.go']);
  expect(resolve(['example.com/acme/shop/a.go'], two, 'y/out/cover.out')).toEqual(['y/a.go']);
  expect(resolve(['example.com/acme/shop/a.go'], two, 'z/cover.out')).toEqual(['x/a.go']);
  const ignored = { 'testdata/go.mod': MODULE, 'testdata/a.go': '', '_b/go.mod': MODULE, '_b/a.go': '' };
  rmSync(join(root, 'x'), { recursive: true });
  expect(resolve(['example.com/acme/shop/a.go'], ignored)).toEqual(['testdata/a.go']);
});

test('names that were made repo-relative, absolute or relative ones, and a repo without go.mod', () => {
  const files = { 'go.mod': MODULE, 'pkg/a.go': '' };
  expect(resolve(['pkg/a.go', `${root}/pkg/a.go`, './pkg/a.go'], files)).toEqual(Array(3).fill('pkg/a.go'));
  const mixed = ['example.com/acme/shop/pkg/a.go', `${root}/pkg/a.go`, './pkg/a.go'];
  expect(resolve(mixed, files)).toEqual(Array(3).fill('pkg/a.go'));
  expect(resolve(['example.com/acme/shop/pkg/a.go'], { 'pkg/a.go': '' })).toEqual(['pkg/a.go']);
});
