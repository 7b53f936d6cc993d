import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const pages = globSync('**/*.md', { cwd: docs }).sort();
const read = (page: string): string => readFileSync(join(docs, page), 'utf8');
const MAX_WORDS = 1_500;

/** Pages that may be longer, and why. */
const LONG: ReadonlyMap<string, string> = new Map([
  ['api.md', 'a reference: each address'],
  ['configuration.md', 'a reference: each variable'],
  ['coverage-yml.md', 'a reference: each key'],
  ['formats.md', 'a reference: each format'],
  ['action.md', 'with each input'],
  ['architecture/performance.md', 'a reference: each figure'],
  ['migrating.md', 'a reference: each setting, and each source of a history'],
  ['architecture/processing.md', 'a reference: each step, queue and limit'],
  ['architecture/recipes.md', 'a reference: each task, and releases'],
  ['limits.md', 'a reference: each limit'],
  ['rules.md', 'a reference: each rule with its examples'],
]);

test('a page that is no reference has under 1,500 words', () => {
  const long = pages.filter((page) => read(page).split(/\s+/).length >= MAX_WORDS);
  expect(long.filter((page) => !LONG.has(page))).toEqual([]);
});

test('docs/README.md, which the site takes its sidebar from, lists every page once', () => {
  const list = read('README.md');
  const listed = [...list.matchAll(/^- \[[^\]]+\]\(([\w./-]+\.md)\)/gm)].map(([, page]) => page);
  expect(listed.toSorted()).toEqual(pages.filter((page) => page !== 'README.md'));
  expect(list.indexOf('\n- ')).toBeGreaterThan(list.indexOf('\n## '));
});
