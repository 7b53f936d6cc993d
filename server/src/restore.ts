import { readFileSync } from 'node:fs';
import { formatTable, readOption, runCommand } from './command-line.ts';
import { readConfig } from './config.ts';
import { restoreStore } from './store/restore-store.ts';

const USAGE = `Makes the database of DATABASE_URL of a backup that npm run backup wrote, of whichever store. Stop every
server on it first.

  npm run restore -- --from /var/backups/coverage-1.db

The backup is verified before anything is changed. A file that was there is moved aside, not removed; a database of
MongoDB must be new or empty, so let DATABASE_URL name a new one. When it is cut off, no server starts until it is run
again. The key must be the one of the time of the backup.`;

await runCommand(USAGE, (args) => {
  const from = readOption(args, 'from', 'Say what is to be restored: --from <file>.');
  return from === undefined ? undefined : () => restore(from);
});

async function restore(from: string): Promise<number> {
  const { databaseUrl } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const { contents, aside } = await restoreStore({ from, url: databaseUrl, at: Date.now() });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  if (aside !== undefined) console.error(`What was there is ${aside} now; remove it when you are sure.`);
  console.error('The database is restored; the server may start.');
  return 0;
}
