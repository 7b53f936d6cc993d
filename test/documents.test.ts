import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CONFIG_VARIABLES } from '../server/src/config-variables.ts';
import { INDEXES, type StoreIndex } from '../server/src/store/mongo/schema.ts';
import { readInputDefaults } from './support/action-metadata.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Rows of the Markdown tables of a text, as trimmed cells. */
function tableRows(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('docs/operating.md lists every variable with its default and meaning', async () => {
  const rows = tableRows(await read('docs/operating.md'));
  const documented = rows.filter(([name]) => /^`[A-Z_]+`$/.test(name ?? ''));
  expect(documented).toEqual(
    CONFIG_VARIABLES.map(({ name, default: fallback, meaning, secret }) => [
      `\`${name}\``,
      fallback === undefined ? '' : `\`${fallback}\``,
      meaning + (secret ? ' Secret.' : ''),
    ]),
  );
});

test('README.md lists every input of action.yml', async () => {
  const metadata = await read('action.yml');
  const inputs = [
    ...metadata.slice(metadata.indexOf('inputs:'), metadata.indexOf('outputs:')).matchAll(/^ {2}([a-z-]+):$/gm),
  ].map(([, name]) => name);
  const rows = tableRows(await read('README.md')).filter(([name]) => inputs.includes(name?.replaceAll('`', '')));
  expect(rows.map(([name]) => name?.replaceAll('`', ''))).toEqual(inputs);
  const defaults = readInputDefaults(metadata);
  for (const [name = '', fallback = ''] of rows) {
    expect(fallback.replaceAll('`', ''), name).toBe(defaults.get(name.replaceAll('`', '')) ?? '');
  }
});

test('docs/operating.md lists every index of MongoDB with the query it serves', async () => {
  const connection = await read('server/src/store/mongo/connection.ts');
  const collections = new Map(
    [...connection.matchAll(/^ +(\w+): open\('(\w+)'\),$/gm)].map(([, key, name]) => [key, name]),
  );
  const text = await read('docs/operating.md');
  const table = text.slice(text.indexOf('\n| collection | index |')).split('\n\n', 1)[0] ?? '';
  // As lines, so that what a failure shows can be pasted into the page.
  const documented = table.trim().split('\n').slice(2);
  expect(documented).toEqual(INDEXES.map((index) => indexRow(index, collections.get(index.collection))));
});

function indexRow({ name, keys, unique, where, serves }: StoreIndex, collection: string | undefined): string {
  const fields = Object.entries(keys).map(([field, direction]) => (direction === 1 ? field : `${field}: ${direction}`));
  const kind = [unique ? 'unique' : '', where === undefined ? '' : `with \`${where}\``].filter(Boolean).join(', ');
  return `| \`${collection}\` | \`${name}\` | \`${fields.join(', ')}\` | ${kind === '' ? '' : `${kind} `}| ${serves} |`;
}
