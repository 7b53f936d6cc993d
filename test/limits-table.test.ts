import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CONFIG_VARIABLES } from '../server/src/config/variables.ts';
import { LIMITS } from './support/documents/limits.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const cells = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const rows = readFileSync(join(root, 'docs/limits.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map(cells)
  .filter(([what = '']) => !/^(\*\*|---)/.test(what));

/** A setting that bounds something: by its name. */
const BOUNDS =
  /^(?:MAX|MIN)_|_PER_(?:SECOND|MINUTE|DAY)$|_PERIOD$|_SIZE$|^RETENTION_|_DAYS$|_MAX_AGE$|_BACKUPS$|_THREADS$/;

test('docs/limits.md has each setting that is a limit, with its default', () => {
  const limits = CONFIG_VARIABLES.filter(({ name }) => BOUNDS.test(name));
  const documented = rows.flatMap(([, number = '', settings = '']) => {
    const numbers = number.split(', ');
    return [...settings.matchAll(/`(\w+)`/g)].map(([, name], index) => [name, numbers[index] ?? ''] as const);
  });
  expect(new Set(documented.map(([name]) => name))).toEqual(new Set(limits.map(({ name }) => name)));
  const defaults = new Map<string | undefined, string | undefined>(limits.map((one) => [one.name, one.default]));
  const stated = documented.filter(([name]) => defaults.get(name) !== undefined);
  expect(stated.map(([name, number]) => [name, number])).toEqual(stated.map(([name]) => [name, defaults.get(name)]));
});

test('no other setting is a number that bounds something', () => {
  const numbers = CONFIG_VARIABLES.filter((one) => /^\d+[a-zA-Z]*$/.test(one.default ?? '') && !BOUNDS.test(one.name));
  expect(numbers.map(({ name }) => name)).toEqual(['PORT']);
});

describe('each row of docs/limits.md', () => {
  test('is of a limit in the sources, with the number that stands there', () => {
    expect(rows.map(([what, number]) => [what, number])).toEqual(LIMITS.map(({ what, number }) => [what, number()]));
  });

  test('has the status and the words of its messages', () => {
    const wrong = LIMITS.flatMap(({ what, says }, index) => {
      const told = [...(rows[index]?.[4] ?? '').matchAll(/`([^`]*…[^`]*)`/g)].map(([, quoted = '']) => quoted);
      const parts = told.flatMap((quoted) => quoted.split('…').map((part) => part.trim()));
      return parts.filter((part) => !says.includes(part)).map((part) => [what, part]);
    });
    expect(wrong).toEqual([]);
  });

  test('that is answered with a status has a test that gets this answer', () => {
    const untried = LIMITS.filter(({ triedBy }) => triedBy !== undefined && !existsSync(join(root, triedBy)));
    expect(untried.map(({ what }) => what)).toEqual([]);
    const answered = rows.filter(([, , , answer = '']) => /^[45]/.test(answer)).map(([what]) => what);
    expect(LIMITS.filter(({ what, triedBy }) => triedBy === undefined && answered.includes(what))).toEqual([]);
  });
});
