import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FORMATS } from '../action/src/formats/formats.ts';
import { CODECOV_INPUTS } from '../action/src/step/codecov-inputs.ts';
import { CONFIG_VARIABLES } from '../server/src/config/variables.ts';
import { AUDIT_ACTIONS } from '../server/src/core/repo/audit.ts';
import { ALL_SETTINGS } from '../server/src/core/repo/settings.ts';
import { FLAG_RULES } from '../server/src/core/verdict/reason.ts';
import { COLLECTION_NAMES } from '../server/src/storage/mongo/connection.ts';
import { MIGRATIONS as MONGO_STEPS, READABLE_BY } from '../server/src/storage/mongo/schema.ts';
import { MIGRATIONS as SQLITE_STEPS } from '../server/src/storage/sqlite/schema.ts';
import { COVERAGE_FILE } from '../shared/src/coverage-file/declaration.ts';
import type { Form } from '../shared/src/coverage-file/form.ts';
import { readAnswers } from './support/access/access-table.ts';
import { listRepoPages } from './support/access/walk-access.ts';
import { versionOf } from './support/packages/versions.ts';
import { quotesOfNothing } from './support/repo-checks/sentences.ts';
import { readInputDefaults } from './support/runner-stand-in/action-metadata.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Items of the Markdown lists of a text, each as one line. */
function listItems(text: string): readonly string[] {
  return [...text.matchAll(/^- .*(?:\n {2}\S.*)*/gm)].map(([item]) => item.replaceAll('\n  ', ' '));
}

/** Items that begin with a name in code: the name, its default in brackets, and its meaning. */
function namedItems(text: string): readonly (readonly [name: string, fallback: string, meaning: string])[] {
  return listItems(text).flatMap((item) => {
    const [, name, fallback = '', meaning] = /^- `([^`]+)`(?: \(`([^`]+)`\))?: (.*)$/.exec(item) ?? [];
    return name === undefined || meaning === undefined ? [] : [[name, fallback, meaning] as const];
  });
}

test('docs/configuration.md lists every variable with its default and meaning', async () => {
  const items = namedItems(await read('docs/configuration.md'));
  const documented = items.filter(([name]) => /^[A-Z_]+$/.test(name));
  expect(documented).toEqual(
    CONFIG_VARIABLES.map(({ name, default: fallback, meaning, secret }) => [
      name,
      fallback ?? '',
      meaning + (secret ? ' Secret.' : ''),
    ]),
  );
});

test('docs/formats.md lists the formats in the order in which they are taken', async () => {
  const [, order = ''] = /first in this\s+order(.*?)\.\s+With `files`/s.exec(await read('docs/formats.md')) ?? [];
  const names = [...order.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(names).toEqual([...new Set(FORMATS.map(({ name }) => name))]);
});

test('docs/action.md lists every input of action.yml', async () => {
  const metadata = await read('action.yml');
  const text = await read('docs/action.md');
  const [own = '', others = ''] = metadata
    .slice(metadata.indexOf('inputs:'), metadata.indexOf('outputs:'))
    .split('# Inputs of codecov/codecov-action');
  const namesIn = (part: string) => [...part.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name = '']) => name);
  const inputs = namesIn(own);
  expect(namesIn(others).toSorted()).toEqual(CODECOV_INPUTS.toSorted());
  const taken = listItems(text.slice(text.indexOf('### Inputs of codecov'), text.indexOf('## Outputs'))).join('\n');
  for (const name of CODECOV_INPUTS) expect(taken).toContain(`\`${name}\``);
  const items = namedItems(text).filter(([name]) => inputs.includes(name));
  expect(items.map(([name]) => name)).toEqual(inputs);
  const defaults = readInputDefaults(metadata);
  for (const [name, fallback] of items) {
    expect(fallback, name).toBe(defaults.get(name) ?? '');
  }
});

test('docs/api.md names every setting of a repo', async () => {
  const text = await read('docs/api.md');
  for (const { key, alias = key } of ALL_SETTINGS) for (const name of [key, alias]) expect(text).toContain(name);
});

test('docs/pages.md names every page of a repo', async () => {
  const text = await read('docs/pages.md');
  const pages = listRepoPages(await readAnswers());
  expect(pages.length).toBeGreaterThan(8);
  expect(pages.filter((page) => !text.includes(`…/${page}`))).toEqual([]);
});

test('docs/coverage-yml.md names every key of the file', async () => {
  const text = await read('docs/coverage-yml.md');
  const code = [...text.matchAll(/```.*?```|`[^`]+`/gs)].map(([piece]) => piece).join(' ');
  const words = new Set(code.match(/\w+/g));
  expect([...keysOf(COVERAGE_FILE)].filter((key) => !words.has(key))).toEqual([]);
});

function* keysOf(form: Form): Generator<string> {
  if (form.kind === 'either') for (const one of form.forms) yield* keysOf(one);
  if (form.kind === 'list' || form.kind === 'named') yield* keysOf(form.of);
  if (form.kind !== 'map') return;
  for (const [key, { form: inner }] of Object.entries(form.keys)) {
    yield key;
    yield* keysOf(inner);
  }
}

test('docs/rules.md names every rule of a verdict', async () => {
  const text = await read('docs/rules.md');
  for (const rule of FLAG_RULES) expect(text).toContain(`\`${rule}\``);
});

test('docs/architecture/stores.md lists every collection of MongoDB', async () => {
  const text = await read('docs/architecture/stores.md');
  const listed = [...text.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  expect(listed.sort()).toEqual(Object.values(COLLECTION_NAMES).sort());
});

test('docs/people.md lists every action of the audit log', async () => {
  const text = await read('docs/people.md');
  const section = text.slice(text.indexOf('| action | what changed |')).split('\n\n', 1).join('');
  const actions = [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[a-z]+[a-z.-]+/g) ?? [],
  );
  expect(actions.sort()).toEqual([...AUDIT_ACTIONS].sort());
});

test('docs/troubleshooting.md quotes sentences that the server says', async () => {
  const text = await read('docs/troubleshooting.md');
  const firstCells = [...text.matchAll(/^\| ([^|]*`[^|]*…[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const quoted = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]*)`/g)].map(([, sentence = '']) => sentence));
  expect(quoted.length).toBeGreaterThan(10);
  // A host's name is a value.
  expect(quotesOfNothing(quoted.map((sentence) => sentence.replaceAll('GitHub', '…')))).toEqual([]);
});

test('docs/upgrading.md has the schemas of this version, and says of others on MongoDB what it can read', async () => {
  const page = (await read('docs/upgrading.md')).split('## What runs beside what')[1] ?? '';
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+), ([^|]+) \| (yes|no)\b/gm)];
  expect(rows.length).toBeGreaterThan(2);
  expect(rows[0]?.slice(1)).toEqual([versionOf(root), `${SQLITE_STEPS.length}`, `${MONGO_STEPS.length}`, 'yes']);
  const wrong = rows.filter(([, , , steps = '', beside]) => {
    const known = Number(steps.split(' to ').at(-1));
    return known >= READABLE_BY !== (beside === 'yes');
  });
  expect(wrong).toEqual([]);
});

test('each "yes" of docs/hosts.md names a test that is there, and each test is named', async () => {
  const [table = '', tests = ''] = (await read('docs/hosts.md')).split('## The tests');
  const cells = [...table.matchAll(/^\| .*\|$/gm)].flatMap(([row]) => row.split('|').map((cell) => cell.trim()));
  expect(
    cells.filter((cell) => /^(?:yes|in part)\b/.test(cell) && !/^(?:yes|in part) (?:\[\d+\])+$/.test(cell)),
  ).toEqual([]);
  const listed = [...tests.matchAll(/^(\d+)\. `([^`]+)`/gm)].map(([, number = '', file = '']) => ({
    number,
    file,
  }));
  expect(listed.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  const named = new Set(cells.flatMap((cell) => [...cell.matchAll(/\[(\d+)\]/g)].map(([, number]) => number)));
  expect([...named].toSorted()).toEqual(listed.map(({ number }) => number).toSorted());
});
