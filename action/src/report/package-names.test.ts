import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFixtureReport } from '../../../test/support/fixture-reports.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { jacoco } from '../formats/jacoco.ts';
import { TrackedFiles } from './checkout.ts';
import { placePackages } from './package-names.ts';

const trackedOf = (files: readonly string[]) =>
  new TrackedFiles({ root: '/', files: new Set(files), links: new Set(), byGit: true });
const place = (names: Record<string, readonly string[]>, files: readonly string[], folders: readonly string[] = []) => {
  const packaged = new Map(
    Object.entries(names).flatMap(([path, modules]) =>
      modules.map((module) => [`${module}/${path}`, { modules: module === '' ? [] : [module], path }] as const),
    ),
  );
  const { paths, ambiguous } = placePackages(packaged, { tracked: trackedOf(files), folders });
  return { paths: Object.fromEntries(paths), ambiguous: Object.fromEntries(ambiguous) };
};

test('below any source root', () => {
  const files = ['src/main/java/com/a/A.java', 'mod/app/com/b/B.java', 'com/c/C.java', 'docs/A.java'];
  const names = { 'com/a/A.java': [''], 'com/b/B.java': [''], 'com/c/C.java': [''], 'com/d/A.java': [''] };
  expect(place(names, files)).toEqual({
    paths: { '/com/a/A.java': files[0], '/com/b/B.java': files[1], '/com/c/C.java': files[2] },
    ambiguous: {},
  });
});

test('two modules with the same file: the folder that is called like the module', () => {
  const files = ['core/src/main/java/a/A.java', 'web/src/main/java/a/A.java'];
  expect(place({ 'a/A.java': ['web', 'core'] }, files)).toEqual({
    paths: { 'web/a/A.java': files[1], 'core/a/A.java': files[0] },
    ambiguous: {},
  });
});

test('a folder of another name: the root that holds the other files of the module', () => {
  const files = ['x/src/a/A.java', 'x/src/a/X.java', 'y/src/a/A.java', 'y/src/a/Y.java'];
  const { paths } = place({ 'a/A.java': ['shop-x', 'shop-y'], 'a/X.java': ['shop-x'], 'a/Y.java': ['shop-y'] }, files);
  expect(paths).toMatchObject({ 'shop-x/a/A.java': 'x/src/a/A.java', 'shop-y/a/A.java': 'y/src/a/A.java' });
});

test('without modules: the folder around the report, else it is ambiguous', () => {
  const files = ['core/src/a/A.java', 'web/src/a/A.java'];
  expect(place({ 'a/A.java': [''] }, files, ['web/target', 'web']).paths).toEqual({ '/a/A.java': 'web/src/a/A.java' });
  expect(place({ 'a/A.java': [''] }, files)).toEqual({ paths: {}, ambiguous: { '/a/A.java': files } });
});

test('Kotlin may leave out the folders that all packages begin with; Java may not', () => {
  const files = ['app/src/main/kotlin/ui/Page.kt', 'app/src/main/java/ui/Page.java', 'docs/Page.kt'];
  expect(place({ 'com/acme/ui/Page.kt': [''], 'com/acme/ui/Page.java': [''] }, files)).toEqual({
    paths: { '/com/acme/ui/Page.kt': files[0] },
    ambiguous: {},
  });
});

test.each(['jacoco-0.8.12-aggregate', 'jacoco-0.8.12-module'])('%s: every name, to its own module', async (name) => {
  const { text, expected, sources } = await readFixtureReport(name);
  const tracked = trackedOf(readdirSync(sources, { recursive: true, encoding: 'utf8' }));
  const { packaged = new Map(), files: read } = jacoco.parse(reportInMemory(expected.report, text));
  const { paths, ambiguous } = placePackages(packaged, { tracked, folders: name.endsWith('module') ? ['web'] : [] });
  expect(ambiguous.size).toBe(0);
  const lines = read.map((file) => [paths.get(file.name), file.countLines().covered]);
  const counted = Object.entries(expected.files).map(([path, counts]) => [path, counts.lines.covered]);
  expect(Object.fromEntries(lines)).toEqual(Object.fromEntries(counted));
});
