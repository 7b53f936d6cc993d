import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, readConfig } from './config.ts';
import * as say from './messages.ts';
import type { Environment } from './settings.ts';

/** An archive has this file; beside its program, settings may be in another. A checkout has neither. */
const BUILD = new URL('../../../build.json', import.meta.url);
const BESIDE = new URL('../../../../environment', import.meta.url);

/** The settings of a server's process. */
export interface ServerConfig extends Config {
  /** The file that some of them come from. */
  readonly settingsFile: string | undefined;
}

/**
 * Reads the settings from this process's environment, and from the file `named`, or the one beside an archive's
 * program. The environment wins. Throws a ConfigError that names every problem.
 */
export function readServerConfig(named: string | undefined): ServerConfig {
  const settingsFile = findFile(named);
  const env = settingsFile === undefined ? process.env : addFile(settingsFile, process.env);
  return { ...readConfig(env, (path) => readFileSync(path, 'utf8')), settingsFile };
}

function findFile(named: string | undefined): string | undefined {
  if (named !== undefined) return resolve(named);
  return existsSync(BUILD) && existsSync(BESIDE) ? fileURLToPath(BESIDE) : undefined;
}

function addFile(path: string, env: Environment): Environment {
  const found = readLines(path);
  const ours = Object.entries(env).filter(([, value]) => value?.trim());
  const all: Environment = { ...found, ...Object.fromEntries(ours) };
  const { DATABASE_URL: url, DATABASE_URL_FILE: urlFile } = all;
  // Without it, a command would work on a database in the current folder.
  if (!(url ?? urlFile)) throw new ConfigError([say.fileWithoutDatabase(path)]);
  const database = /^sqlite:(.*)$/s.exec(found.DATABASE_URL ?? '')?.[1];
  if (database !== undefined && url === found.DATABASE_URL && database !== ':memory:' && !isAbsolute(database))
    throw new ConfigError([say.relativeDatabase(path)]);
  return all;
}

function readLines(path: string): Readonly<Record<string, string>> {
  try {
    return parseEnvironment(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : say.UNKNOWN_ERROR;
    throw new ConfigError([say.settingsUnreadable(path, code)], { cause: error });
  }
}

/** As systemd reads an EnvironmentFile: NAME=value a line, comments, and values in quotes, over several lines too. */
function parseEnvironment(path: string, text: string): Readonly<Record<string, string>> {
  const entry =
    /[ \t]*(?:([A-Za-z_]\w*)=(?:"((?:[^"\\]|\\[\s\S])*)"[ \t]*|'([^']*)'[ \t]*|([^"'\n][^\n]*)?)|[#;][^\n]*)?(?:\n|$)/y;
  const found: Record<string, string> = {};
  const all = text.replaceAll('\r\n', '\n');
  while (entry.lastIndex < all.length) {
    const at = entry.lastIndex;
    const [, name, double, single, bare = ''] = entry.exec(all) ?? [undefined, undefined];
    const isCut = bare.trimEnd().endsWith('\\');
    if (entry.lastIndex === 0 || isCut)
      throw new ConfigError([say.lineNotUnderstood(path, all.slice(0, at).split('\n').length)]);
    if (name !== undefined) found[name] = double?.replaceAll(/\\([\\"$`])/g, '$1') ?? single ?? bare.trim();
  }
  return found;
}
