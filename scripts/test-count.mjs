// Reads the logs of test runs and closes with their count in plain words: `N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** A log may hold the counts of several runs, one after the other. */
const lines = process.argv.slice(2).flatMap((path) => {
  const log = stripVTControlCharacters(readFileSync(path, 'utf8'));
  const counts = [...log.matchAll(/^\s*Tests\s+(.*)$/gm)].map(([, count]) => count);
  return counts.length > 0 ? counts : [''];
});
const countIn = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
const count = (word) => lines.reduce((sum, line) => sum + countIn(line, word), 0);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
// A run that passed nothing, of any of them, proves nothing.
if (lines.length === 0 || lines.some((line) => countIn(line, 'passed') === 0)) process.exitCode = 1;
