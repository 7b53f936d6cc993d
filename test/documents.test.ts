import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CONFIG_VARIABLES } from '../server/src/config-variables.ts';
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
