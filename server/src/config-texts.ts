import { CONFIG_VARIABLES, type ConfigName } from './config-variables.ts';

/**
 * The text of every variable: from the environment or the file that NAME_FILE names, else the default. Empty means
 * unset. Problems are added to the list, without any secret.
 */
export function readTexts(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  problems: string[],
): Partial<Record<ConfigName, string>> {
  const texts: Partial<Record<ConfigName, string>> = {};
  for (const { name, default: fallback, secret: mayBeFile } of CONFIG_VARIABLES) {
    const given = env[name]?.trim() || undefined;
    const path = mayBeFile ? env[`${name}_FILE`]?.trim() || undefined : undefined;
    if (given !== undefined && path !== undefined)
      problems.push(`${name} and ${name}_FILE are both set; unset one of them.`);
    const text =
      given ??
      (path === undefined ? undefined : readSecretFile(`${name}_FILE`, { path, readFile, problems })) ??
      fallback;
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

function readSecretFile(
  name: string,
  from: { readonly path: string; readonly readFile: (path: string) => string; readonly problems: string[] },
): string | undefined {
  const { path, readFile, problems } = from;
  try {
    const text = readFile(path).trim();
    if (text !== '') return text;
    problems.push(`${name} names ${path}, which is empty; write the secret into it.`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    problems.push(
      `${name} names ${path}, which cannot be read (${code}); give the path of a file that the server's user may read.`,
    );
  }
  return undefined;
}
