import { createSecretKey, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { Failure } from '../core/failure.ts';
import type { Account } from '../core/repo/account.ts';
import { COMMAND_LINE } from '../core/repo/audit.ts';
import { type Counts, counted, type Texts } from '../core/sentences.ts';
import { erasePerson, personOf } from '../people/erase-person.ts';
import { findAccount, listAccounts, type ManageAccounts, manageAccounts } from '../people/manage-accounts.ts';
import { createSecrets } from '../platform/secrets/create-secrets.ts';
import { createPasswords } from '../platform/secrets/passwords.ts';
import type { Services } from '../services/services.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore, takeMakeDatabase } from './command/command-store.ts';
import { formatReceipt, reserveReceipt } from './erasure-receipt.ts';
import { FOR_CREATE_ALONE, notUnderstood, roleWrong } from './sentences.ts';

const ACCOUNT_COLUMNS = ['ID', 'NAME', 'ROLE', 'SIGNS IN', 'LAST', 'DISABLED'] as const;

interface Tools {
  readonly services: Pick<Services, 'accounts' | 'persons' | 'builds' | 'repos' | 'audit' | 'clock'>;
  readonly manage: ManageAccounts;
  readonly config: ServerConfig;
}

type Values = ReturnType<typeof readArguments>['values'];

/** Enough to tell an address from a name. */
const EMAIL = /^[^\s@]{1,200}@[^\s@]{1,200}$/;

type UserCommand = (tools: Tools) => Promise<string>;

const ON_ACCOUNT: Readonly<Record<string, (tools: Tools, account: Account) => Promise<string>>> = {
  async 'set-password'({ manage }, account) {
    await manage.setPassword(account, await readPassword());
    return `${account.name} has a new password, and is signed out everywhere.`;
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
    return `${account.name} is not an administrator.`;
  },
  async 'sign-in-link'({ manage, config: { baseUrl, host, port } }, account) {
    const base = baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    console.error(
      `Anybody who opens this and presses its button within 10 minutes is signed in as ${account.name}; it works once.`,
    );
    return `${base}/sign-in/link?code=${await manage.makeCode(account)}`;
  },
};

/** The account goes last: until then the same command can be repeated. */
function eraseOf({ email: emails = [], receipt }: Values, reference: string | undefined): UserCommand {
  for (const email of emails)
    if (!EMAIL.test(email)) throw new UsageError(`${JSON.stringify(email)} is not an e-mail address.`);
  if (reference === undefined && emails.length === 0)
    throw new UsageError('Say who to erase: erase <account>, --email <address>, or both.');
  return async ({ services, manage }) => {
    const account = reference === undefined ? undefined : await findAccount(services, reference);
    if (receipt !== undefined) reserveReceipt(receipt);
    const builds = await erasePerson(services, { account, emails });
    const removed = account && (await manage.erase(account));
    const person = personOf({ account, emails });
    const erasure = { at: Date.now(), account: account?.id, emails: person.emails, removed, builds };
    if (receipt !== undefined) writeFileSync(receipt, formatReceipt(erasure));
    console.error(erasedFromBuilds(builds));
    return account === undefined
      ? 'No build names the author of commits with these addresses any more.'
      : `Account ${account.id} is erased. Nobody can tell any more who it belonged to.`;
  };
}

function readCommand(args: readonly string[]): UserCommand | undefined {
  const { positionals, values } = readArguments(args);
  const [name = '', ...operands] = positionals;
  if (values.help || name === 'help') return undefined;
  if (name !== 'create' && (values.user ?? values.role) !== undefined) throw new UsageError(FOR_CREATE_ALONE);
  if (name !== 'erase' && (values.email ?? values.receipt) !== undefined)
    throw new UsageError('--email and --receipt are only for erase.');
  if (name === 'erase' && operands.length <= 1) return eraseOf(values, operands[0]);
  if (name === 'create' && operands.length === 0) return createOf(values);
  if (name === 'list' && operands.length === 0) return async ({ services }) => formatList(await listAll(services));
  const act = Object.hasOwn(ON_ACCOUNT, name) ? ON_ACCOUNT[name] : undefined;
  const [reference] = operands;
  if (act !== undefined && reference !== undefined && operands.length === 1)
    return async (tools) => act(tools, await findAccount(tools.services, reference));
  if (act !== undefined) throw new UsageError(`Name the account: ${name} <account>.`);
  throw new UsageError(name === '' ? 'Say what to do.' : notUnderstood(positionals.join(' ')));
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        role: { type: 'string' },
        email: { type: 'string', multiple: true },
        receipt: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
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
  if (user === undefined) throw new UsageError('Name the user: --user <name>.');
  if (role !== undefined && role !== 'user' && role !== 'administrator')
    throw new UsageError(roleWrong(JSON.stringify(role)));
  return async ({ services, manage }) => {
    const isFirst = (await listAccounts(services, undefined)).length === 0;
    const administrator = role === undefined ? isFirst : role === 'administrator';
    const account = await manage.create({ user, password: await readPassword(), administrator });
    return accountMade(account, { isAdministrator: administrator });
  };
}

async function listAll(services: Tools['services']): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (let after: number | undefined; ; after = all.at(-1)?.id) {
    const some = await listAccounts(services, after);
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
  return formatTable([ACCOUNT_COLUMNS, ...rows]);
}

async function run(config: ServerConfig, command: UserCommand, options: { readonly make: boolean }): Promise<number> {
  const store = await openCommandStore(config, options);
  try {
    // Codes are hashed, never sealed: no key of the installation is needed.
    const secrets = createSecrets({ key: createSecretKey(randomBytes(32)), previousKey: undefined, randomBytes });
    const passwords = createPasswords({ randomBytes });
    const services = { ...store, passwords, secrets, clock: { now: Date.now } };
    console.log(await command({ services, manage: manageAccounts(services, COMMAND_LINE), config }));
  } finally {
    await store.close();
  }
  return 0;
}

await runServerCommand(
  `\
Manages the people of the coverage server. It reads the same settings, and can run beside the server.

  npm run user -- create --user <name> [--role user|administrator]   a local account (the first: administrator)
  npm run user -- list                                               shows all accounts
  npm run user -- set-password <account>                             also signs them out everywhere
  npm run user -- disable <account>                                  ends their sessions and tokens immediately
  npm run user -- enable <account>
  npm run user -- make-administrator <account>
  npm run user -- make-user <account>                                removes the administrator role
  npm run user -- erase [<account>] [--email <address>]... [--receipt <file>]
                                                                     permanently, with tokens; their repos stay
  npm run user -- sign-in-link <account>                            prints a URL that signs in once, within 10 minutes

erase takes a person out of builds and settings too: their name under what they did, and the author of commits with one
of these addresses (or the account's own). Without an account, only commits are searched. The receipt says what was
erased.

An account is a user name, or the number that list shows. A password is asked for, or read from standard input.
It says which database it opened. With --make-database, it creates one if there is none.`,
  (args) => {
    const { make, rest } = takeMakeDatabase(args);
    const command = readCommand(rest);
    return command && ((config) => run(config, command, { make }));
  },
);

function accountMade(
  { id, name }: Texts<'name'> & Counts<'id'>,
  { isAdministrator }: { readonly isAdministrator: boolean },
): string {
  return `Account ${id}: ${name}${isAdministrator ? ', an administrator' : ''}.`;
}

function erasedFromBuilds({ builds, jobs }: Counts<'builds' | 'jobs'>): string {
  return `Changed: ${counted(builds, 'build')} and ${counted(jobs, 'upload')}.`;
}

/** A password: typed twice and not shown, or the first line of standard input where that is no terminal. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readLine();
  const first = await ask('Password: ');
  if (first === (await ask('The same password again: '))) return first;
  throw new Failure('payload-invalid', 'The two passwords do not match. Nothing was changed.');
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new Failure('payload-invalid', 'Standard input has no password.');
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
