import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROGRAMS } from '../server/src/platform/sentences.ts';

test('what an operator runs in a checkout is a command of the archive too', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const commands = Object.entries(scripts)
    .filter(([, script]) => /ensure-built\.mjs && node server\/dist\//.test(script))
    .map(([name]) => name);
  expect(commands.length).toBeGreaterThan(5);
  expect(Object.keys(PROGRAMS).sort()).toEqual(commands.sort());
});
