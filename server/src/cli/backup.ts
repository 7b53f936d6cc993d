import type { ServerConfig } from '../config/environment-file.ts';
import { backUpStore } from '../storage/open/back-up-store.ts';
import { formatTable, readOption, runServerCommand } from './command/command-line.ts';
import { nameDatabase } from './command/command-store.ts';

await runServerCommand(
  `\
Writes everything in the database in DATABASE_URL to a new file. Servers can keep running.

  npm run backup -- --to /var/backups/coverage-1.db

The file has the state of the database at one moment. It is verified, and only its owner can read it. A standalone
MongoDB server has no snapshots, so a backup is made only if nothing changes in the meantime. Keep the key (SECRET_KEY,
or the file beside the database that ends in .key) elsewhere.`,
  (args) => {
    const to = readOption(args, 'to', 'Name the file to write: --to <file>.');
    return to === undefined ? undefined : (config) => backup(config, to);
  },
);

async function backup(config: ServerConfig, to: string): Promise<number> {
  nameDatabase(config);
  const contents = await backUpStore({ url: config.databaseUrl, to });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  console.error(`${to} is a verified backup.`);
  return 0;
}
