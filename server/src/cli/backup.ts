import { readFileSync } from 'node:fs';
import { readConfig } from '../config/config.ts';
import * as say from '../messages/commands.ts';
import { backUpStore } from '../storage/open/back-up-store.ts';
import { formatTable, readOption, runCommand } from './command/command-line.ts';

await runCommand(say.BACKUP_USAGE, (args) => {
  const to = readOption(args, 'to', say.BACKUP_TO_MISSING);
  return to === undefined ? undefined : async () => backup(to);
});

async function backup(to: string): Promise<number> {
  const { databaseUrl } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const contents = await backUpStore({ url: databaseUrl, to });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  console.error(say.backedUp(to));
  return 0;
}
