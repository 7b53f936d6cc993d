import { readFileSync } from 'node:fs';
import { formatTable, readOption, runCommand } from './command-line.ts';
import { readConfig } from './config.ts';
import { locateFile } from './store/locate-file.ts';
import { restoreBackup } from './store/sqlite/restore.ts';

const USAGE = `Makes the SQLite file of DATABASE_URL of a backup that npm run backup wrote. Stop the server first.

  npm run restore -- --from /var/backups/coverage-1.db

The backup is verified before anything is changed. What was there is moved aside, not removed. When it is cut off, no
server starts until it is run again. The key must be the one of the time of the backup.`;

await runCommand(USAGE, (args) => {
  const from = readOption(args, 'from', 'Say what is to be restored: --from <file>.');
  return from === undefined ? undefined : () => restore(from);
});

async function restore(from: string): Promise<number> {
  const { databaseUrl } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const to = locateFile(databaseUrl);
  const { contents, aside } = await restoreBackup({ from, to, at: Date.now() });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  if (aside !== undefined) console.error(`What was there is ${aside} now; remove it when you are sure.`);
  console.error(`${to} is restored; the server may start.`);
  return 0;
}
