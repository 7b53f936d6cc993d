import { existsSync } from 'node:fs';
import type { ServerConfig } from '../config/environment-file.ts';
import { counted } from '../core/sentences.ts';
import { findSecrets } from '../platform/secrets/open-secrets.ts';
import { findLostTokens } from '../platform/secrets/reseal-tokens.ts';
import { asStarted } from '../platform/sentences.ts';
import { storeExists } from '../storage/open/inspect-store.ts';
import { openStore } from '../storage/open/open-store.ts';
import { restoreStore } from '../storage/open/restore-store.ts';
import { formatTable, readOption, runServerCommand } from './command/command-line.ts';
import { MAKE_DATABASE, nameDatabase, takeMakeDatabase } from './command/command-store.ts';
import { confirm } from './command/confirm.ts';

await runServerCommand(
  `\
Creates the database in DATABASE_URL from a backup that npm run backup wrote, of either store. Stop every
server on it first.

  npm run restore -- --from /var/backups/coverage-1.db

The backup is verified before anything is changed. An existing file is moved aside, not removed. A MongoDB database
must be new or empty, so set DATABASE_URL to a new one. You are asked before a database is created; --make-database
says yes. If the restore is interrupted, no server starts until you run it again. The key must be the one that was in
use at the time of the backup.`,
  (args) => {
    const { make, rest } = takeMakeDatabase(args);
    const from = readOption(rest, 'from', 'Name the backup to restore: --from <file>.');
    return from === undefined ? undefined : (config) => restore(config, { from, make });
  },
);

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
    !(await confirm(`There is no database ${name}. Create a new one there from the backup?`, MAKE_DATABASE))
  )
    return 1;
  const { contents, aside } = await restoreStore({ from, url: databaseUrl, at: Date.now() });
  console.log(formatTable([['TABLE', 'ROWS'], ...contents.map(({ table, rows }) => [table, String(rows)])], [1]));
  if (aside !== undefined) console.error(`What was there before is now ${aside}; remove it when you are sure.`);
  await nameLostTokens(config);
  console.error('The database is restored; you can start the server.');
  return 0;
}

/** A backup holds repo tokens sealed: without the key of the time nobody can upload with them. */
async function nameLostTokens(config: ServerConfig): Promise<void> {
  const store = await openStore({ url: config.databaseUrl, mustExist: true });
  try {
    const lost = await findLostTokens({ repos: store.repos, secrets: await findSecrets(config) });
    if (lost.count > 0) console.error(asStarted(tokensLost(lost)));
  } finally {
    await store.close();
  }
}

function tokensLost({ count, names }: { readonly count: number; readonly names: readonly string[] }): string {
  const more = count > names.length ? `, and ${count - names.length} more` : '';
  return (
    `None of the configured keys can decrypt the tokens of ${counted(count, 'repo')}: ` +
    `${names.join(', ')}${more}. Bring back ` +
    'the SECRET_KEY of that time (or the key file beside the database), or create new tokens (npm run rotate -- ' +
    '--lost).'
  );
}
