import type { ServerConfig } from '../config/environment-file.ts';
import * as say from '../messages/commands.ts';
import { backUpStore } from '../storage/open/back-up-store.ts';
import { formatTable, readOption, runServerCommand } from './command/command-line.ts';
import { nameDatabase } from './command/command-store.ts';

await runServerCommand(say.BACKUP_USAGE, (args) => {
  const to = readOption(args, 'to', say.BACKUP_TO_MISSING);
  return to === undefined ? undefined : (config) => backup(config, to);
});

async function backup(config: ServerConfig, to: string): Promise<number> {
  nameDatabase(config);
  const contents = await backUpStore({ url: config.databaseUrl, to });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  console.error(say.backedUp(to));
  return 0;
}
