import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { numRuns } from '../../../test/support/property-runs.ts';
import { createResolveNames } from './resolve-names.ts';

/** Names of drawn trees, as tools on drawn machines write them. */

const root = realpathSync(mkdtempSync(join(tmpdir(), 'every-name-')));
afterAll(() => rmSync(root, { recursive: true }));

const folder = fc.constantFrom(
  'app',
  'src',
  'lib',
  'vendor',
  'target',
  'node_modules',
  'caf\u00e9',
  'work',
  'packages',
);
const base = fc.constantFrom('main.py', 'index.js', 'a.ts', 'models.py', 'u\u0308.c');
const path = fc.tuple(fc.array(folder, { maxLength: 4 }), base).map(([folders, name]) => [...folders, name].join('/'));
const tree = fc.uniqueArray(path, { minLength: 1, maxLength: 14 });

const STARTS = [
  '',
  './',
  '/',
  `${root}/`,
  `file://${root}/`,
  'webpack:///./',
  '/app/',
  '/srv/any/place/',
  '/app/app/src/',
  '/__w/shop/shop/',
  'D:\\a\\shop\\shop\\',
  '/builds/acme/shop/',
  '/home/runner/work/lib/lib/',
];
const form = fc.constantFrom(...(['NFC', 'NFD'] as const));

function resolve(names: readonly string[], files: readonly string[]): (string | undefined)[] {
  const checkout = { root, files: new Set(files), links: new Set<string>(), byGit: true };
  const report = { path: `${root}/lcov.info`, names, sources: [] };
  const { paths } = createResolveNames({ checkout, basePath: '' })(report, { isOneOfSeveral: false });
  return names.map((name) => paths.get(name));
}

test('every tracked file that a report names is found under its own name, wherever its checkout was', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(...STARTS), form, (files, start, form) => {
      const names = files.map((file) => (start + file).normalize(form));
      expect(resolve(names, files)).toEqual(files);
    }),
    { numRuns: numRuns(5_000) },
  );
});

test('of names that begin at the root each is its own file, whatever else is tracked or named; none is two', () => {
  const given = fc.record({ named: tree, others: tree, strange: tree, start: fc.constantFrom('', './', `${root}/`) });
  fc.assert(
    fc.property(given, ({ named, others, strange, start }) => {
      const names = named.map((file) => start + file);
      // What lies in node_modules may be a link to a package of the repo.
      const noise = strange.map((file, index) => `/opt/${index}/${file.replaceAll('node_modules', 'modules')}`);
      const found = resolve([...names, ...noise], [...new Set([...named, ...others])]);
      expect(found.slice(0, names.length)).toEqual(named);
      const known = found.filter((file) => file !== undefined);
      expect(new Set(known).size).toBe(known.length);
    }),
    { numRuns: numRuns(5_000) },
  );
});

test('the order of names and of files changes nothing', () => {
  const names = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...STARTS, '/opt/x/', '../', 'gen/'), path).map(([start, name]) => start + name),
    { maxLength: 12 },
  );
  const mixed = names.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(mixed, tree, ([all, shuffled], files) => {
      const found = resolve(all, files);
      const again = resolve(shuffled, files.toReversed());
      expect(shuffled.map((name) => again[shuffled.indexOf(name)])).toEqual(
        shuffled.map((name) => found[all.indexOf(name)]),
      );
    }),
    { numRuns: numRuns(3_000) },
  );
});
