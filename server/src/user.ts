import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatTable, runCommand, UsageError } from './command-line.ts';
import { type Config, readConfig } from './config.ts';
import type { Account } from './domain/repo/account.ts';
import { readPassword } from './read-password.ts';
import { createSecrets } from './secrets/create-secrets.ts';
import { createPasswords } from './secrets/passwords.ts';
import { openStore } from './store/open-store.ts';
import { createManageAccounts, type ManageAccounts } from './use-cases/people/manage-accounts.ts';

const USAGE = `People of the coverage server; reads the same settings, and may run beside it.

  npm run user -- create --user <name> [--role user|administrator]   a local account (the first: administrator)
  npm run user -- list                                               shows all accounts
  npm run user -- set-password <account>                             signs them out everywhere too
  npm run user -- disable <account>                                  ends their sessions and tokens at once
  npm run user -- enable <account>
  npm run user -- make-administrator <account>
  npm run user -- make-user <account>                                no administrator any more
  npm run user -- sign-in-link <account>                            prints an address that signs in once, in 10 minutes

An account is a user name, or the number that list shows. A password is asked for, or read from standard input.`;

interface Tools {
  readonly manage: ManageAccounts;
  readonly config: Config;
}

type UserCommand = (tools: Tools) => Promise<string>;

const ON_ACCOUNT: Readonly<Record<string, (tools: Tools, account: Account) => Promise<string>>> = {
  async 'set-password'({ manage }, account) {
    await manage.setPassword(account, await readPassword());
    return `${account.name} has another password, and is signed out everywhere.`;
  },
  async disable({ manage }, account) {
    await manage.setDisabled(account, true);
    return `${account.name} is disabled, and signed out everywhere.`;
  },
  async enable({ manage }, account) {
    await manage.setDisabled(account, false);
    return `${account.name} may sign in again.`;
  },
  async 'make-administrator'({ manage }, account) {
    await manage.setAdministrator(account, true);
    return `${account.name} is an administrator.`;
  },
  async 'make-user'({ manage }, account) {
    await manage.setAdministrator(account, false);
    return `${account.name} is no administrator.`;
  },
  async 'sign-in-link'({ manage, config: { baseUrl, host, port } }, account) {
    const base = baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    console.error(`Whoever opens this within 10 minutes is signed in as ${account.name}; it works once.`);
    return `${base}/sign-in/link?code=${await manage.makeCode(account)}`;
  },
};

function readCommand(args: readonly string[]): UserCommand | undefined {
  const { positionals, values } = readArguments(args);
  const [name = '', ...operands] = positionals;
  if (values.help || name === 'help') return undefined;
  if (name !== 'create' && (values.user ?? values.role) !== undefined)
    throw new UsageError('--user and --role belong to create.');
  if (name === 'create' && operands.length === 0) return createOf(values);
  if (name === 'list' && operands.length === 0) return async ({ manage }) => formatList(await listAll(manage));
  const act = Object.hasOwn(ON_ACCOUNT, name) ? ON_ACCOUNT[name] : undefined;
  const [reference] = operands;
  if (act !== undefined && reference !== undefined && operands.length === 1)
    return async (tools) => act(tools, await tools.manage.find(reference));
  if (act !== undefined) throw new UsageError(`Say whose account it is: ${name} <account>.`);
  throw new UsageError(name === '' ? 'Say what to do.' : `This is not understood: ${positionals.join(' ')}`);
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
  role,
}: {
  readonly user?: string | undefined;
  readonly role?: string | undefined;
}): UserCommand {
  if (user === undefined) throw new UsageError('Say what the user is called: --user <name>.');
  if (role !== undefined && role !== 'user' && role !== 'administrator')
    throw new UsageError(`--role is user or administrator, not ${JSON.stringify(role)}.`);
  return async ({ manage }) => {
    const isFirst = (await manage.list(undefined)).length === 0;
    const administrator = role === undefined ? isFirst : role === 'administrator';
    const account = await manage.create({ user, password: await readPassword(), administrator });
    return `Account ${account.id}: ${account.name}${administrator ? ', an administrator' : ''}.`;
  };
}

async function listAll(manage: ManageAccounts): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (let after: number | undefined; ; after = all.at(-1)?.id) {
    const some = await manage.list(after);
    all.push(...some);
    if (some.length === 0) return all;
  }
}

function formatList(accounts: readonly Account[]): string {
  const time = (at: number | undefined): string =>
    at === undefined ? '-' : new Date(at).toISOString().slice(0, 19).concat('Z');
  const rows = accounts.map((one) => [
    String(one.id),
    one.name,
    one.administrator ? 'administrator' : 'user',
    one.issuer,
    time(one.signedInAt),
    time(one.disabledAt),
  ]);
  return formatTable([['ID', 'NAME', 'ROLE', 'SIGNS IN', 'LAST', 'DISABLED'], ...rows]);
}

async function run(command: UserCommand): Promise<number> {
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const store = await openStore({ url: config.databaseUrl });
  try {
    // Codes are hashed, never sealed: no key of the installation is needed.
    const secrets = createSecrets({ key: createSecretKey(randomBytes(32)), previousKey: undefined, randomBytes });
    const passwords = createPasswords({ randomBytes });
    const manage = createManageAccounts({ ...store, passwords, secrets, clock: { now: Date.now } });
    console.log(await command({ manage, config }));
  } finally {
    await store.close();
  }
  return 0;
}

await runCommand(USAGE, (args) => {
  const command = readCommand(args);
  return command && (() => run(command));
});
