import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './config.ts';
import { Failure } from './domain/failure.ts';
import type { PersonalToken, Role } from './domain/repo/repo.ts';
import { createSecrets } from './secrets/create-secrets.ts';
import { openStore } from './store/open-store.ts';
import { createManageTokens, type ManageTokens } from './use-cases/access/manage-tokens.ts';

const USAGE = `Personal tokens of the coverage server; reads the same settings, and may run beside it.

  npm run token -- create --user <name> [--role user|administrator]   makes one and prints it, once
  npm run token -- list                                               shows all, never the tokens themselves
  npm run token -- revoke <id>                                        ends one at once`;

/** A command line that means nothing: exit code 2. */
class UsageError extends Error {}

type Command = (manage: ManageTokens) => Promise<string>;

function readCommand(args: readonly string[]): Command | undefined {
  const { positionals, values } = readArguments(args);
  const [name, ...operands] = positionals;
  if (values.help || name === 'help') return undefined;
  if (name !== 'create' && (values.user ?? values.role) !== undefined)
    throw new UsageError('--user and --role belong to create.');
  if (name === 'create' && operands.length === 0) return createOf(values);
  if (name === 'list' && operands.length === 0) return async (manage) => formatList(await manage.list());
  if (name === 'revoke' && operands.length === 1) return revokeOf(operands[0] ?? '');
  throw new UsageError(name === undefined ? 'Say what to do.' : `This is not understood: ${positionals.join(' ')}`);
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { user: { type: 'string' }, role: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function createOf({
  user,
  role = 'user',
}: {
  readonly user?: string | undefined;
  readonly role?: string | undefined;
}): Command {
  if (user === undefined) throw new UsageError('Say whose token it is: --user <name>.');
  if (!isRole(role)) throw new UsageError(`--role is user or administrator, not ${JSON.stringify(role)}.`);
  return async (manage) => {
    const { stored, token } = await manage.create({ user, role });
    // The token alone on stdout, so that a script can take it; the rest is for people.
    console.error(`Token ${stored.id} of ${stored.user} (${stored.role}). It is shown only now: keep it.`);
    return token;
  };
}

function revokeOf(text: string): Command {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`A token is revoked by its id, a number of \`list\`, not ${JSON.stringify(text)}.`);
  return async (manage) => {
    await manage.revoke(Number(text));
    return `Token ${text} is revoked.`;
  };
}

const isRole = (text: string): text is Role => text === 'user' || text === 'administrator';

function formatList(tokens: readonly PersonalToken[]): string {
  const time = (at: number | undefined): string =>
    at === undefined ? '-' : new Date(at).toISOString().slice(0, 19).concat('Z');
  const rows = tokens.map((one) => [
    String(one.id),
    one.user,
    one.role,
    `…${one.ending}`,
    time(one.createdAt),
    time(one.revokedAt),
  ]);
  const table = [['ID', 'USER', 'ROLE', 'ENDING', 'CREATED', 'REVOKED'], ...rows];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function run(args: readonly string[]): Promise<number> {
  try {
    const command = readCommand(args);
    if (command === undefined) {
      console.log(USAGE);
      return 0;
    }
    const { databaseUrl } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
    const store = await openStore({ url: databaseUrl });
    try {
      // Personal tokens are hashed, never sealed: no key of the installation is needed.
      const secrets = createSecrets({ key: createSecretKey(randomBytes(32)), previousKey: undefined, randomBytes });
      console.log(await command(createManageTokens({ tokens: store.tokens, secrets, clock: { now: Date.now } })));
    } finally {
      await store.close();
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (!(error instanceof Failure || error instanceof ConfigError)) throw error;
    console.error(error.message);
    return 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
