// The program of an archive, which runs the server and the commands beside it.
import type { Texts } from './values.ts';

/** Each is a command, by its name. */
export const PROGRAMS = {
  token: 'makes, lists and revokes personal tokens',
  user: 'makes and manages local accounts',
  rotate: 'makes new repo tokens: for one repo, for all, or where the key is lost',
  repos: 'makes repos and changes their settings, from a file',
  audit: 'exports the audit log',
  gc: 'removes builds that are beyond their retention',
  backup: 'writes a verified backup',
  restore: 'makes the database from a backup',
  doctor: 'looks at everything that the server needs',
  export: 'writes a repo to a folder, for another server',
  import: 'adds a repo from such a folder',
  'copy-store': 'copies everything from one store to another',
} as const;

const listed = Object.entries({ serve: 'runs the server; the same without a command', ...PROGRAMS });

export function programUsage(hasCi: boolean): string {
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

export const SETTINGS_USAGE = `\
Settings are those of the server: environment variables, or lines NAME=value in the file that --environment <file>
names. In an archive that is the file "environment" beside the program, if there is one.`;

export const ENVIRONMENT_MISSING = 'Say which file holds the settings: --environment <file>.';

export const SERVE_USAGE = `\
Usage: coverage-service serve [--environment <file>]

Runs the server until SIGTERM or SIGINT. All its settings are environment variables, such as PORT (8080), HOST
(127.0.0.1), DATABASE_URL (sqlite:./data/coverage.db), BASE_URL and ADMIN_TOKEN. They may stand in a file, one
NAME=value a line: the one that --environment names, or the file "environment" beside this program.`;

export function serveTakesNone(found: string): string {
  return `serve takes no ${found}: settings are environment variables.`;
}

export function noSuchProgram(found: string): string {
  return `There is no command ${found}.`;
}

export function version({
  version: number,
  commit,
  node,
  on,
}: Texts<'version' | 'node' | 'on'> & { readonly commit: string | undefined }): string {
  const of = commit === undefined ? '' : `commit ${commit}, `;
  return `coverage-service ${number} (${of}Node ${node}, ${on})`;
}

/** Sentences name commands as a checkout runs them; for whoever started an archive's program each has another name. */
export function asStarted(text: string): string {
  return /[/\\]coverage-service\.[jt]s$/.test(process.argv[1] ?? '') ? asProgram(text) : text;
}

function asProgram(text: string): string {
  return text
    .replaceAll(/npm run ([a-z-]+)(?: --(?= ))?/g, (whole, name: string) =>
      Object.hasOwn(PROGRAMS, name) ? `coverage-service ${name}` : whole,
    )
    .replaceAll('[-- --json]', '[--json]');
}
