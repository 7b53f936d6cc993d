// The commands beside the server, and its start.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const BACKUP_USAGE = `\
Writes everything in the database of DATABASE_URL to a new file. Servers may run meanwhile.

  npm run backup -- --to /var/backups/coverage-1.db

The file holds one moment of the database. It is verified, and only its owner can read it. A lone server of MongoDB has
no snapshots, so there a backup is made only when nothing changes meanwhile. Keep the key (SECRET_KEY, or the file
beside the database that ends in .key) elsewhere.`;

export const BACKUP_TO_MISSING = 'Say where to: --to <file>.';

export function backedUp(path: string): string {
  return `${path} is a verified backup.`;
}

export const MAKE_DATABASE = 'The server makes it at its first start; --make-database makes it now.';

export function databaseOpened(name: string, settingsFile: string | undefined): string {
  const by = settingsFile === undefined ? '' : `, by the settings in ${settingsFile}`;
  return `The database is ${name}${by}.`;
}

export function askToMake(name: string): string {
  return `There is no database ${name}. Is a new one to be made there, with what the backup holds?`;
}

export function confirmBy(question: string, option: string): string {
  return `${question} Nothing was changed: say yes by ${option}, or run this at a terminal.`;
}

export const YES_OR_NO = '[y/N]';

export const RESTORE_FROM_MISSING = 'Say what is to be restored: --from <file>.';

export function movedAside(path: string): string {
  return `What was there before is now ${path}; remove it when you are sure.`;
}

export function tokensLost({ count, names }: { readonly count: number; readonly names: readonly string[] }): string {
  const more = count > names.length ? `, and ${count - names.length} more` : '';
  return (
    `No key that is set opens the tokens of ${counted(count, 'repo')}: ${names.join(', ')}${more}. Bring back ` +
    'the SECRET_KEY (or the key file beside the database) of the time, or make new tokens (npm run rotate -- --lost).'
  );
}

export const RESTORED = 'The database is restored; the server may start.';

export const COPY_USAGE = `\
Copies everything from one store to another, which must be empty: repos, tokens, builds, jobs, reports,
sources, announcements.

  npm run copy-store -- --from sqlite:./data/coverage.db --to mongodb://host/coverage

Both are URLs as DATABASE_URL takes them, of any kind. Stop every server on both first. A copy that was cut off goes on
where it was when it is run again with the same --from and --to; until then no server starts on the target.`;

export const COPY_FROM_MISSING = 'Say what is to be copied: --from <url>.';

export const COPY_TO_MISSING = 'Say where it is to be copied to: --to <url>.';

export const URL_MISSING = 'Give each URL behind --from or --to.';

export const COPY_AGAIN = 'No server will start on the target. Remove it, and copy again into an empty one';

export function sourceChanged(next: string): string {
  return `The source was changed while it was copied: a server is running on it. ${next}, with every server stopped.`;
}

export function targetChanged(next: string): string {
  return `The target does not hold what was copied: something else wrote to it. ${next}.`;
}

export function runAgain(what: string): string {
  return `${what} Run the same again: it goes on where it was.`;
}

export const COPIED =
  'Everything was copied. Start the server on the target with the same SECRET_KEY: the repo tokens are sealed with ' +
  'it.';

export const TOKEN_USAGE = `\
Personal tokens of the coverage server. This reads the same settings, and may run beside the server.

  npm run token -- create --user <name> [--role user|administrator]   makes one and prints it, once
  npm run token -- list                                               shows all, never the tokens themselves
  npm run token -- revoke <id>                                        ends one at once

It says which database it opened. With --make-database it makes one where there is none.`;

export const FOR_CREATE_ALONE = '--user and --role belong to create.';

export const NO_COMMAND = 'Say what to do: create, list or revoke.';

export function notUnderstood(words: string): string {
  return `This is not understood: ${words}`;
}

export const USER_MISSING = 'Say whose token it is: --user <name>.';

export function roleWrong(found: string): string {
  return `--role is user or administrator, not ${found}.`;
}

export function tokenMade({ id, user, role }: Texts<'user' | 'role'> & Counts<'id'>): string {
  return `Token ${id} of ${user} (${role}). It is shown only now: keep it.`;
}

export function idWrong(found: string): string {
  return `A token is revoked by its id, a number that \`list\` shows, not ${found}.`;
}

export function tokenRevoked(id: string): string {
  return `Token ${id} is revoked.`;
}

export const LISTEN_VARIABLES = 'PORT or HOST';

export const METRICS_VARIABLES = 'METRICS_PORT or METRICS_HOST';

export function cannotListen({
  host,
  port,
  why,
  variables,
}: Texts<'host' | 'why' | 'variables'> & Counts<'port'>): string {
  return `Cannot listen on ${host} port ${port} (${why}): give another ${variables}, or end what listens there.`;
}

export const RESTORE_USAGE = `\
Makes the database of DATABASE_URL from a backup that npm run backup wrote, of whichever store. Stop every
server on it first.

  npm run restore -- --from /var/backups/coverage-1.db

The backup is verified before anything is changed. A file that was there is moved aside, not removed. A database of
MongoDB must be new or empty, so let DATABASE_URL name a new one. Before a database is made where none is, you are
asked; --make-database says yes. If the restore is cut off, no server starts until it
is run again. The key must be the one of the time of the backup.`;

export const UNKNOWN_ERROR = 'unknown error';

export function listening(address: string): string {
  return `listening on ${address}`;
}

export const COMPARISON_HEAD = ['', 'FROM', 'TO', 'DIGEST FROM', 'DIGEST TO', ''] as const;

export const PERSONAL_TOKENS = 'personal tokens';

export const AUDIT_ENTRIES = 'audit entries';

export const SHARE_LINKS = 'share links';
export const HOST_APPS = 'Apps of git hosts';
