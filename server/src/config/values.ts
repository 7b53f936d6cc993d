import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { DURATION_FORM, parseDuration } from '../core/duration.ts';
import { quoteValue } from '../core/failure.ts';
import { type AllowedOwner, readAllowedOwner } from '../core/repo/allowed-owners.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import { findSettingsProblems, toSettings } from '../core/repo/settings-fields.ts';
import { KEY_FORM, parseSecretKey } from '../platform/secrets/secret-key.ts';
import * as say from './messages.ts';

/**
 * What the readers of settings throw. The sentence follows the variable's name: the value's shape, what is needed, an
 * example. Readers of secrets never repeat the value.
 */
export class BadValue extends Error {}

/** Whose X-Forwarded-For counts: no one's, the last `hops` addresses', or that of these networks. */
export type ProxyTrust =
  | { readonly kind: 'none' }
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'networks'; readonly networks: readonly string[] };

/** Ports that browsers and fetch refuse to open (https://fetch.spec.whatwg.org/#port-blocking). */
const REFUSED_PORTS: ReadonlySet<number> = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 ' +
    '123 135 137 139 ' +
    '143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 ' +
    '1719 1720 1723 2049 ' +
    '3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  )
    .split(' ')
    .map(Number),
);

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new BadValue(say.portWrong(quoteValue(text)));
  if (REFUSED_PORTS.has(port)) {
    throw new BadValue(say.portRefused(port));
  }
  return port;
}

export function readHost(text: string): string {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIP(bare) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) return bare;
  throw new BadValue(say.hostWrong(quoteValue(text)));
}

/** An http(s) URL with an optional path, without a trailing slash. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new BadValue(say.urlWrong(quoteValue(text)));
  }
  if (url.username !== '' || url.password !== '') throw new BadValue(say.URL_WITH_PASSWORD);
  if (url.search !== '' || url.hash !== '' || /[?#]$/.test(text)) {
    throw new BadValue(say.urlWithQuery(quoteValue(text)));
  }
  return `${url.origin}${url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')}`;
}

/** A proxy's address; it may hold a user name and a password. */
export function readProxy(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && canDecode(url.password)) return text;
  throw new BadValue(say.proxyWrong(text.length));
}

function canDecode(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text);
}

/** Hosts that are called without a proxy. */
export function readText(text: string): string {
  return text;
}

/** Certificates of authorities, as PEM. */
export function readCertificates(text: string): string {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length > 0 && found.every(isCertificate)) return found.join('\n');
  throw new BadValue(say.certificatesWrong(text.length));
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

export function readProxyTrust(text: string): ProxyTrust {
  if (/^(none|0)$/i.test(text)) return { kind: 'none' };
  if (/^[1-9]\d?$/.test(text)) return { kind: 'hops', hops: Number(text) };
  const networks = text.split(',').map((part) => part.trim());
  const wrong = networks.find((network) => network !== 'loopback' && !isNetwork(network));
  if (wrong === undefined) return { kind: 'networks', networks };
  throw new BadValue(say.proxiesWrong(quoteValue(wrong)));
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export function readSecretKey(text: string): KeyObject {
  const key = parseSecretKey(text);
  if (key === undefined) throw new BadValue(say.keyWrong(text.length, KEY_FORM));
  return key;
}

/** A token that fits into a header. */
export function readToken(text: string): string {
  if (/^[\x21-\x7e]{1,1000}$/.test(text)) return text;
  throw new BadValue(say.tokenWrong(text.length));
}

/** Characters of ADMIN_TOKEN: 16 random bytes in hexadecimal are 32, and nobody guesses those. */
const MIN_ADMIN_TOKEN = 32;

/** A token that is worth as much as every repo's together. */
export function readAdminToken(text: string): string {
  const token = readToken(text);
  if (token.length >= MIN_ADMIN_TOKEN) return token;
  throw new BadValue(say.tokenTooShort(token.length, MIN_ADMIN_TOKEN));
}

/** The number that GitHub gave an App: webhooks and comments name the App by it, and not by the client id. */
export function readAppId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new BadValue(say.appIdWrong(quoteValue(text)));
}

/**
 * An RSA private key as PEM (PKCS#1 or PKCS#8), its newlines perhaps written as the two characters `\n`; answered as
 * PKCS#8.
 */
export function readAppKey(text: string): string {
  const key = parsePrivateKey(text.replaceAll('\\r', '').replaceAll('\\n', '\n'));
  if (key?.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const found = key === undefined ? say.KEY_UNREADABLE : say.keyOfType(key.asymmetricKeyType);
  throw new BadValue(say.appKeyWrong(text.length, found));
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Which stores there are is known to the store alone; here only what every URL of one has. It may hold a password. */
export function readDatabaseUrl(text: string): string {
  if (/^sqlite:./.test(text) || /^mongodb(\+srv)?:\/\/./.test(text)) return text;
  throw new BadValue(say.databaseUrlWrong(text.length));
}

/**
 * The name of commit statuses. Descriptions and contexts are one line; GitHub cuts a context at 255 characters, flags
 * are appended.
 */
export function readContext(text: string): string {
  if (/^[^\p{C}\p{Z}]([^\p{C}\p{Zl}\p{Zp}]{0,98}[^\p{C}\p{Z}])?$/u.test(text)) return text;
  throw new BadValue(say.contextWrong(quoteValue(text)));
}

/** Owners, separated by commas. */
export function readOwners(text: string): readonly AllowedOwner[] {
  return text.split(',').map((part) => {
    const owner = readAllowedOwner(part.trim());
    if (owner !== undefined) return owner;
    throw new BadValue(say.ownersWrong(quoteValue(part.trim())));
  });
}

/** One line without blanks around it. */
export function readName(text: string): string {
  if (/^[\x20-\x7e]{1,200}$/.test(text)) return text;
  throw new BadValue(say.nameWrong(quoteValue(text)));
}

/** Names, separated by commas. */
export function readNames(text: string): readonly string[] {
  const names = text.split(',').map((part) => part.trim());
  if (names.every((name) => name !== '')) return names;
  throw new BadValue(say.namesWrong(quoteValue(text)));
}

/** An issuer of OpenID Connect, exactly as the provider writes it. */
export function readIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname);
  if (url !== undefined && (url.protocol === 'https:' || (isLocal && url.protocol === 'http:'))) return text;
  throw new BadValue(say.issuerWrong(quoteValue(text)));
}

/** Issuers as they write themselves, without a slash at the end; `none`: an empty list. */
export function readIssuers(text: string): readonly string[] {
  return text === 'none' ? [] : readNames(text).map((issuer) => readIssuer(issuer).replace(/\/$/, ''));
}

/** What a group may do in which repos. */
export function readGroupRoles(text: string) {
  return readNames(text).map((part) => {
    const [, group = '', repos = '', role] = /^([^=]+)=([^:]+):(reader|maintainer)$/.exec(part) ?? [];
    const known = role === 'maintainer' ? ('maintainer' as const) : ('reader' as const);
    if (role !== undefined && /^[a-z]+\/[^/].*$/.test(repos)) return { group, repos, role: known };
    throw new BadValue(say.groupRolesWrong(quoteValue(part)));
  });
}

/** A JSON object of the fields that the repos API takes as settings. */
export function readRepoSettings(text: string): Partial<RepoSettings> {
  const fields = parseObject(text);
  if (fields === undefined) {
    throw new BadValue(say.repoSettingsWrong(quoteValue(text)));
  }
  const problems = findSettingsProblems(fields);
  if (problems.length > 0) throw new BadValue(say.doesNotFit(problems.slice(0, 10).join('; ')));
  return toSettings(fields);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds. */
export function readDuration({ min }: { readonly min: number }): (text: string) => number {
  const longest = 365 * 86_400_000;
  return (text) => {
    const value = parseDuration(text);
    if (value === undefined) throw new BadValue(`is ${quoteValue(text)}; give ${DURATION_FORM}`);
    if (value < min || value > longest) throw new BadValue(say.durationWrong(quoteValue(text), min));
    return value;
  };
}

const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KB: 1_000,
  MB: 1_000_000,
  GB: 1_000_000_000,
  KIB: 1_024,
  MIB: 1_048_576,
  GIB: 1_073_741_824,
};

/** Bytes. */
function parseSize(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12}) ?([kmg]i?b)?$/i.exec(text) ?? [];
  return Number(digits) * (SIZE_UNITS[unit.toUpperCase()] ?? Number.NaN);
}

/** Bytes of which there may be any number; 0: no limit. */
export function readSizeLimit(text: string): number {
  const bytes = parseSize(text);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new BadValue(say.sizeLimitWrong(quoteValue(text)));
}

/** 0: no limit. */
export function readLimit(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BadValue(say.limitWrong(quoteValue(text)));
}

export function readSize(text: string): number {
  const bytes = parseSize(text);
  if (bytes >= 1 && bytes <= 4_294_967_296) return bytes;
  throw new BadValue(say.sizeWrong(quoteValue(text)));
}

export function readPercent(text: string): number {
  const percent = Number(text);
  if (/^\d{1,3}(?:\.\d{1,6})?$/.test(text) && percent <= 100) return percent;
  throw new BadValue(say.percentWrong(quoteValue(text)));
}

export function readSwitch(text: string): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new BadValue(say.switchWrong(quoteValue(text)));
}

export function readCount({ max }: { readonly max: number }): (text: string) => number {
  return (text) => {
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= max) return count;
    throw new BadValue(say.countWrong(quoteValue(text), max));
  };
}

export function readChoice<const Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((one) => one === text.toLowerCase());
    if (choice === undefined) throw new BadValue(say.choiceWrong(quoteValue(text), choices.join(', ')));
    return choice;
  };
}
