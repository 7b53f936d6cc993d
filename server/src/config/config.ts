import type { AdminGroup, GroupRole } from '../core/repo/caller.ts';
import { looksTyped, privateKeyLines } from '../platform/secrets/secret-key.ts';
import {
  findAlone,
  findHostContradictions,
  findReadableHosts,
  findShortSecrets,
  hostSettings,
} from './host-settings.ts';
import * as say from './messages.ts';
import { findMistyped } from './mistyped.ts';
import { type Environment, type ReadFile, readSettings } from './settings.ts';
import { CONFIG_VARIABLES, plainSettings, type Settings } from './variables.ts';

/** All settings from outside. Deeply frozen. Durations in milliseconds, sizes in bytes. */
export type Config = Readonly<ReturnType<typeof toConfig>> & {
  /** Sentences for the log and the doctor. */
  readonly warnings: readonly string[];
};

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
  return [...problems, ...findHostContradictions(settings), ...findPeopleContradictions(settings)];
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
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  ] as const;
  const ofOidc = ['OIDC_ALLOWED_DOMAINS', 'OIDC_ALLOWED_GROUPS', 'OIDC_ADMIN_GROUP', 'OIDC_GROUP_ROLES'] as const;
  const idle = ofOidc
    .filter((name) => settings[name] !== undefined && settings.OIDC_ISSUER === undefined)
    .map((name) => say.withoutIssuer(name));
  const isOpen = settings.OIDC_ALLOWED_DOMAINS === undefined && settings.OIDC_ALLOWED_GROUPS === undefined;
  const open = settings.OIDC_ISSUER !== undefined && isOpen ? [say.NOBODY_ALLOWED] : [];
  return [...new Set([...findAlone(pairs, settings), ...idle, ...open])];
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

function toConfig(settings: Settings) {
  return {
    ...plainSettings(settings),
    ...hostSettings(settings),
    secretValues: secretValues(settings),
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

function findWeaknesses(settings: Settings): readonly string[] {
  const { SECRET_KEY: key } = settings;
  const ofKey = key !== undefined && looksTyped(key) ? [say.KEY_TOO_REGULAR] : [];
  return [...findShortSecrets(settings), ...ofKey, ...findReadableHosts(settings)];
}

/** Plain objects and lists only: a KeyObject is immutable as it is. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
