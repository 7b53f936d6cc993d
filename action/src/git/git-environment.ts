import { execFile } from 'node:child_process';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isInside, realPath } from './git-places.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What git needs of the machine, in upper case; tokens, inputs and settings of git itself are not among it. */
const INHERITED: ReadonlySet<string> = new Set([
  'PATH',
  'PATHEXT',
  'SYSTEMROOT',
  'WINDIR',
  'COMSPEC',
  'TMP',
  'TEMP',
  'TMPDIR',
  'LANG',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]);
/** Where the machine's own settings of git are found. */
const PLACES_OF_SETTINGS: ReadonlySet<string> = new Set([
  'HOME',
  'USERPROFILE',
  'PROGRAMDATA',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
]);
/** Nothing may ask a person anything: `GIT_ASKPASS` is set and empty, which keeps git from looking for a helper. */
const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
};
const WITHOUT_SETTINGS = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
};

/**
 * All that git sees of the step: it runs with a git directory of our own, which is its home too (a `.netrc` is looked
 * for there). Transports are those that it may fetch by; none unless they are named.
 */
export function gitEnvironment(
  env: Environment,
  { folder, transports = [] }: { readonly folder: string; readonly transports?: readonly string[] },
): Record<string, string> {
  return {
    ...picked(env, INHERITED),
    ...QUIET,
    ...WITHOUT_SETTINGS,
    HOME: folder,
    GIT_DIR: folder,
    GIT_ALLOW_PROTOCOL: transports.join(':') || 'none',
  };
}

/**
 * The variables without those folders on the PATH that a checkout can put a `git` into: relative ones, and all in the
 * workspace. A folder for tools there is common (`node_modules/.bin`, `.venv/bin`).
 */
export function withoutWorkspacePath(env: Environment, workspace: string): Environment {
  const bounds = [resolve(workspace), realPath(workspace) ?? resolve(workspace)];
  const isOutside = (folder: string): boolean =>
    isAbsolute(folder) &&
    [resolve(folder), realPath(folder) ?? resolve(folder)].every((path) =>
      bounds.every((bound) => !isInside(bound, path)),
    );
  const kept = Object.entries(env).flatMap(([name, value]) => {
    if (name.toUpperCase() !== 'PATH') return [[name, value] as const];
    const path = (value ?? '').split(delimiter).filter(isOutside).join(delimiter);
    // An empty one would be the folder that git is started in.
    return path === '' ? [] : [[name, path] as const];
  });
  return Object.fromEntries(kept);
}

/** For reading the settings of the machine and its user, and nothing else. */
export function settingsEnvironment(env: Environment, folder: string): Record<string, string> {
  return {
    ...picked(env, INHERITED),
    ...picked(env, PLACES_OF_SETTINGS),
    ...QUIET,
    GIT_DIR: folder,
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Settings for one run of git (GIT_CONFIG_COUNT); on the command line others on the machine could read them. */
export function settingVariables(settings: readonly (readonly [key: string, value: string])[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

function picked(env: Environment, names: ReadonlySet<string>): Record<string, string> {
  const found = Object.entries(env).filter(([name, value]) => value !== undefined && names.has(name.toUpperCase()));
  return Object.fromEntries(found) as Record<string, string>;
}

/** How git is started: by which command, in which folder, with which variables and no others. */
export interface GitStart {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `git ls-files` of the largest repositories is some 100 MB. */
const MAX_OUTPUT_BYTES = 512 << 20;
const TIME_LIMIT_MS = 60_000;

/** Standard output, or undefined if the command is missing, fails, or takes too long. Never through a shell. */
export function runText(
  { command, folder, env }: GitStart,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIME_LIMIT_MS, ...(signal === undefined ? {} : { signal }) };
  return new Promise((resolve) => {
    execFile(command, args, { ...limits, env, cwd: folder, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
