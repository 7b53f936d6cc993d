// Reads the logs of test runs and closes with their count in plain words: `N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const lines = process.argv.slice(2).map((path) => {
  const log = stripVTControlCharacters(readFileSync(path, 'utf8'));
  return [...log.matchAll(/^\s*Tests\s+(.*)$/gm)].at(-1)?.[1] ?? '';
});
const countIn = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
const count = (word) => lines.reduce((sum, line) => sum + countIn(line, word), 0);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
// A run that passed nothing, of any of them, proves nothing.
if (lines.length === 0 || lines.some((line) => countIn(line, 'passed') === 0)) process.exitCode = 1;
