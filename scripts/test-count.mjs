// Reads a test run's log and closes with its count in plain words: `N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';

const log = readFileSync(process.argv[2] ?? '', 'utf8').replace(/\u001b\[[0-9;]*m/g, '');
const line = [...log.matchAll(/^\s*Tests\s+(.*)$/gm)].at(-1)?.[1] ?? '';
const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
if (count('passed') === 0) process.exitCode = 1;
