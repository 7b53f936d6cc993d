// Reads the docs and the sentences that people meet as an editor would: articles, the passive, hard sentences. It
// counts them, and fails on a wrong article. With --list it prints every finding; paths after it choose files. Its
// packages are installed when this is asked for.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOwnPackages } from './own-packages.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const tool = join(root, 'tools/prose');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'];
const paths = process.argv.slice(2).filter((arg) => arg !== '--list');
const run = (args, input) =>
  execFileSync(process.execPath, args, { cwd: root, input, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** `file:line: text`, where text may continue in further lines, and `{}` is a value. */
function readSentences() {
  const list = run(['scripts/check-messages.ts', '--list']);
  const parts = list.split(/^((?:action|server|shared)\/src\/\S+:\d+): /m).slice(1);
  return parts.flatMap((place, at) => {
    if (at % 2 === 1) return [];
    const text = (parts[at + 1] ?? '').replaceAll('{}', 'this').trim();
    return [{ place, text }];
  });
}

installOwnPackages(tool);
const names = paths.length > 0 ? paths : globSync(PAGES, { cwd: root }).sort();
const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
const sentences = paths.length > 0 ? [] : readSentences();
const found = JSON.parse(run([join(tool, 'read-prose.mjs')], JSON.stringify({ files, sentences })));
const wrong = found.filter(({ rule }) => rule === 'indefinite-article');
const listed = process.argv.includes('--list') ? found : wrong;
for (const { rule, place, reason } of listed) console.log(`${place}: ${rule}: ${reason}`);
const counts = Map.groupBy(found, ({ rule }) => rule);
const words = Object.values(files).join(' ').split(/\s+/).length;
console.log(
  `prose: ${names.length} pages (${words} words) and ${sentences.length} sentences: ` +
    [...counts].map(([rule, of]) => `${of.length} ${rule}`).join(', '),
);
if (wrong.length > 0) process.exitCode = 1;
