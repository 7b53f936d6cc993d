import { createSecretKey, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createToken, revokeToken } from '../access/manage-tokens.ts';
import type { ServerConfig } from '../config/environment-file.ts';
import type { PersonalToken, Role } from '../core/repo/repo.ts';
import { createSecrets } from '../platform/secrets/create-secrets.ts';
import type { Services } from '../services/services.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore, takeMakeDatabase } from './command/command-store.ts';
import { FOR_CREATE_ALONE, notUnderstood, roleWrong } from './sentences.ts';

type TokenCommand = (services: Pick<Services, 'tokens' | 'secrets' | 'clock'>) => Promise<string>;

function readCommand(args: readonly string[]): TokenCommand | undefined {
  const { positionals, values } = readArguments(args);
  const [name, ...operands] = positionals;
  if (values.help || name === 'help') return undefined;
  if (name !== 'create' && (values.user ?? values.role) !== undefined) throw new UsageError(FOR_CREATE_ALONE);
  if (name === 'create' && operands.length === 0) return createOf(values);
  if (name === 'list' && operands.length === 0) return async ({ tokens }) => formatList(await tokens.list());
  if (name === 'revoke' && operands.length === 1) return revokeOf(operands[0] ?? '');
  throw new UsageError(
    name === undefined ? 'Say what to do: create, list or revoke.' : notUnderstood(positionals.join(' ')),
  );
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
}): TokenCommand {
  if (user === undefined) throw new UsageError('Name the user the token is for: --user <name>.');
  if (!isRole(role)) throw new UsageError(roleWrong(JSON.stringify(role)));
  return async (services) => {
    const { stored, token } = await createToken(services, { user, role });
    // The token alone on stdout, so that a script can take it; the rest is for people.
    console.error(`Token ${stored.id} of ${stored.user} (${stored.role}). It is shown only now: keep it.`);
    return token;
  };
}

function revokeOf(text: string): TokenCommand {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`A token is revoked by its id, a number that \`list\` shows, not ${JSON.stringify(text)}.`);
  return async (services) => {
    await revokeToken(services, Number(text));
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
  return formatTable([['ID', 'USER', 'ROLE', 'ENDING', 'CREATED', 'REVOKED'], ...rows]);
}

async function run(config: ServerConfig, command: TokenCommand, options: { readonly make: boolean }): Promise<number> {
  const store = await openCommandStore(config, options);
  try {
    // Personal tokens are hashed, never sealed: no key of the installation is needed.
    const secrets = createSecrets({ key: createSecretKey(randomBytes(32)), previousKey: undefined, randomBytes });
    console.log(await command({ tokens: store.tokens, secrets, clock: { now: Date.now } }));
  } finally {
    await store.close();
  }
  return 0;
}

await runServerCommand(
  `\
Manages the personal tokens of the coverage server. It reads the same settings, and can run beside the server.

  npm run token -- create --user <name> [--role user|administrator]   creates one and prints it, once
  npm run token -- list                                               shows all, never the tokens themselves
  npm run token -- revoke <id>                                        revokes one immediately

It says which database it opened. With --make-database, it creates one if there is none.`,
  (args) => {
    const { make, rest } = takeMakeDatabase(args);
    const command = readCommand(rest);
    return command && ((config) => run(config, command, { make }));
  },
);
