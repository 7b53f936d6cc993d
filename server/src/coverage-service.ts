import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { runCommand, takeEnvironment, UsageError } from './cli/command/command-line.ts';
import { readVersion } from './config/version.ts';
import * as say from './messages/programs.ts';

// The one program of an archive: `coverage-service <command> …` is what `npm run <command> -- …` is in a checkout.

const HERE = new URL('./', import.meta.url);
/** What CI runs, built from the action's sources; an archive holds it where it was built. */
const CI_COMMANDS = new URL('../dist/cli.mjs', import.meta.url);

const [name = 'serve', ...rest] = process.argv.slice(2);

if (name === 'serve') await serve(rest);
else if (Object.hasOwn(say.PROGRAMS, name)) await hand(new URL(`cli/${name}${extname(import.meta.url)}`, HERE), rest);
else if (name === 'ci' && existsSync(CI_COMMANDS)) await hand(CI_COMMANDS, rest);
else if (!/^-|^help$/.test(name) && existsSync(CI_COMMANDS)) await hand(CI_COMMANDS, [name, ...rest]);
else await runCommand(say.programUsage(existsSync(CI_COMMANDS)), answer);

async function serve(args: readonly string[]): Promise<void> {
  return runCommand(say.SERVE_USAGE, () => {
    const [first] = takeEnvironment(args).rest;
    if (first !== undefined && /^(?:--help|-h|help)$/.test(first)) return undefined;
    if (first !== undefined) throw new UsageError(say.serveTakesNone(JSON.stringify(first)));
    return () => hand(new URL(`main${extname(import.meta.url)}`, HERE), args).then(() => 0);
  });
}

/** The programs read their own arguments. */
async function hand(program: URL, args: readonly string[]): Promise<void> {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  await import(program.href);
}

function answer([first = '']: readonly string[]): (() => Promise<number>) | undefined {
  if (/^(?:--help|-h|help)$/.test(first)) return undefined;
  if (first !== '--version') throw new UsageError(say.noSuchProgram(JSON.stringify(first)));
  return async () => {
    console.log(say.version({ ...readBuild(), node: process.version, on: `${process.platform}-${process.arch}` }));
    return 0;
  };
}

function readBuild(): { readonly version: string; readonly commit: string | undefined } {
  const read = (path: URL): Record<string, string> => JSON.parse(readFileSync(path, 'utf8'));
  const built = new URL('../../build.json', import.meta.url);
  return { version: readVersion(), commit: existsSync(built) ? read(built).commit : undefined };
}
