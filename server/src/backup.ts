import { readFileSync } from 'node:fs';
import { formatTable, readOption, runCommand } from './command-line.ts';
import { readConfig } from './config.ts';
import { backUpStore } from './store/back-up-store.ts';

const USAGE = `Writes everything in the database of DATABASE_URL to a new file; servers may run meanwhile.

  npm run backup -- --to /var/backups/coverage-1.db

The file is one moment of the database, readable by its owner only, and verified. Of a lone server of MongoDB, which has
no snapshots, it is made only when nothing changes meanwhile. Keep the key (SECRET_KEY, or the file beside the database
that ends in .key) elsewhere.`;

await runCommand(USAGE, (args) => {
  const to = readOption(args, 'to', 'Say where to: --to <file>.');
  return to === undefined ? undefined : async () => backup(to);
});

async function backup(to: string): Promise<number> {
  const { databaseUrl } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const contents = await backUpStore({ url: databaseUrl, to });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  console.error(`${to} is a verified backup.`);
  return 0;
}
