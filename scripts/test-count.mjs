// Reads a test run's log and closes with its count in plain words: `N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const log = stripVTControlCharacters(readFileSync(process.argv[2] ?? '', 'utf8'));
const line = [...log.matchAll(/^\s*Tests\s+(.*)$/gm)].at(-1)?.[1] ?? '';
const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
if (count('passed') === 0) process.exitCode = 1;
