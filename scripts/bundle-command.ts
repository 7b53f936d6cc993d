import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildChunk, bundledPackages, licenseNotices } from './bundling.ts';
import { loadBuiltInsLate } from './late-built-ins.ts';
import { asComment, readFromComment } from './late-packages.ts';

/*
 * Builds server/dist/cli.mjs: the command, one file that every server hands out. It is not committed. The notices of
 * the packages in it stand at its end.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'server', 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const folderOfCommand = join(root, 'action', 'src', 'command');
const protocol = await buildChunk({ root, input: join(folderOfCommand, 'mcp-protocol.ts'), format: 'cjs' });
const chunk = await buildChunk({
  root,
  input: join(folderOfCommand, 'main.ts'),
  plugins: [readFromComment('/mcp-protocol.ts', protocol)],
  define: { COMMAND_VERSION: JSON.stringify(version) },
});
const packages = bundledPackages(chunk, protocol);
const notices = packages.length === 0 ? '' : licenseNotices(packages, { root, file: 'this file' });
// Node has getBuiltinModule from 20.16 on.
const start = [
  '#!/usr/bin/env node',
  'import { createRequire as builtInsOf } from "node:module";',
  'process.getBuiltinModule ??= builtInsOf(import.meta.url);',
];
const code = [...start, loadBuiltInsLate(chunk.code)].join('\n') + asComment(protocol);
const text = notices === '' ? code : `${code}\n/*!\n${notices.replaceAll('*/', '* /')}*/\n`;

mkdirSync(folder, { recursive: true });
// At once, for a server or a test that reads it at the same time.
const unfinished = join(folder, `.cli-${process.pid}.mjs`);
writeFileSync(unfinished, text);
renameSync(unfinished, join(folder, 'cli.mjs'));
