// The command `npm run repos`, the file that it reads, and the server that it asks.
import { counted } from './counted.ts';
import type { Texts } from './values.ts';

export const REPOS_USAGE = `\
Makes and changes the repos of a coverage server that a file lists; run again, it changes nothing.

  COVERAGE_TOKEN=... npm run repos -- apply repos.yaml --server https://coverage.example [--dry-run]

  --dry-run          says what would be changed, and changes nothing
  --server <url>     the server's address; else COVERAGE_SERVER
  --tokens <file>    where the tokens of new repos go, a new file that only you can read; else repo-tokens.txt

COVERAGE_TOKEN is a personal token (npm run token). docs/migrating.md shows a file.`;

export const NO_COMMAND = 'Say what to do: apply.';
export const NO_FILE = 'Say which file lists the repos: apply <file>.';
export const NO_TOKEN = 'Set COVERAGE_TOKEN to a personal token: npm run token -- create.';
export const NO_SERVER = 'Say which server: --server <url>, or COVERAGE_SERVER.';
export const DRY_RUN = 'A dry run: nothing was changed.';

export function notUnderstood(words: readonly string[]): string {
  return `This is not understood: ${words.join(' ')}`;
}

export function badAddress(why: string): string {
  return `The address of the server ${why}.`;
}

export function unreadable({ file, why }: Texts<'file' | 'why'>): string {
  return `${file} cannot be read: ${why}.`;
}

export function tokensKept(count: number, path: string): string {
  return `The tokens of ${counted(count, 'new repo')} are in ${path}.`;
}

export function tokenFileExists(path: string): string {
  return (
    `${path} exists already and may hold tokens. Move it away, or name another file with --tokens. ` +
    'Nothing was changed.'
  );
}

export function tokenFileRefused(why: string): string {
  return `The tokens of new repos cannot be written: ${why}. Nothing was changed.`;
}

export function refused(reason: string, { isMade }: { readonly isMade: boolean }): string {
  return `refused${isMade ? ', after it was made' : ''}: ${reason}`;
}

export function moreProblems(count: number): string {
  return `and ${counted(count, 'more problem')}`;
}

export const REPOS_MISSING = 'the file must have the key "repos", a list of repos.';
export const DEFAULTS_WRONG = '"defaults" must hold settings.';
export const REPOS_WRONG = '"repos" must be a list of repos, each with its "name".';
export const REPO_WRONG = 'a repo must be "name: <owner>/<name>", with its settings beside it.';

/** `found`: `, not "svn"`, or nothing where it is missing. */
export function serviceWrong({ known, found }: Texts<'known' | 'found'>): string {
  return `service must be one of ${known}, here or in "defaults"${found}.`;
}

export function nameWrong(form: string): string {
  return `name must be ${form}.`;
}

export function nameForm(found: string): string {
  return `a text, <owner>/<name>${found}`;
}

export function listedTwice(name: string): string {
  return `${name} is listed twice.`;
}

export function keyUnknown({ key, nearest, known }: Texts<'key' | 'known'> & { readonly nearest: string | undefined }) {
  return `${key} is unknown (${nearest === undefined ? `known: ${known}` : `did you mean ${nearest}?`}).`;
}

export function switchMissing(name: string): string {
  return `${name} must be true or false, not null.`;
}

export function serverUnreachable({ server, why }: Texts<'server' | 'why'>): string {
  return `${server} cannot be reached: ${why}.`;
}

export function serverRedirects({ server, target }: Texts<'server' | 'target'>): string {
  return `${server} redirects to ${target}; give the address that answers itself.`;
}

export function tokenUnknown({ server, said }: Texts<'server' | 'said'>): string {
  return `${server} does not know COVERAGE_TOKEN: ${said}`;
}

export function noCoverageServer(server: string): string {
  return `${server} does not answer as a coverage server; give its BASE_URL, with the path where it has one.`;
}

export const NO_REASON = 'it does not say why.';
