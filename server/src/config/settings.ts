import * as say from './messages.ts';
import { BadValue } from './values.ts';
import type { ConfigVariable } from './variable.ts';
import { CONFIG_VARIABLES, type Settings } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ReadFile = (path: string) => string;

/**
 * Every variable's value: from the environment or the file that NAME_FILE names, else the default. Empty means unset.
 * Undefined if one cannot be read. Problems are added to the list, without any secret.
 */
export function readSettings(
  sources: Sources,
  variables: readonly ConfigVariable[] = CONFIG_VARIABLES,
): Settings | undefined {
  const settings: Record<string, unknown> = {};
  let complete = true;
  for (const variable of variables) {
    const text = readText(variable, sources);
    try {
      settings[variable.name] = text === undefined ? undefined : variable.read(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      sources.problems.push(`${variable.name} ${error.message}.`);
      complete = false;
    }
  }
  return complete ? (settings as Settings) : undefined;
}

export interface Sources {
  readonly env: Environment;
  readonly readFile: ReadFile;
  readonly problems: string[];
}

function readText(variable: ConfigVariable, sources: Sources): string | undefined {
  const { name, default: fallback, secret, isPath, anyCase } = variable;
  const named = (one: string): string | undefined => sources.env[one]?.trim() || undefined;
  const given = (anyCase ? named(name.toLowerCase()) : undefined) ?? named(name);
  if (isPath) return given === undefined ? undefined : readNamedFile(name, given, sources);
  const path = secret ? named(`${name}_FILE`) : undefined;
  if (given !== undefined && path !== undefined) sources.problems.push(say.twice(name));
  return given ?? (path === undefined ? undefined : readNamedFile(`${name}_FILE`, path, sources)) ?? fallback;
}

function readNamedFile(name: string, path: string, { readFile, problems }: Sources): string | undefined {
  try {
    const text = readFile(path).trim();
    if (text !== '') return text;
    problems.push(say.fileEmpty({ name, path, what: name === 'CA_FILE' ? 'certificates' : 'secret' }));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : say.UNKNOWN_ERROR;
    problems.push(say.fileUnreadable({ name, path, why: code }));
  }
  return undefined;
}
