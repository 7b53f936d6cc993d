import * as say from './config-messages.ts';
import { BadValue } from './config-values.ts';
import { CONFIG_VARIABLES, type ConfigVariable, type Settings } from './config-variables.ts';

type ReadFile = (path: string) => string;

/**
 * Every variable's value: from the environment or the file that NAME_FILE names, else the default. Empty means unset.
 * Undefined where one cannot be read. Problems are added to the list, without any secret.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  readFile: ReadFile,
  problems: string[],
): Settings | undefined {
  const settings: Record<string, unknown> = {};
  let complete = true;
  for (const variable of CONFIG_VARIABLES) {
    const text = readText(variable, { env, readFile, problems });
    try {
      settings[variable.name] = text === undefined ? undefined : variable.read(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${variable.name} ${error.message}.`);
      complete = false;
    }
  }
  return complete ? (settings as Settings) : undefined;
}

interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: ReadFile;
  readonly problems: string[];
}

function readText({ name, default: fallback, secret }: ConfigVariable, sources: Sources): string | undefined {
  const given = sources.env[name]?.trim() || undefined;
  const path = secret ? sources.env[`${name}_FILE`]?.trim() || undefined : undefined;
  if (given !== undefined && path !== undefined) sources.problems.push(say.twice(name));
  return given ?? (path === undefined ? undefined : readSecretFile(`${name}_FILE`, path, sources)) ?? fallback;
}

function readSecretFile(name: string, path: string, { readFile, problems }: Sources): string | undefined {
  try {
    const text = readFile(path).trim();
    if (text !== '') return text;
    problems.push(say.fileEmpty(name, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : say.UNKNOWN_ERROR;
    problems.push(say.fileUnreadable({ name, path, why: code }));
  }
  return undefined;
}
