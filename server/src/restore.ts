import { readFileSync } from 'node:fs';
import { formatTable, readOption, runCommand } from './command-line.ts';
import { readConfig } from './config.ts';
import * as say from './messages/commands.ts';
import { restoreStore } from './store/restore-store.ts';

await runCommand(say.RESTORE_USAGE, (args) => {
  const from = readOption(args, 'from', say.RESTORE_FROM_MISSING);
  return from === undefined ? undefined : () => restore(from);
});

async function restore(from: string): Promise<number> {
  const { databaseUrl } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const { contents, aside } = await restoreStore({ from, url: databaseUrl, at: Date.now() });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  if (aside !== undefined) console.error(say.movedAside(aside));
  console.error(say.RESTORED);
  return 0;
}
