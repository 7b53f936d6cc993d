import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FetchSource, fetchSource, type GitServer } from './fetch-source.ts';
import {
  type Environment,
  type GitStart,
  gitEnvironment,
  runText,
  settingsEnvironment,
  settingVariables,
  withoutWorkspacePath,
} from './git-environment.ts';
import { findGitPlaces, type GitPlaces, readHead } from './git-places.ts';

/** What all git directories of one step share. */
export interface GitOptions {
  readonly server: GitServer;
  /** The git command; the one on the PATH unless a test says otherwise. */
  readonly command?: string;
  /**
   * What git may fetch by: https. Tests alone add `file`, in the call that starts the step; no input, no variable and
   * nothing in a checkout can.
   */
  readonly transports?: readonly string[];
  readonly env?: Environment;
}

/**
 * A git directory of our own that reads a checkout's objects. None of the checkout's settings and hooks has any effect,
 * since they name programs that git would run. The checkout is never written to.
 */
export interface GitFolder {
  readonly root: string;
  readonly headSha: string | undefined;
  /** As the checkout's settings write them. */
  readonly remotes: readonly { readonly name: string; readonly url: string }[];
  readonly isShallow: boolean;
  /** Files are missing that git would fetch when they are asked for. */
  readonly isPartial: boolean;
  readonly canFetch: boolean;
  /** For questions that never fetch anything. */
  readonly reading: GitStart;
  /** For the names in the checkout's index. */
  readonly listing: GitStart;
  /** For what may fetch. */
  fetching(signal: AbortSignal): Promise<GitStart>;
  remove(): void;
}

/** The name of the one remote. */
export const REMOTE = 'origin';

const MAX_SETTINGS_BYTES = 1 << 20;
/** What the machine's settings may say of the network. None of these names a program. */
const NETWORK_SETTINGS = '^http\\.(.*\\.)?(proxy|sslcainfo|sslcapath|sslbackend|schannelusesslcainfo)$';

/** Undefined if git is missing, or cannot read the checkout's settings. */
async function openGitFolder(
  places: GitPlaces,
  options: GitOptions,
  signal?: AbortSignal,
): Promise<GitFolder | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coverage-git-')));
  let filled: GitFolder | undefined;
  try {
    filled = await fill(folder, { places, options, signal });
  } finally {
    if (filled === undefined) removeFolder(folder);
  }
  return filled;
}

interface Opening {
  readonly places: GitPlaces;
  readonly options: GitOptions;
  readonly signal: AbortSignal | undefined;
}

async function fill(folder: string, { places, options, signal }: Opening): Promise<GitFolder | undefined> {
  const { server, command = 'git', transports = ['https'], env = process.env } = options;
  // The command is looked for in the folder that it is started in too (on Windows), so never in the checkout.
  const start = (variables: Record<string, string>): GitStart => ({ command, folder, env: variables });
  const reading = start(gitEnvironment(env, { folder }));
  const settings = await readSettings(places, reading, signal);
  if (settings === undefined) return undefined;
  const headSha = readHead(places);
  const remotes = remotesIn(settings);
  const remote = remotes.find(({ name }) => name === REMOTE) ?? remotes[0];
  const source = remote === undefined ? undefined : fetchSource(remote.url, server, transports);
  if (!writeFiles(folder, { places, settings, headSha, source })) return undefined;
  const index = join(places.folder, 'index');
  return {
    root: places.root,
    headSha,
    remotes,
    isShallow: isFile(join(folder, 'shallow')),
    isPartial: isPartial(settings),
    canFetch: source !== undefined,
    reading,
    listing: start({ ...reading.env, ...(isFile(index, Number.POSITIVE_INFINITY) ? { GIT_INDEX_FILE: index } : {}) }),
    async fetching(until) {
      const ask = ['config', '-z', '--get-regexp', NETWORK_SETTINGS];
      const machine = await runText(start(settingsEnvironment(env, folder)), ask, until);
      const network = [...parseSettings(machine ?? ''), ...(source?.credentials ?? [])];
      return start({ ...gitEnvironment(env, { folder, transports }), ...settingVariables(network) });
    },
    remove: () => removeFolder(folder),
  };
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A git that is still ending writes there; it lies in the folder for temporary files.
  }
}

type Settings = readonly (readonly [key: string, value: string])[];

/** The checkout's settings as plain data: git reads the one file, follows no include and applies nothing of it. */
async function readSettings(
  { common }: GitPlaces,
  reading: GitStart,
  signal?: AbortSignal,
): Promise<Settings | undefined> {
  const file = join(common, 'config');
  if (!isFile(file, MAX_SETTINGS_BYTES)) return undefined;
  const text = await runText(reading, ['config', '--file', file, '--no-includes', '-z', '--list'], signal);
  return text === undefined ? undefined : parseSettings(text);
}

/** What git prints with `-z`: the key, a line feed, the value; a key alone means true. */
function parseSettings(text: string): Settings {
  return text.split('\0').flatMap((entry) => {
    const end = entry.indexOf('\n');
    if (entry === '') return [];
    return [end < 0 ? ([entry, 'true'] as const) : ([entry.slice(0, end), entry.slice(end + 1)] as const)];
  });
}

function remotesIn(settings: Settings): { name: string; url: string }[] {
  return settings
    .filter(([key]) => key.startsWith('remote.') && key.endsWith('.url') && key.length > 'remote..url'.length)
    .map(([key, url]) => ({ name: key.slice('remote.'.length, -'.url'.length), url }));
}

function isPartial(settings: Settings): boolean {
  return settings.some(([key]) => key.startsWith('remote.') && key.endsWith('.promisor'));
}

interface Contents {
  readonly places: GitPlaces;
  readonly settings: Settings;
  readonly headSha: string | undefined;
  readonly source: FetchSource | undefined;
}

/** False if it cannot be made. Its ref to the tested commit lets a remote leave out what is here already. */
function writeFiles(folder: string, { places, settings, headSha, source }: Contents): boolean {
  const objects = realpathSync(join(places.common, 'objects'));
  // It would be another line of git's list.
  if (objects.includes('\n')) return false;
  mkdirSync(join(folder, 'objects', 'info'), { recursive: true });
  mkdirSync(join(folder, 'refs', 'heads'), { recursive: true });
  writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/tested\n');
  if (headSha !== undefined) writeFileSync(join(folder, 'refs', 'heads', 'tested'), `${headSha}\n`);
  const shallow = join(places.common, 'shallow');
  if (isFile(shallow)) copyFileSync(shallow, join(folder, 'shallow'));
  writeFileSync(join(folder, 'config'), ownSettings(settings, source), { mode: 0o600 });
  return true;
}

/** Git asks an alternate for its refs by a git that reads the alternate's settings, unless it is given this command. */
const OWN_SETTINGS = [
  '[core]',
  'repositoryFormatVersion = 1',
  'bare = false',
  'alternateRefsCommand = :',
  '[gc]',
  'auto = 0',
  '[maintenance]',
  'auto = false',
  '[credential]',
  'interactive = false',
  '[http]',
  'followRedirects = false',
  // Git itself gives up a transfer that makes no progress.
  'lowSpeedLimit = 1',
  'lowSpeedTime = 5',
];

function ownSettings(settings: Settings, source: FetchSource | undefined): string {
  const value = (wanted: (key: string) => boolean): string => settings.findLast(([key]) => wanted(key))?.[1] ?? '';
  const lines = [...OWN_SETTINGS, '[extensions]'];
  if (value((key) => key === 'extensions.objectformat').toLowerCase() === 'sha256') lines.push('objectFormat = sha256');
  const partial = isPartial(settings);
  if (partial) lines.push(`partialClone = ${REMOTE}`);
  lines.push(`[remote "${REMOTE}"]`);
  if (source !== undefined) lines.push(`url = ${JSON.stringify(source.url)}`);
  const filter = value((key) => key.startsWith('remote.') && key.endsWith('.partialclonefilter'));
  // Any other text could become settings of its own.
  if (partial)
    lines.push('promisor = true', `partialCloneFilter = ${/^[\w:=+-]+$/.test(filter) ? filter : 'blob:none'}`);
  return `${lines.join('\n')}\n`;
}

function isFile(path: string, maxBytes = 64 << 20): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0 && found.size <= maxBytes;
}

/** The checkouts of one step. */
export interface GitFolders {
  /** Undefined if the folder itself is no checkout inside the workspace, or git cannot be asked. */
  at(root: string, signal?: AbortSignal): Promise<GitFolder | undefined>;
  /** Takes away what was made for them. */
  remove(): Promise<void>;
}

/** Opens each checkout of a workspace once. */
export function createGitFolders(workspace: string, options: GitOptions): GitFolders {
  const env = withoutWorkspacePath(options.env ?? process.env, workspace);
  const opened = new Map<string, Promise<GitFolder | undefined>>();
  return {
    at(root, signal) {
      const known = opened.get(root);
      if (known !== undefined) return known;
      const places = findGitPlaces(root, workspace);
      // What cannot be made, on a full disk say, is as good as no checkout: the report is uploaded anyway.
      const opening = Promise.resolve(
        places && openGitFolder(places, { ...options, env }, signal).catch(() => undefined),
      );
      opened.set(root, opening);
      return opening;
    },
    async remove() {
      for (const folder of await Promise.all(opened.values())) folder?.remove();
    },
  };
}
