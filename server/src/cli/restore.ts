import { existsSync } from 'node:fs';
import type { ServerConfig } from '../config/environment-file.ts';
import * as say from '../messages/commands.ts';
import { findSecrets } from '../platform/secrets/open-secrets.ts';
import { findLostTokens } from '../platform/secrets/reseal-tokens.ts';
import { storeExists } from '../storage/open/inspect-store.ts';
import { openStore } from '../storage/open/open-store.ts';
import { restoreStore } from '../storage/open/restore-store.ts';
import { formatTable, readOption, runServerCommand } from './command/command-line.ts';
import { MAKE_DATABASE, nameDatabase, takeMakeDatabase } from './command/command-store.ts';
import { confirm } from './command/confirm.ts';

await runServerCommand(say.RESTORE_USAGE, (args) => {
  const { make, rest } = takeMakeDatabase(args);
  const from = readOption(rest, 'from', say.RESTORE_FROM_MISSING);
  return from === undefined ? undefined : (config) => restore(config, { from, make });
});

async function restore(
  config: ServerConfig,
  { from, make }: { readonly from: string; readonly make: boolean },
): Promise<number> {
  const { databaseUrl } = config;
  const name = nameDatabase(config);
  if (
    !make &&
    existsSync(from) &&
    !(await storeExists(databaseUrl)) &&
    !(await confirm(say.askToMake(name), MAKE_DATABASE))
  )
    return 1;
  const { contents, aside } = await restoreStore({ from, url: databaseUrl, at: Date.now() });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  if (aside !== undefined) console.error(say.movedAside(aside));
  await nameLostTokens(config);
  console.error(say.RESTORED);
  return 0;
}

/** A backup holds repo tokens sealed: without the key of the time nobody can upload with them. */
async function nameLostTokens(config: ServerConfig): Promise<void> {
  const store = await openStore({ url: config.databaseUrl, mustExist: true });
  try {
    const lost = await findLostTokens({ repos: store.repos, secrets: await findSecrets(config) });
    if (lost.count > 0) console.error(say.tokensLost(lost));
  } finally {
    await store.close();
  }
}
