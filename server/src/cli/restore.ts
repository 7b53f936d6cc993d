import { readFileSync } from 'node:fs';
import { type Config, readConfig } from '../config/config.ts';
import * as say from '../messages/commands.ts';
import { findSecrets } from '../platform/secrets/find-secrets.ts';
import { findLostTokens } from '../platform/secrets/reseal-tokens.ts';
import { openStore } from '../storage/open/open-store.ts';
import { restoreStore } from '../storage/open/restore-store.ts';
import { formatTable, readOption, runCommand } from './command/command-line.ts';

await runCommand(say.RESTORE_USAGE, (args) => {
  const from = readOption(args, 'from', say.RESTORE_FROM_MISSING);
  return from === undefined ? undefined : () => restore(from);
});

async function restore(from: string): Promise<number> {
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const { databaseUrl } = config;
  const { contents, aside } = await restoreStore({ from, url: databaseUrl, at: Date.now() });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  if (aside !== undefined) console.error(say.movedAside(aside));
  await nameLostTokens(config);
  console.error(say.RESTORED);
  return 0;
}

/** A backup holds repo tokens sealed: without the key of the time nobody can upload with them. */
async function nameLostTokens(config: Config): Promise<void> {
  const store = await openStore({ url: config.databaseUrl, mustExist: true });
  try {
    const lost = await findLostTokens({ repos: store.repos, secrets: await findSecrets(config) });
    if (lost.count > 0) console.error(say.tokensLost(lost));
  } finally {
    await store.close();
  }
}
