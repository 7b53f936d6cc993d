import { parseArgs } from 'node:util';
import { ConfigError, findNodeSwitches } from '../../config/config.ts';
import { readServerConfig, type ServerConfig } from '../../config/environment-file.ts';
import { CONFIG_VARIABLES } from '../../config/variables.ts';
import { Failure } from '../../core/failure.ts';
import { createSecretTexts } from '../../core/secret-texts.ts';
import { describeCrash } from '../../platform/log/crash.ts';
import { asStarted } from '../../platform/sentences.ts';

const SETTINGS_USAGE = `\
The settings are those of the server: environment variables, or lines NAME=value in the file of --environment <file>.
In an archive, the default is the file "environment" beside the program, if there is one.`;

/** A command line that is not understood: exit code 2, with the usage. */
export class UsageError extends Error {}

/** What a command line asks for; answers the exit code. */
export type Command = () => Promise<number>;
type ServerCommand = (config: ServerConfig) => Promise<number>;

/**
 * Runs the command of this process's arguments; `read` answers undefined if help is asked for. A Failure, which the
 * caller can fix, is one sentence and exit code 1; any other error is a bug, with its stack.
 */
export async function runCommand(usage: string, read: (args: readonly string[]) => Command | undefined): Promise<void> {
  try {
    const command = read(process.argv.slice(2));
    if (command === undefined) console.log(asStarted(usage));
    const switches = findNodeSwitches(process.env);
    if (command !== undefined && switches.length > 0) throw new ConfigError(switches);
    process.exitCode = (await command?.()) ?? 0;
  } catch (error) {
    const isMendable = error instanceof UsageError || error instanceof Failure || error instanceof ConfigError;
    const shown = hideSecrets(isMendable ? error.message : describeCrash(error));
    console.error(asStarted(error instanceof UsageError ? `${shown}\n\n${usage}` : shown));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** The same for a command that works with the settings of a server: they may be in a file. */
export async function runServerCommand(
  usage: string,
  read: (args: readonly string[]) => ServerCommand | undefined,
): Promise<void> {
  await runCommand(`${usage}\n\n${SETTINGS_USAGE}`, (args) => {
    const { named, rest } = takeEnvironment(args);
    const command = read(rest);
    return command && (() => command(readServerConfig(named)));
  });
}

/** The file that `--environment` names, and the rest of a command line. */
export function takeEnvironment(args: readonly string[]): {
  readonly named: string | undefined;
  readonly rest: readonly string[];
} {
  const at = args.findIndex((arg) => /^--environment(?:=|$)/.test(arg));
  if (at < 0) return { named: undefined, rest: args };
  const inOne = /^--environment=(.*)$/s.exec(args[at] ?? '')?.[1];
  const named = inOne ?? args[at + 1];
  if (!named || named.startsWith('-')) throw new UsageError('Name the file with the settings: --environment <file>.');
  return { named, rest: args.toSpliced(at, inOne === undefined ? 2 : 1) };
}

/** Arguments are repeated, and one may be a token that was meant to be elsewhere. */
function hideSecrets(text: string): string {
  const values = SECRET_VARIABLES.map((name) => process.env[name]).filter((value) => value !== undefined);
  return createSecretTexts({ forms: [], values }).hide(text);
}

/** Passwords in addresses are hidden whatever they are, the rest of an address is not. */
const SECRET_VARIABLES = [
  ...CONFIG_VARIABLES.filter(({ name, secret }) => secret && !/_(?:URL|PROXY)$/.test(name)).map(({ name }) => name),
  'COVERAGE_TOKEN',
];

/** The value of the one option of a command; undefined: help is asked for. `missing` says what it is for. */
export function readOption(args: readonly string[], name: string, missing: string): string | undefined {
  const values = parseOptions(args, name);
  const value = values[name];
  if (values.help === true) return undefined;
  if (typeof value !== 'string' || value === '') throw new UsageError(missing);
  return value;
}

function parseOptions(args: readonly string[], name: string): Readonly<Record<string, string | boolean | undefined>> {
  try {
    const options = { [name]: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Rows in columns, two spaces apart; `toRight` names the columns of numbers. */
export function formatTable(rows: readonly (readonly string[])[], toRight: readonly number[] = []): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number): string =>
    toRight.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
