import type { AdminGroup, GroupRole } from '../core/repo/caller.ts';
import { looksTyped, privateKeyLines } from '../platform/secrets/secret-key.ts';
import * as say from './messages.ts';
import { findMistyped } from './mistyped.ts';
import { type Environment, type ReadFile, readSettings } from './settings.ts';
import { CONFIG_VARIABLES, plainSettings, type Settings } from './variables.ts';

/** All settings from outside. Deeply frozen. Durations in milliseconds, sizes in bytes. */
export type Config = Readonly<ReturnType<typeof toConfig>> & {
  /** Sentences for the log and the doctor. */
  readonly warnings: readonly string[];
};

/** The GitHub App that this server signs in as. */
export interface GithubAppConfig {
  readonly id: number;
  /** An RSA key as PEM, PKCS#8. */
  readonly privateKey: string;
}

/** Every problem of the environment at once, a line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(say.problemsFound(count, problems.map((line) => `- ${line}`).join('\n')), options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the whole environment, once. Throws a ConfigError that names every problem and never a secret's value. */
export function readConfig(env: Environment, readFile: ReadFile): Config {
  const problems = findNodeSwitches(env);
  const settings = readSettings({ env, readFile, problems });
  if (settings !== undefined) problems.push(...findContradictions(settings));
  if (settings === undefined || problems.length > 0) throw new ConfigError(problems);
  return deepFreeze({ ...toConfig(settings), warnings: [...findMistyped(env), ...findWeaknesses(settings)] });
}

/** The same of what a command needs that only calls a server. */
export function readOutgoing(env: Environment, readFile: ReadFile): Config['outgoing'] {
  const problems = findNodeSwitches(env);
  const names: readonly string[] = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'CA_FILE'];
  const settings = readSettings(
    { env, readFile, problems },
    CONFIG_VARIABLES.filter(({ name }) => names.includes(name)),
  );
  if (settings === undefined || problems.length > 0) throw new ConfigError(problems);
  return outgoingOf(settings);
}

/** The one switch of Node's that would have every certificate believed. */
export function findNodeSwitches({ NODE_TLS_REJECT_UNAUTHORIZED: checked }: Environment): string[] {
  return checked === '0' ? [say.CERTIFICATES_UNCHECKED] : [];
}

function findContradictions(settings: Settings): readonly string[] {
  const { SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous, DATABASE_URL: url } = settings;
  const { MAX_UPLOADS_MEMORY: memory, MAX_UPLOAD_BYTES: upload } = settings;
  const problems: string[] = [];
  if (key === undefined && previous !== undefined) {
    problems.push(say.PREVIOUS_KEY_ALONE);
  }
  if (key !== undefined && previous?.equals(key)) {
    problems.push(say.PREVIOUS_KEY_SAME);
  }
  if (key === undefined && !url.startsWith('sqlite:')) {
    problems.push(say.KEY_MISSING);
  }
  if (settings.METRICS_TOKEN !== undefined && settings.METRICS_TOKEN === settings.ADMIN_TOKEN) {
    problems.push(say.METRICS_TOKEN_SAME);
  }
  if (memory !== undefined && memory < 2 * upload) {
    problems.push(say.memoryTooSmall(upload));
  }
  return [...problems, ...findSignInContradictions(settings), ...findPeopleContradictions(settings)];
}

/** One way to sign in at GitHub: which account it is must never depend on which of two is tried first. */
function findSignInContradictions(settings: Settings): readonly string[] {
  const { GITHUB_TOKEN: token, GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: key } = settings;
  const problems: string[] = [];
  if (token !== undefined && (id ?? key) !== undefined) {
    problems.push(say.TOKEN_AND_APP);
  }
  if (id !== undefined && key === undefined) {
    problems.push(say.APP_KEY_MISSING);
  }
  if (id === undefined && key !== undefined) {
    problems.push(say.APP_ID_MISSING);
  }
  return problems;
}

/** What one repo, and one address with unknown tokens, may send; 0: no limit. */
function senderLimits(settings: Settings) {
  return {
    repoLimits: {
      jobsPerMinute: settings.MAX_REPO_JOBS_PER_MINUTE,
      bytesPerDay: settings.MAX_REPO_BYTES_PER_DAY,
      openBuilds: settings.MAX_REPO_OPEN_BUILDS,
    },
    unverifiedLimits: {
      run: settings.MAX_UNVERIFIED_RUN_BYTES,
      pull: settings.MAX_UNVERIFIED_PULL_BYTES,
      address: settings.MAX_UNVERIFIED_ADDRESS_BYTES,
      repo: settings.MAX_UNVERIFIED_REPO_BYTES,
    },
    addressLimits: {
      jobsPerMinute: settings.MAX_ADDRESS_JOBS_PER_MINUTE,
      bytesPerDay: settings.MAX_ADDRESS_BYTES_PER_DAY,
    },
  };
}

/** What belongs together where people sign in elsewhere. */
function findPeopleContradictions(settings: Settings): readonly string[] {
  const pairs = [
    ['GITHUB_APP_CLIENT_ID', 'GITHUB_APP_CLIENT_SECRET'],
    ['GITLAB_CLIENT_ID', 'GITLAB_CLIENT_SECRET'],
    ['GITEA_CLIENT_ID', 'GITEA_CLIENT_SECRET'],
    ['FORGEJO_CLIENT_ID', 'FORGEJO_CLIENT_SECRET'],
    ['BITBUCKET_CLIENT_ID', 'BITBUCKET_CLIENT_SECRET'],
    ['BITBUCKET_SERVER_CLIENT_ID', 'BITBUCKET_SERVER_CLIENT_SECRET'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  ] as const;
  const lonely = pairs
    .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
    .filter(([one, other]) => settings[one] !== undefined && settings[other] === undefined)
    .map(([one, other]) => say.alone(one, other));
  const placeless = (['GITEA', 'FORGEJO'] as const)
    .filter((host) => settings[`${host}_URL`] === undefined)
    .flatMap((host) =>
      ([`${host}_TOKEN`, `${host}_WEBHOOK_SECRET`, `${host}_CLIENT_ID`] as const)
        .filter((name) => settings[name] !== undefined)
        .map((name) => say.alone(name, `${host}_URL`)),
    );
  const ofOidc = ['OIDC_ALLOWED_DOMAINS', 'OIDC_ALLOWED_GROUPS', 'OIDC_ADMIN_GROUP', 'OIDC_GROUP_ROLES'] as const;
  const idle = ofOidc
    .filter((name) => settings[name] !== undefined && settings.OIDC_ISSUER === undefined)
    .map((name) => say.withoutIssuer(name));
  const isOpen = settings.OIDC_ALLOWED_DOMAINS === undefined && settings.OIDC_ALLOWED_GROUPS === undefined;
  const open = settings.OIDC_ISSUER !== undefined && isOpen ? [say.NOBODY_ALLOWED] : [];
  return [...new Set([...lonely, ...placeless, ...idle, ...open])];
}

/** Who signs in, and what their groups may do. */
function people(settings: Settings): {
  readonly adminGroup: AdminGroup;
  readonly groupRoles: readonly GroupRole[];
  readonly openId: OpenIdConfig | undefined;
  /** How long groups count, in ms. */
  readonly groupsMaxAge: number;
} {
  const { OIDC_ISSUER: issuer, OIDC_ADMIN_GROUP: group, OIDC_GROUP_ROLES: roles = [] } = settings;
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_GROUPS_MAX_AGE: groupsMaxAge } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return { adminGroup: undefined, groupRoles: [], openId: undefined, groupsMaxAge };
  const openId = {
    issuer,
    clientId,
    clientSecret,
    name: settings.OIDC_NAME,
    scopes: settings.OIDC_SCOPES,
    prompt: settings.OIDC_PROMPT,
    usesGroups: group !== undefined || roles.length > 0,
    groupsClaim: settings.OIDC_GROUPS_CLAIM,
    allowedDomains: settings.OIDC_ALLOWED_DOMAINS ?? [],
    allowedGroups: settings.OIDC_ALLOWED_GROUPS ?? [],
  };
  const adminGroup = group === undefined ? undefined : { issuer, group };
  return { adminGroup, groupRoles: roles.map((role) => ({ issuer, ...role })), openId, groupsMaxAge };
}

/** An OpenID provider that people sign in at. */
export interface OpenIdConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly scopes: string;
  readonly prompt: string | undefined;
  /** Whether a group gives rights here. */
  readonly usesGroups: boolean;
  readonly groupsClaim: string;
  /** Domains of verified e-mail addresses; `*`: any. People who match neither list may not sign in. */
  readonly allowedDomains: readonly string[];
  readonly allowedGroups: readonly string[];
}

/** How calls of other servers leave this machine. */
function outgoingOf(settings: Settings) {
  const { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy, CA_FILE: ca } = settings;
  return { httpProxy, httpsProxy, noProxy, ca };
}

/** What the settings of hosts begin with that one may have oneself. */
const OWN_HOSTS = ['GITLAB', 'GITEA', 'FORGEJO'] as const;

function ownHostOf(settings: Settings, host: (typeof OWN_HOSTS)[number]) {
  const url = settings[`${host}_URL`];
  const [clientId, clientSecret] = [settings[`${host}_CLIENT_ID`], settings[`${host}_CLIENT_SECRET`]];
  return {
    url,
    /** Its keys could be changed on the way: no ID token is believed. */
    isReadable: url !== undefined && isReadableOnTheWay(new URL(url)),
    token: settings[`${host}_TOKEN`],
    webhookSecret: settings[`${host}_WEBHOOK_SECRET`],
    /** By which people sign in with it; undefined: nobody does. */
    application: applicationOf(clientId, clientSecret),
  };
}

function applicationOf(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

function bitbucketOf(settings: Settings) {
  return {
    url: settings.BITBUCKET_URL,
    apiUrl: settings.BITBUCKET_API_URL,
    isReadable: settings.BITBUCKET_API_URL !== undefined && isReadableOnTheWay(new URL(settings.BITBUCKET_API_URL)),
    token: settings.BITBUCKET_TOKEN,
    webhookSecret: settings.BITBUCKET_WEBHOOK_SECRET,
    application: applicationOf(settings.BITBUCKET_CLIENT_ID, settings.BITBUCKET_CLIENT_SECRET),
  };
}

function bitbucketServerOf(settings: Settings) {
  return {
    url: settings.BITBUCKET_SERVER_URL,
    token: settings.BITBUCKET_SERVER_TOKEN,
    webhookSecret: settings.BITBUCKET_SERVER_WEBHOOK_SECRET,
    application: applicationOf(settings.BITBUCKET_SERVER_CLIENT_ID, settings.BITBUCKET_SERVER_CLIENT_SECRET),
  };
}

/** Whose ID tokens uploads may bring; undefined: GitHub's own. Keys that came without https could be anybody's. */
function githubIssuers({ GITHUB_OIDC_ISSUERS: stated, GITHUB_URL: url, GITHUB_API_URL: api }: Settings) {
  const isReadable = [url, api].some((one) => one && isReadableOnTheWay(new URL(one)));
  return stated ?? (isReadable ? [] : undefined);
}

/** What no log line and no answer may hold. For addresses it is the password; keys and databases have their own way. */
function secretValues(settings: Settings): readonly string[] {
  return CONFIG_VARIABLES.filter(({ secret }) => secret).flatMap(({ name }) => {
    const value = settings[name];
    if (typeof value !== 'string' || name === 'DATABASE_URL') return [];
    if (name === 'GITHUB_APP_PRIVATE_KEY') return privateKeyLines(value);
    // It may be e-mail:token.
    if (name === 'BITBUCKET_TOKEN') return [value, ...value.split(':').slice(1)];
    return /_PROXY$/.test(name) ? [decodeURIComponent(new URL(value).password)] : [value];
  });
}

function githubAppOf({ GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: privateKey }: Settings): GithubAppConfig | undefined {
  return id === undefined || privateKey === undefined ? undefined : { id, privateKey };
}

function toConfig(settings: Settings) {
  return {
    ...plainSettings(settings),
    /** Never together with githubToken. */
    githubApp: githubAppOf(settings),
    /** By which people sign in with GitHub; undefined: nobody does. */
    githubOauthApp: applicationOf(settings.GITHUB_APP_CLIENT_ID, settings.GITHUB_APP_CLIENT_SECRET),
    githubOidcIssuers: githubIssuers(settings),
    secretValues: secretValues(settings),
    gitlab: ownHostOf(settings, 'GITLAB'),
    gitea: ownHostOf(settings, 'GITEA'),
    forgejo: ownHostOf(settings, 'FORGEJO'),
    bitbucket: bitbucketOf(settings),
    bitbucketServer: bitbucketServerOf(settings),
    outgoing: outgoingOf(settings),
    allowedOwners: settings.ALLOWED_OWNERS ?? [],
    /** For repos that a first upload makes; what is left out has its usual default. */
    defaultRepoSettings: settings.DEFAULT_REPO_SETTINGS ?? {},
    floors: { minTotal: settings.MIN_TOTAL ?? null, minChanges: settings.MIN_CHANGES ?? null },
    ...people(settings),
    /** All uploads that are held at once; at least twice maxUploadBytes. */
    maxUploadsMemory: settings.MAX_UPLOADS_MEMORY ?? 4 * settings.MAX_UPLOAD_BYTES,
    /** SQLite: with less of the disk free, no uploads are to be sent here. */
    minFreeDisk: settings.MIN_FREE_DISK ?? settings.MAX_UPLOAD_BYTES,
    ...senderLimits(settings),
    /** For one merge: bytes and milliseconds; undefined: no bound. */
    maxMergeMemory: settings.MAX_MERGE_MEMORY || undefined,
    maxMergeTime: settings.MAX_MERGE_TIME || undefined,
    retention: {
      days: settings.RETENTION_DAYS || undefined,
      builds: settings.RETENTION_BUILDS || undefined,
    },
    /** Rule 29. */
    unverifiedRetention: {
      perRepo: settings.RETENTION_UNVERIFIED_BUILDS || undefined,
      perPull: settings.RETENTION_UNVERIFIED_PER_PULL || undefined,
    },
  };
}

const HOOK_SECRETS = [
  'GITHUB_WEBHOOK_SECRET',
  'GITLAB_WEBHOOK_SECRET',
  'GITEA_WEBHOOK_SECRET',
  'FORGEJO_WEBHOOK_SECRET',
  'BITBUCKET_WEBHOOK_SECRET',
  'BITBUCKET_SERVER_WEBHOOK_SECRET',
] as const;
const HOST_ADDRESSES = [
  'GITHUB_URL',
  'GITHUB_API_URL',
  'GITLAB_URL',
  'GITEA_URL',
  'FORGEJO_URL',
  'BITBUCKET_API_URL',
  'BITBUCKET_SERVER_URL',
] as const;

function findWeaknesses(settings: Settings): readonly string[] {
  const { SECRET_KEY: key } = settings;
  const warnings: string[] = [];
  for (const name of HOOK_SECRETS) {
    const hook = settings[name];
    if (hook !== undefined && hook.length < 20) warnings.push(say.hookSecretTooShort(name, hook.length));
  }
  if (key !== undefined && looksTyped(key)) warnings.push(say.KEY_TOO_REGULAR);
  for (const name of HOST_ADDRESSES) {
    const host = settings[name];
    if (host !== undefined && isReadableOnTheWay(new URL(host))) warnings.push(say.hostWithoutTls(name, host));
  }
  return warnings;
}

function isReadableOnTheWay({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}

/** Plain objects and lists only: a KeyObject is immutable as it is. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
