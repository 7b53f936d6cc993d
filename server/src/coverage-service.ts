import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { runCommand, takeEnvironment, UsageError } from './cli/command/command-line.ts';
import { readVersion } from './config/version.ts';
import type { Texts } from './core/sentences.ts';
import { PROGRAMS } from './platform/sentences.ts';

const listed = Object.entries({ serve: 'runs the server; the same without a command', ...PROGRAMS });

// The one program of an archive: `coverage-service <command> …` is what `npm run <command> -- …` is in a checkout.

const HERE = new URL('./', import.meta.url);
/** What CI runs, built from the action's sources; an archive holds it where it was built. */
const CI_COMMANDS = new URL('../dist/cli.mjs', import.meta.url);

const [name = 'serve', ...rest] = process.argv.slice(2);

if (name === 'serve') await serve(rest);
else if (Object.hasOwn(PROGRAMS, name)) await hand(new URL(`cli/${name}${extname(import.meta.url)}`, HERE), rest);
else if (name === 'ci' && existsSync(CI_COMMANDS)) await hand(CI_COMMANDS, rest);
else if (!/^-|^help$/.test(name) && existsSync(CI_COMMANDS)) await hand(CI_COMMANDS, [name, ...rest]);
else await runCommand(programUsage(existsSync(CI_COMMANDS)), answer);

async function serve(args: readonly string[]): Promise<void> {
  return runCommand(
    `\
Usage: coverage-service serve [--environment <file>]

Runs the server until SIGTERM or SIGINT. All its settings are environment variables, such as PORT (8080), HOST
(127.0.0.1), DATABASE_URL (sqlite:./data/coverage.db), BASE_URL and ADMIN_TOKEN. They may stand in a file, one
NAME=value a line: the one that --environment names, or the file "environment" beside this program.`,
    () => {
      const [first] = takeEnvironment(args).rest;
      if (first !== undefined && /^(?:--help|-h|help)$/.test(first)) return undefined;
      if (first !== undefined)
        throw new UsageError(`serve takes no ${JSON.stringify(first)}: settings are environment variables.`);
      return () => hand(new URL(`main${extname(import.meta.url)}`, HERE), args).then(() => 0);
    },
  );
}

/** The programs read their own arguments. */
async function hand(program: URL, args: readonly string[]): Promise<void> {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  await import(program.href);
}

function answer([first = '']: readonly string[]): (() => Promise<number>) | undefined {
  if (/^(?:--help|-h|help)$/.test(first)) return undefined;
  if (first !== '--version') throw new UsageError(`There is no command ${JSON.stringify(first)}.`);
  return async () => {
    console.log(versionText({ ...readBuild(), node: process.version, on: `${process.platform}-${process.arch}` }));
    return 0;
  };
}

function readBuild(): { readonly version: string; readonly commit: string | undefined } {
  const read = (path: URL): Record<string, string> => JSON.parse(readFileSync(path, 'utf8'));
  const built = new URL('../../build.json', import.meta.url);
  return { version: readVersion(), commit: existsSync(built) ? read(built).commit : undefined };
}

function programUsage(hasCi: boolean): string {
  const rows = [
    ...listed,
    ...(hasCi ? [['ci', 'what CI runs: report, done, and more; "ci" itself may be left out']] : []),
  ];
  return `\
Usage: coverage-service [command] [options]

${rows.map(([name = '', what = '']) => `  ${name.padEnd(12)}${what}`).join('\n')}

coverage-service <command> --help says more of each. coverage-service --version says what this is. Settings are
environment variables, such as PORT, DATABASE_URL and ADMIN_TOKEN. They may stand in a file, one NAME=value a line: the
file "environment" beside this program, or one that --environment <file> names behind the command.`;
}

function versionText({
  version: number,
  commit,
  node,
  on,
}: Texts<'version' | 'node' | 'on'> & { readonly commit: string | undefined }): string {
  const of = commit === undefined ? '' : `commit ${commit}, `;
  return `coverage-service ${number} (${of}Node ${node}, ${on})`;
}
