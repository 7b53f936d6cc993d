// The command `npm run user`, and the password that it asks for.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const USER_USAGE = `\
People of the coverage server; reads the same settings, and may run beside it.

  npm run user -- create --user <name> [--role user|administrator]   a local account (the first: administrator)
  npm run user -- list                                               shows all accounts
  npm run user -- set-password <account>                             signs them out everywhere too
  npm run user -- disable <account>                                  ends their sessions and tokens at once
  npm run user -- enable <account>
  npm run user -- make-administrator <account>
  npm run user -- make-user <account>                                no administrator any more
  npm run user -- erase [<account>] [--email <address>]... [--receipt <file>]
                                                                     for good, with tokens; their repos stay
  npm run user -- sign-in-link <account>                            prints an address that signs in once, in 10 minutes

erase takes a person out of builds too: their name under what they did, and the author of commits with one of these
addresses (or the account's own). Without an account only commits are looked at. The receipt says what was erased.

An account is a user name, or the number that list shows. A password is asked for, or read from standard input.
It says which database it opened. With --make-database it makes one where there is none.`;

export const ACCOUNT_COLUMNS = ['ID', 'NAME', 'ROLE', 'SIGNS IN', 'LAST', 'DISABLED'] as const;

export const NO_COMMAND = 'Say what to do.';
export const USER_MISSING = 'Say what the user is called: --user <name>.';

export function accountMissing(command: string): string {
  return `Say whose account it is: ${command} <account>.`;
}

export function accountMade(
  { id, name }: Texts<'name'> & Counts<'id'>,
  { isAdministrator }: { readonly isAdministrator: boolean },
): string {
  return `Account ${id}: ${name}${isAdministrator ? ', an administrator' : ''}.`;
}

export function passwordSet(name: string): string {
  return `${name} has another password, and is signed out everywhere.`;
}

export function disabled(name: string): string {
  return `${name} is disabled, and signed out everywhere.`;
}

export function enabled(name: string): string {
  return `${name} may sign in again.`;
}

export function erased(id: number): string {
  return `Account ${id} is erased. Nobody knows any more whose it was.`;
}

export const WHOM_TO_ERASE = 'Say who is to be erased: erase <account>, --email <address>, or both.';
export const FOR_ERASE_ALONE = '--email and --receipt are for erase alone.';
export const ADDRESSES_ERASED = 'No build names the author of commits with these addresses any more.';

export function emailWrong(found: string): string {
  return `${found} is no e-mail address.`;
}

export function receiptNotMade(path: string, why: string): string {
  return `The receipt ${JSON.stringify(path)} cannot be made as a new file (${why}). Nothing was erased.`;
}

export function erasedFromBuilds({ builds, jobs }: Counts<'builds' | 'jobs'>): string {
  return `Changed: ${counted(builds, 'build')} and ${counted(jobs, 'upload')}.`;
}

export const LEFT_BY_ERASURE: readonly string[] = [
  'The audit log keeps the number of the account, and the network addresses of what was done.',
  'What was announced at a git host stays there, but for comments and statuses that are sent again.',
  'Backups that were made before hold the data until they are removed.',
  'Source texts, file paths, branch names and reasons that people typed are not searched.',
  'An upload of a later time brings the author of its commit again.',
];

export function administratorNow(name: string): string {
  return `${name} is an administrator.`;
}

export function noAdministrator(name: string): string {
  return `${name} is no administrator.`;
}

export function linkSignsIn(name: string): string {
  return `Whoever opens this and presses its button within 10 minutes is signed in as ${name}; it works once.`;
}

export const PASSWORD_PROMPT = 'Password: ';
export const PASSWORD_AGAIN = 'The same again: ';
export const PASSWORDS_DIFFER = 'These were two different passwords; nothing was changed.';
export const PASSWORD_MISSING = 'Standard input holds no password.';
