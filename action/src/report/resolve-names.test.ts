import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createResolveNames, type NamedReport } from './resolve-names.ts';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'resolve-names-')));
  mkdirSync(join(root, 'repo'));
  symlinkSync(join(root, 'repo'), join(root, 'link'));
  root = join(root, 'repo');
});
afterAll(() => rmSync(join(root, '..'), { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

interface Case extends Partial<NamedReport> {
  files: string[];
  links?: string[];
  basePath?: string;
  root?: string;
  isOneOfSeveral?: boolean;
}

/** What becomes of each name; undefined if it is left out. */
function resolve(
  names: string[],
  { files, links = [], basePath = '', root: otherRoot = root, isOneOfSeveral = false, ...report }: Case,
) {
  const checkout = { root: otherRoot, files: new Set([...files, ...links]), links: new Set(links), byGit: true };
  const { paths, ambiguous } = createResolveNames({ checkout, basePath })(
    { path: `${root}/lcov.info`, sources: [], ...report, names },
    { isOneOfSeveral },
  );
  return { paths: names.map((name) => paths.get(name)), ambiguous: Object.fromEntries(ambiguous) };
}
const paths = (names: string[], options: Case) => resolve(names, options).paths;

const FILES = ['src/a.ts', 'src/deep/b.ts', 'index.js', 'packages/x/src/c.ts', 'packages/y/src/c.ts'];

describe('at its place', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src//deep/../a.ts', 'src/a.ts'],
    ['src\\deep\\b.ts', 'src/deep/b.ts'],
    ['/src/a.ts', 'src/a.ts'],
    ['/index.js', 'index.js'],
  ])('%s', (name, path) => expect(paths([name], { files: FILES })).toEqual([path]));

  test('absolute, as a file URL, and through a link', () => {
    expect(paths([`${root}/src/a.ts`, `file://${root}/src/a.ts`], { files: FILES })).toEqual(['src/a.ts', 'src/a.ts']);
    const link = join(root, '..', 'link');
    expect(paths([`${link}/src/a.ts`, `${root}/src/a.ts`], { files: FILES, root: link })).toEqual([
      'src/a.ts',
      'src/a.ts',
    ]);
  });
});

describe('relative to something else', () => {
  test('base-path comes first', () => {
    expect(paths(['src/c.ts', '/src/c.ts'], { files: FILES, basePath: './packages/y/' })).toEqual([
      'packages/y/src/c.ts',
      'packages/y/src/c.ts',
    ]);
    expect(paths(['src/c.ts'], { files: FILES, basePath: `${root}/packages/x` })).toEqual(['packages/x/src/c.ts']);
  });

  test('of several reports each has its own folders before base-path, which is meant for another one', () => {
    const options = { files: FILES, basePath: 'packages/y', isOneOfSeveral: true };
    const path = `${root}/packages/x/coverage/lcov.info`;
    expect(paths(['src/c.ts', '/src/c.ts'], { ...options, path })).toEqual([
      'packages/x/src/c.ts',
      'packages/x/src/c.ts',
    ]);
    expect(paths(['src/c.ts'], { ...options, path: `${root}/coverage/lcov.info` })).toEqual(['packages/y/src/c.ts']);
    expect(paths(['src/c.ts'], { ...options, path, isOneOfSeveral: false })).toEqual(['packages/y/src/c.ts']);
    const files = ['src/c.ts', 'packages/x/index.js', 'packages/y/src/c.ts'];
    expect(paths(['src/c.ts'], { ...options, path, files })).toEqual(['packages/y/src/c.ts']);
  });

  test('of several reports one below base-path, or around it, has base-path first', () => {
    const options = { files: [...FILES, 'packages/y/lib/src/c.ts'], isOneOfSeveral: true };
    const path = `${root}/packages/y/coverage/lcov.info`;
    expect(paths(['src/c.ts'], { ...options, path, basePath: 'packages/y/lib' })).toEqual(['packages/y/lib/src/c.ts']);
    expect(paths(['src/c.ts'], { ...options, path, basePath: 'packages' })).toEqual(['packages/y/src/c.ts']);
  });

  test('a name that begins at the root counts as such although base-path is given', () => {
    expect(paths(['packages/x/src/c.ts', 'index.js'], { files: FILES, basePath: 'packages/x' })).toEqual([
      'packages/x/src/c.ts',
      'index.js',
    ]);
  });

  test('the folders around the report, the nearest first', () => {
    const path = `${root}/packages/x/coverage/lcov.info`;
    expect(paths(['src/c.ts', 'index.js'], { files: FILES, path })).toEqual(['packages/x/src/c.ts', 'index.js']);
    expect(paths(['../src/c.ts'], { files: FILES, path })).toEqual(['packages/x/src/c.ts']);
  });

  test('every <source> is tried: two legs come out under one name', () => {
    const files = ['tests/test_x.py', 'pkg/m.py'];
    const sources = [`${root}/tests`, root];
    expect(paths(['tests/test_x.py', 'pkg/m.py'], { files, sources })).toEqual(['tests/test_x.py', 'pkg/m.py']);
    expect(paths(['test_x.py', 'pkg/m.py'], { files, sources })).toEqual(['tests/test_x.py', 'pkg/m.py']);
  });

  test('relative sources', () => {
    expect(paths(['a.ts'], { files: FILES, sources: ['src'] })).toEqual(['src/a.ts']);
    expect(paths(['src/a.ts'], { files: FILES, sources: ['.'] })).toEqual(['src/a.ts']);
  });

  test('a name that exists below several sources: the same choice in every leg, and it is said', () => {
    const files = ['conftest.py', 'tests/conftest.py'];
    const [one, other] = [
      [`${root}/tests`, root],
      [root, `${root}/tests`],
    ];
    const expected = { paths: ['conftest.py'], ambiguous: { 'conftest.py': ['conftest.py', 'tests/conftest.py'] } };
    expect(resolve(['conftest.py'], { files, sources: one as string[] })).toEqual(expected);
    expect(resolve(['conftest.py'], { files, sources: other as string[] })).toEqual(expected);
  });
});

test('of several sources the shortest counts first, not the first in the alphabet', () => {
  const files = ['a/deep/x.py', 'b/x.py'];
  expect(paths(['x.py'], { files, sources: [`${root}/a/deep`, `${root}/b`] })).toEqual(['b/x.py']);
});

describe('from elsewhere', () => {
  test.each([
    ['a container', '/usr/src/app/src/deep/b.ts'],
    ['another machine', '/Users/runner/work/repo/repo/src/deep/b.ts'],
    ['Windows', 'D:\\a\\repo\\repo\\src\\deep\\b.ts'],
    ['an import path', 'github.com/owner/repo/src/deep/b.ts'],
    ['a sub-folder', 'deep/b.ts'],
    ['the only file of that name', 'b.ts'],
    ['a folder above', '../deep/b.ts'],
  ])('%s', (_, name) => expect(paths([name], { files: FILES })).toEqual(['src/deep/b.ts']));

  test('sources of a container', () => {
    expect(paths(['deep/b.ts'], { files: FILES, sources: ['/app/src'] })).toEqual(['src/deep/b.ts']);
  });

  test('a name that fits several files is left out, and it is said', () => {
    expect(resolve(['/app/src/c.ts', 'c.ts'], { files: FILES })).toEqual({
      paths: [undefined, undefined],
      ambiguous: {
        '/app/src/c.ts': ['packages/x/src/c.ts', 'packages/y/src/c.ts'],
        'c.ts': ['packages/x/src/c.ts', 'packages/y/src/c.ts'],
      },
    });
  });

  test('of several files the one below base-path is meant, else the one nearest to the report', () => {
    const expected = { paths: ['packages/y/src/c.ts'], ambiguous: {} };
    expect(resolve(['/app/src/c.ts'], { files: FILES, basePath: 'packages/y' })).toEqual(expected);
    const path = `${root}/packages/y/coverage/lcov.info`;
    expect(resolve(['/app/src/c.ts'], { files: FILES, path })).toEqual(expected);
    expect(resolve(['/srv/z/src/c.ts'], { files: FILES, path })).toEqual(expected);
  });

  test('the names that fit one file decide for those that fit several', () => {
    const files = [...FILES, 'packages/x/src/d.ts', 'packages/x/src/e.ts'];
    const names = ['/app/src/c.ts', '/app/src/d.ts', '/app/src/e.ts'];
    expect(resolve(names, { files })).toEqual({
      paths: ['packages/x/src/c.ts', 'packages/x/src/d.ts', 'packages/x/src/e.ts'],
      ambiguous: {},
    });
    expect(paths(['src/c.ts', 'src/d.ts', 'src/e.ts'], { files, path: '/elsewhere/lcov.info' })[0]).toBe(
      'packages/x/src/c.ts',
    );
  });

  test('a file that is alike by chance is not taken where most names of the folder say otherwise', () => {
    const names = ['/ci/r/src/a.ts', '/ci/r/src/deep/b.ts', '/ci/r/build/gen/src/a.ts'];
    expect(paths(names, { files: FILES })).toEqual(['src/a.ts', 'src/deep/b.ts', undefined]);
    const copy = ['/ci/r/src/a.ts', '/ci/r/src/deep/b.ts', '/ci/r/build/z/src/c.ts'];
    const tracked = ['src/a.ts', 'src/deep/b.ts', 'packages/z/src/c.ts'];
    expect(paths(copy, { files: tracked })).toEqual(['src/a.ts', 'src/deep/b.ts', undefined]);
    // One name alone says nothing of the others.
    expect(paths(['/app/main.py', '/app/gen/lib/calc.py'], { files: ['main.py', 'pkg/lib/calc.py'] })).toEqual([
      'main.py',
      'pkg/lib/calc.py',
    ]);
  });

  // Each file `u` and `v` is in one folder alone, each `c` in several.
  const shared = ['z/src/c.ts', 'z/src/d.ts', 'z/src/e.ts', 'q/src/c.ts', 'q/src/d.ts', 'q/src/e.ts'];
  const inZ = ['z/src/u1.ts', 'z/src/u2.ts'];
  const inB = ['b/src/v1.ts', 'b/src/v2.ts', 'b/src/v3.ts'];
  const below = (start: string, files: readonly string[]) =>
    files.map((file) => start + file.slice(file.indexOf('/') + 1));

  test.each(['as given', 'reversed'])('of two folders the one that holds most of the names is meant: %s', (order) => {
    const expected = [...inZ, ...shared.slice(0, 3)];
    const names = [...below('/srv/r/', expected), ...below('/srv/r/', inB)];
    const given = order === 'reversed' ? names.toReversed() : names;
    const found = resolve(given, { files: [...shared, ...inZ, ...inB] });
    const byName = new Map(given.map((name, index) => [name, found.paths[index]]));
    expect(names.map((name) => byName.get(name))).toEqual([...expected, undefined, undefined, undefined]);
    expect(found.ambiguous).toEqual({});
  });

  test.each(['as given', 'reversed'])('of two folders that hold as many the first one is meant: %s', (order) => {
    const files = ['a/src/u1.ts', 'a/src/u2.ts', 'a/src/c.ts', 'b/src/v1.ts', 'b/src/v2.ts', 'b/src/c.ts'];
    const names = below('/srv/r/', [...files.slice(0, 3), ...files.slice(3, 5)]);
    const given = order === 'reversed' ? names.toReversed() : names;
    const found = paths(given, { files });
    expect(names.map((name) => found[given.indexOf(name)])).toEqual([...files.slice(0, 3), undefined, undefined]);
  });

  test('however many places the names come from, those that most speaks for are counted first', () => {
    const decoys = Array.from({ length: 25 }, (_, at) => [`p${at}/src/one${at}.ts`, `p${at}/src/two${at}.ts`]);
    const elsewhere = decoys.flatMap((files, at) => below(`/d${String(at).padStart(2, '0')}/r/`, files));
    const expected = [...inZ, ...shared.slice(0, 3)];
    const names = [...elsewhere, ...below('/a/r/', [...expected, ...inB])];
    const files = [...shared, ...inZ, ...inB, ...decoys.flat()];
    expect(paths(names, { files }).slice(elsewhere.length)).toEqual([...expected, undefined, undefined, undefined]);
  });
});

describe('an installed copy of the own package', () => {
  const tracked = ['src/attr/__init__.py', 'src/attr/_make.py', 'tests/__init__.py', 'six.py', 'tests/mock.py'];
  const tox = '.tox/py312/lib/python3.12/site-packages';

  test.each([
    ['relative', (name: string) => `${tox}/${name}`],
    ['in the checkout', (name: string) => `${root}/${tox}/${name}`],
    ['on another machine', (name: string) => `/home/x/lib/python3/dist-packages/${name}`],
    ['on Windows', (name: string) => `D:\\a\\r\\.nox\\Lib\\site-packages\\${name.replaceAll('/', '\\')}`],
  ])('%s', (_, name) => {
    const names = ['attr/__init__.py', 'attr/_make.py', 'attr/_version.py', 'six.py'].map(name);
    const expected = ['src/attr/__init__.py', 'src/attr/_make.py', undefined, 'six.py'];
    expect(resolve(names, { files: tracked })).toEqual({ paths: expected, ambiguous: {} });
  });

  test('as a <source> of Cobertura', () => {
    const options = { files: tracked, sources: [`${root}/${tox}/attr`] };
    expect(paths(['__init__.py', '_make.py'], options)).toEqual(['src/attr/__init__.py', 'src/attr/_make.py']);
  });

  test('other packages stay out, though a file of theirs is called alike', () => {
    const names = ['attr/_cmp.py', 'attr/_funcs.py', 'attr/__init__.py', 'mock.py', 'pip/_vendor/six.py'];
    const options = { files: tracked };
    expect(
      resolve(
        names.map((name) => `${tox}/${name}`),
        options,
      ),
    ).toEqual({ paths: Array(5), ambiguous: {} });
  });

  test('half of its files are enough, and another copy does not matter', () => {
    const copies = { a: ['_make.py', '_gen.py'], b: ['x.py', 'y.py', 'z.py', '_cmp.py'] };
    const names = Object.entries(copies).flatMap(([venv, files]) =>
      files.map((file) => `${venv}/site-packages/attr/${file}`),
    );
    const inFolder = names.map((name) => `envs/${name}`);
    expect(paths(inFolder, { files: tracked })).toEqual(['src/attr/_make.py', ...Array(5)]);
  });

  test('that two folders hold alike is said', () => {
    const files = ['a/attr/_make.py', 'b/attr/_make.py'];
    expect(resolve([`${tox}/attr/_make.py`], { files }).ambiguous).toEqual({ [`${tox}/attr/_make.py`]: files });
  });

  test('by a link of a workspace, by the name in its manifest', () => {
    write('packages/store/package.json', '{"name": "@acme/shop"}');
    const files = ['packages/store/package.json', 'packages/store/src/c.ts', 'packages/y/src/c.ts', 'index.js'];
    const names = ['node_modules/@acme/shop/src/c.ts', `${root}/node_modules/@acme/shop/dist/c.js`];
    expect(resolve(names, { files })).toEqual({ paths: ['packages/store/src/c.ts', undefined], ambiguous: {} });
    const others = ['node_modules/other/src/c.ts', 'node_modules/@acme/store/src/c.ts', 'node_modules/x/index.js'];
    expect(paths(others, { files })).toEqual([undefined, undefined, undefined]);
  });

  test('by a link of a workspace, by the name of its folder where it has no manifest', () => {
    expect(paths(['node_modules/@acme/y/src/c.ts', 'node_modules/z/src/c.ts'], { files: FILES })).toEqual([
      'packages/y/src/c.ts',
      undefined,
    ]);
  });
});

describe('named exactly', () => {
  test.each(['vendor', 'target', 'node_modules', 'site-packages'])('a tracked file below %s counts', (folder) => {
    const files = ['app/main.py', `app/${folder}/models.py`, `${folder}/x.py`];
    for (const start of ['', './', '/app/', '/srv/x/', `${root}/`])
      expect(
        paths(
          files.map((file) => start + file),
          { files },
        ),
      ).toEqual(files);
  });

  test('the file at the root is meant although a package has one that ends alike', () => {
    const files = ['src/i.js', 'packages/a/src/i.js'];
    for (const start of ['', './', '../', '/', 'webpack:///./'])
      expect(resolve([`${start}src/i.js`], { files })).toEqual({ paths: ['src/i.js'], ambiguous: {} });
  });

  test('a folder of the repo may be called like the place of the checkout', () => {
    const files = ['app/models.py', 'models.py', 'main.py'];
    expect(paths(['/app/main.py', '/app/models.py', '/app/app/models.py'], { files })).toEqual([
      'main.py',
      'models.py',
      'app/models.py',
    ]);
    expect(paths(['/main.py', '/models.py', '/app/models.py'], { files })).toEqual([
      'main.py',
      'models.py',
      'app/models.py',
    ]);
  });
});

describe('at the root of a checkout elsewhere', () => {
  const files = ['main.py', 'lib/calc.py', 'lib/main.py'];

  test.each([
    '/app/',
    '/__w/shop/shop/',
    'D:\\a\\shop\\shop\\',
    '/home/runner/work/shop/shop/',
    '/github/workspace/',
    '/builds/acme/web/shop/',
    '/opt/atlassian/pipelines/agent/build/',
    '/home/me/actions-runner/_work/shop/shop/',
    'C:\\actions-runner\\_work\\shop\\shop\\',
    '/srv/any/place/',
  ])('%s: one file in a folder tells where the others are', (start) => {
    expect(paths([`${start}main.py`, `${start}lib/calc.py`], { files })).toEqual(['main.py', 'lib/calc.py']);
  });

  test('a usual place needs no other file, and other names beside it do not matter', () => {
    expect(paths(['/app/main.py'], { files })).toEqual(['main.py']);
    expect(paths(['/opt/ci/runner-1/_work/shop/shop/main.py'], { files })).toEqual(['main.py']);
    expect(paths(['/App/main.py'], { files })).toEqual([undefined]);
    expect(paths(['d:\\a\\shop\\shop\\main.py'], { files })).toEqual(['main.py']);
    for (const start of ['C:\\actions-runner\\_work\\shop\\shop\\', 'E:\\_work\\1\\s\\', 'c:/app/'])
      expect(paths([`${start}main.py`], { files })).toEqual(['main.py']);
    expect(paths(['/a/shop/shop/main.py'], { files })).toEqual([undefined]);
    expect(paths(['/app/main.py', '/opt/x/y.py', 'lib/calc.py'], { files })).toEqual([
      'main.py',
      undefined,
      'lib/calc.py',
    ]);
  });

  test('elsewhere one file alone is the only tracked one of its name', () => {
    expect(paths(['/srv/any/tool.py'], { files: ['tool.py', 'lib/calc.py'] })).toEqual(['tool.py']);
    expect(paths(['/srv/any/tool.py', '/usr/lib/x.py'], { files: ['tool.py', 'lib/calc.py'] })[0]).toBe('tool.py');
    expect(paths(['/srv/any/main.py'], { files })).toEqual([undefined]);
    expect(paths(['/srv/any/tool.py', '/srv/any/sub/gen.py'], { files: ['tool.py'] })).toEqual([undefined, undefined]);
    expect(paths(['/srv/any/tool.py', 'lib/calc.py'], { files: ['tool.py', 'lib/calc.py'] })[0]).toBeUndefined();
  });

  test('one vote is not enough where names begin elsewhere too', () => {
    const names = ['/srv/a/main.py', '/srv/a/lib/calc.py', '/opt/b/x.py'];
    expect(paths(names, { files })).toEqual([undefined, 'lib/calc.py', undefined]);
  });

  test('a folder of the repo that a container has at its root', () => {
    const tracked = ['backend/main.py', 'backend/lib/calc.py', 'main.py'];
    const expected = ['backend/main.py', 'backend/lib/calc.py'];
    expect(paths(['/app/main.py', '/app/lib/calc.py'], { files: tracked, basePath: 'backend' })).toEqual(expected);
    const path = `${root}/backend/coverage.xml`;
    expect(paths(['/app/main.py', '/app/lib/calc.py'], { files: tracked, path })).toEqual(expected);
    expect(paths(['/app/main.py'], { files: tracked, path })).toEqual(['backend/main.py']);
  });

  test('where as many files are in that folder as at the root, the folder is meant, whatever the order', () => {
    const options = { files: ['backend/job.py', 'tool.py'], basePath: 'backend' };
    expect(paths(['/app/job.py', '/app/tool.py'], options)).toEqual(['backend/job.py', undefined]);
    expect(paths(['/app/tool.py', '/app/job.py'], options)).toEqual([undefined, 'backend/job.py']);
  });

  test('a folder of the system counts only where the repo has it at its root', () => {
    const files = ['lib/x.py', 'lib/y.py'];
    expect(paths(['/lib/x.py', '/lib/y.py'], { files })).toEqual(files);
    expect(paths(['/usr/lib/x.py', '/usr/lib/y.py'], { files })).toEqual([undefined, undefined]);
  });
});

describe('no file is two', () => {
  test('a copy in a folder of the build, or of another package, is left out', () => {
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts'];
    expect(paths(['src/a.ts', '/opt/dep/src/a.ts'], { files })).toEqual(['src/a.ts', undefined]);
    const copies = ['/ci/r/src/a.ts', '/ci/r/src/b.ts', '/ci/r/build/src/a.ts', '/ci/r/build/src/b.ts'];
    expect(paths(copies, { files })).toEqual(['src/a.ts', 'src/b.ts', undefined, undefined]);
    expect(paths(['/ci/r/src/a.ts', '/ci/r/build/src/a.ts'], { files })).toEqual(['src/a.ts', undefined]);
    expect(paths(['/ci/r/src/a.ts', '/opt/q/src/a.ts'], { files })).toEqual([undefined, undefined]);
  });
});

describe('as bundlers write it', () => {
  test.each([
    'webpack:///./src/a.ts',
    'webpack:///src/a.ts?9f3c',
    'webpack://shop/./src/a.ts?9f3c',
    'webpack://@acme/shop/./src/a.ts',
    'webpack-internal:///./src/a.ts',
    'webpack-internal:///(rsc)/./src/a.ts',
    'turbopack:///[project]/src/a.ts',
    'src/a.ts?v=1a2b',
    '/src/a.ts?t=1700000000000',
    '../../src/a.ts',
    'http://localhost:5173/src/a.ts?v=1',
  ])('%s', (name) => expect(paths([name], { files: [...FILES, 'packages/x/src/a.ts'] })).toEqual(['src/a.ts']));

  test('absolute, and below the folder of the report', () => {
    expect(paths([`webpack:///${root}/src/a.ts`, `/@fs${root}/src/a.ts?v=1`], { files: FILES })).toEqual([
      'src/a.ts',
      'src/a.ts',
    ]);
    const path = `${root}/packages/y/coverage/lcov.info`;
    expect(paths(['webpack://y/./src/c.ts', '../../src/c.ts'], { files: FILES, path })).toEqual([
      'packages/y/src/c.ts',
      'packages/y/src/c.ts',
    ]);
  });

  test.each(['webpack/bootstrap', 'webpack://shop/webpack/runtime/a.ts', 'webpack://shop/external "a.ts"'])(
    '%s is no file of the repo',
    (name) => expect(paths([name], { files: ['src/a.ts'] })).toEqual([undefined]),
  );

  test('a file that is really called so goes before', () => {
    expect(paths(['src/a.ts?v=1'], { files: ['src/a.ts', 'src/a.ts?v=1'] })).toEqual(['src/a.ts?v=1']);
  });
});

test('letters that macOS writes in two characters, on either side', () => {
  const [one, two] = ['src/caf\u00e9/\u00fc.ts', 'src/cafe\u0301/u\u0308.ts'] as const;
  for (const start of ['', '/app/', '/srv/x/', `${root}/`]) {
    expect(paths([start + two], { files: [one, 'src/a.ts'] })).toEqual([one]);
    expect(paths([start + one], { files: [two, 'src/a.ts'] })).toEqual([two]);
    expect(paths([start + one, start + two], { files: [two, one] })).toEqual([one, two]);
  }
});

test('through a link to a folder it is the file that the link leads to; one that leads out is none', () => {
  write('packages/core/src/x.js', '');
  write('packages/core/index.js', '');
  write('lib/src/x.js', '');
  symlinkSync('packages/core', join(root, 'core'));
  symlinkSync('..', join(root, 'out'));
  const files = ['core', 'packages/core/src/x.js', 'packages/core/index.js', 'lib/src/x.js'];
  for (const start of ['', `${root}/`, '/app/'])
    expect(
      paths(
        ['core/src/x.js', 'core/index.js'].map((name) => start + name),
        { files },
      ),
    ).toEqual(files.slice(1, 3));
  expect(paths(['out/repo/lib/src/x.js', 'out/other.js'], { files })).toEqual([undefined, undefined]);
  symlinkSync('.', join(root, 'here'));
  expect(paths(['here/lib/src/x.js'], { files })).toEqual(['lib/src/x.js']);
});

describe('outside', () => {
  test.each([
    '/usr/include/c++/12/src/a.ts',
    '/home/x/.venv/lib/python3.12/site-packages/src/a.ts',
    '/Users/x/.cargo/registry/src/a.ts',
    '/rustc/abc/src/a.ts',
    'node_modules/x/src/a.ts',
    '../../other/src/a.ts',
    'generated/src/a.ts',
    'src/new.ts',
    '../../../etc/passwd',
  ])('%s is left out', (name) =>
    expect(resolve([name], { files: FILES })).toEqual({ paths: [undefined], ambiguous: {} }),
  );

  test('relative names of a folder that is not there are left out, however many they are', () => {
    expect(paths(['gen/src/a.ts', 'gen/src/deep/b.ts'], { files: FILES })).toEqual([undefined, undefined]);
  });

  test('generated files below the root are left out, not guessed', () => {
    expect(paths([`${root}/target/out/src/a.ts`, `${root}/build/index.js`], { files: FILES })).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a source outside of the checkout does not matter where the checkout has the file', () => {
    const sources = ['/venv/lib/python3.12/site-packages'];
    expect(paths(['deep/b.ts'], { files: FILES, sources })).toEqual(['src/deep/b.ts']);
  });
});

test('a tracked link to a file is the file that it leads to; one that leads to none counts by its own name', () => {
  const files = ['lib/real.js', 'lib/other.js'];
  for (const file of files) write(file, '');
  write('loose.js', '');
  const targets = { 'a.js': 'lib/real.js', 'b.js': 'a.js', 'c.js': 'loose.js', 'd.js': 'gone.js', 'e.js': '../x.js' };
  for (const [name, target] of Object.entries(targets)) symlinkSync(target, join(root, name));
  const links = Object.keys(targets);
  expect(paths([...links, 'lib/real.js'], { files, links })).toEqual([
    'lib/real.js',
    'lib/real.js',
    'c.js',
    'd.js',
    'e.js',
    'lib/real.js',
  ]);
  symlinkSync('real.js', join(root, 'lib/same.js'));
  expect(paths(['same.js'], { files, links: ['lib/same.js'], basePath: 'lib' })).toEqual(['lib/real.js']);
});
