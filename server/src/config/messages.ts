import { counted, type Texts } from '../core/sentences.ts';
// What is wrong with a variable: clauses that follow its name, and sentences.

export function twice(name: string): string {
  return `${name} and ${name}_FILE are both set; unset one of them.`;
}

export function fileEmpty({ name, path, what }: Texts<'name' | 'path' | 'what'>): string {
  return `${name} names ${path}, which is empty; write the ${what} into it.`;
}

export function fileUnreadable({ name, path, why }: Texts<'name' | 'path' | 'why'>): string {
  return (
    `${name} names ${path}, which cannot be read (${why}); ` +
    "give the path of a file that the server's user can read."
  );
}

export function portWrong(found: string): string {
  return `is ${found}; give a whole number from 0 (any free port) to 65535, such as 8080`;
}

export function portRefused(found: number): string {
  return `is ${found}, which browsers and Node's fetch refuse to open; give another one, such as 8080`;
}

export function hostWrong(found: string): string {
  return `is ${found}; give an address or host name without scheme and port, such as 127.0.0.1, 0.0.0.0 or ::`;
}

export function urlWrong(found: string): string {
  return `is ${found}; give an http or https URL, such as https://tools.example/coverage`;
}

export const URL_WITH_PASSWORD = 'holds a user name or password; leave them out';

export function urlWithQuery(found: string): string {
  return `is ${found}; leave out what begins with ? or #, since paths are appended to it`;
}

export function proxiesWrong(found: string): string {
  return (
    `holds ${found}; give the proxies' addresses or networks (10.0.0.0/8, ::1, loopback), separated by commas, or ` +
    'how many proxies there are (1)'
  );
}

export function keyWrong(characters: number, form: string): string {
  return `has ${counted(characters, 'character')}; give ${form}`;
}

export function tokenWrong(characters: number): string {
  return (
    `has ${counted(characters, 'character')}, some of them blanks or not ASCII, or more than 1000; ` +
    'give the token alone'
  );
}

export function tokenTooShort(characters: number, min: number): string {
  return (
    `has ${counted(characters, 'character')}, short enough to be guessed; give at least ${min}, such as \`openssl ` +
    'rand -hex 32` prints them'
  );
}

export function appIdWrong(found: string): string {
  return `is ${found}; give the App ID, a whole number that the App's settings at GitHub show (not its client ID)`;
}

export function appKeyWrong(characters: number, why: string): string {
  return (
    `has ${counted(characters, 'character')} and ${why}; ` +
    'give the whole .pem file that GitHub made for the App (an RSA key without passphrase)'
  );
}

export const KEY_UNREADABLE = 'cannot be read as a private key';

export function keyOfType(type: string | undefined): string {
  return `holds a key of type ${type}`;
}

export function databaseUrlWrong(characters: number): string {
  return (
    `has ${counted(characters, 'character')} and begins with no known scheme; give sqlite:<path>, such as ` +
    'sqlite:./data/coverage.db, sqlite::memory:, or mongodb://<hosts>/<database>'
  );
}

export function contextWrong(found: string): string {
  return `is ${found}; give one line of 1 to 100 printable characters, such as coverage`;
}

export function ownersWrong(found: string): string {
  return `holds ${found}; give owners separated by commas, such as acme or github/acme`;
}

export function nameWrong(found: string): string {
  return `is ${found}; give one line of 1 to 200 ASCII characters`;
}

export function namesWrong(found: string): string {
  return `is ${found}; give names separated by commas`;
}

export function issuerWrong(found: string): string {
  return `is ${found}; give the provider's issuer, an https address such as https://id.example`;
}

export function groupRolesWrong(found: string): string {
  return `holds ${found}; give such as qa=manual/acme/*:reader,core=manual/acme/shop:maintainer`;
}

export function repoSettingsWrong(found: string): string {
  return `is ${found}; give a JSON object such as {"comment_on_pull_requests": false}`;
}

export function doesNotFit(why: string): string {
  return `does not fit: ${why}`;
}

export function durationWrong(found: string, min: number): string {
  return `is ${found}; give between ${min}ms and 365d`;
}

export function sizeLimitWrong(found: string): string {
  return `is ${found}; give bytes or a number with KB, MB, GB, KiB, MiB or GiB; 0 for no limit`;
}

export function limitWrong(found: string): string {
  return `is ${found}; give a whole number, or 0 for no limit`;
}

export function sizeWrong(found: string): string {
  return `is ${found}; give bytes or a number with KB, MB, GB, KiB, MiB or GiB, from 1 byte to 4GiB, such as 256MiB`;
}

/** For a minimum. */
export function percentWrong(value: string): string {
  return `is ${value}; give a percentage from 0 to 100, such as 80 or 66.67`;
}

export function switchWrong(found: string): string {
  return `is ${found}; give true or false`;
}

export function countWrong(found: string, max: number): string {
  return `is ${found}; give a whole number from 1 to ${max}`;
}

export function choiceWrong(found: string, known: string): string {
  return `is ${found}; give one of ${known}`;
}

export function problemsFound(count: string, list: string): string {
  return `The configuration has ${count}:\n${list}`;
}

export const PREVIOUS_KEY_ALONE = 'SECRET_KEY_PREVIOUS is set without SECRET_KEY; set SECRET_KEY to the new key.';

export const METRICS_TOKEN_SAME =
  'METRICS_TOKEN equals ADMIN_TOKEN, which can do everything; give it a different value.';

export const PREVIOUS_KEY_SAME = 'SECRET_KEY_PREVIOUS equals SECRET_KEY; set it to the previous key, or unset it.';

export const KEY_MISSING =
  'SECRET_KEY is not set, and this database has no place beside it for a key file; ' +
  'set SECRET_KEY (openssl rand -hex 32).';

export function memoryTooSmall(upload: number): string {
  return (
    `MAX_UPLOADS_MEMORY is less than twice MAX_UPLOAD_BYTES (${upload} bytes): ` +
    'the largest upload could wait forever; raise it, or unset it.'
  );
}

export const TOKEN_AND_APP =
  'GITHUB_TOKEN and a GitHub App (GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY) are both set; ' +
  'set one of the two, and unset the other.';

export const APP_KEY_MISSING =
  "GITHUB_APP_ID is set without GITHUB_APP_PRIVATE_KEY; set that to the App's private key, or unset both.";

export const APP_ID_MISSING =
  "GITHUB_APP_PRIVATE_KEY is set without GITHUB_APP_ID; set that to the App's number, or unset both.";

export function alone(one: string, other: string): string {
  return `${one} is set without ${other}; set that too, or unset both.`;
}

export function withoutIssuer(name: string): string {
  return `${name} is set without OIDC_ISSUER; set that to the provider's URL, or unset ${name}.`;
}

export const NOBODY_ALLOWED =
  'OIDC_ISSUER is set without OIDC_ALLOWED_DOMAINS or OIDC_ALLOWED_GROUPS; say who may sign in, or * for all.';

export const KEY_TOO_REGULAR = 'SECRET_KEY is too regular to be random; make one with openssl rand -hex 32.';

export function hostWithoutTls(name: string, url: string): string {
  return (
    `${name} is ${url}: anybody on the network path to that machine can read the tokens that are sent there and ` +
    'impersonate it; use https.'
  );
}

export function hookSecretTooShort(name: string, characters: number): string {
  return (
    `${name} has ${counted(characters, 'character')}: short enough to be guessed; ` +
    'make one with openssl rand -hex 32.'
  );
}

export const CERTIFICATES_UNCHECKED =
  'NODE_TLS_REJECT_UNAUTHORIZED is 0, so anybody could impersonate GitHub or a database; unset it, ' +
  'and set CA_FILE to the authority that issued your certificates.';

export function proxyWrong(characters: number): string {
  return `has ${counted(characters, 'character')} and is no http or https URL; give such as http://proxy.example:3128`;
}

export function certificatesWrong(characters: number): string {
  return (
    `names a file of ${counted(characters, 'character')} that holds no certificate, ` +
    'or one that cannot be read; give a file of certificates as PEM'
  );
}

export const UNKNOWN_ERROR = 'unknown error';

export function mistyped(name: string, meant: string | undefined): string {
  const next = meant === undefined ? 'docs/configuration.md has those that are' : `did you mean ${meant}?`;
  return `${name} is set, but is not a setting of this server: ${next}${meant === undefined ? '.' : ''}`;
}

export function fileWithoutDatabase(path: string): string {
  return (
    `${path} sets no DATABASE_URL: put the one of the server there, such as ` +
    'DATABASE_URL=sqlite:/var/lib/coverage-service/coverage.db.'
  );
}

export function relativeDatabase(path: string): string {
  return (
    `DATABASE_URL in ${path} names a file by a relative path, which would be another file in each folder; give the ` +
    'whole path, such as sqlite:/var/lib/coverage-service/coverage.db.'
  );
}

export function settingsUnreadable(path: string, why: string): string {
  return `The settings in ${path} cannot be read (${why}): check the path, or run this as a user who can read it.`;
}

export function lineNotUnderstood(path: string, line: number): string {
  return `Line ${line} of ${path} is not NAME=value, a comment or empty.`;
}
