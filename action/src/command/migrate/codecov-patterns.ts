import { regexToGlobs } from './regex-to-globs.ts';

/** Why a pattern has no equal here. */
export type NoPattern = 'negated' | 'regex' | 'braces' | 'blank';

/**
 * A pattern of codecov.yml as patterns of the input `exclude`. What it is shows by its characters alone, as Codecov
 * guesses it (`determine_path_pattern_type`): the beginning of a path, a glob, or else a regular expression.
 */
export function translatePattern(stated: string): readonly string[] | NoPattern {
  if (stated.startsWith('!')) return 'negated';
  const pattern = stated.replace(/^\.\//, '');
  const kind = kindOf(pattern);
  if (/^[\w./@~,=#%&-]*$/.test(pattern)) return [pattern];
  if (/\s/.test(pattern)) return 'blank';
  if (kind !== 'glob') return regexToGlobs(pattern) ?? 'regex';
  // There braces are themselves.
  if (/[{\\]/.test(pattern)) return 'braces';
  const isSame = pattern.split('/').every((part) => part === '**' || !part.includes('**'));
  return isSame ? [pattern] : (regexToGlobs(regexOf(pattern)) ?? 'regex');
}

/** Whether text of a path stands for itself: no glob, and nothing of a regular expression but dots. */
export function isPlain(text: string): boolean {
  return kindOf(text) === 'prefix' && !/[\^()|+?{}\\]/.test(text);
}

function kindOf(pattern: string): 'prefix' | 'glob' | 'regex' {
  if (!/[*$[\]]/.test(pattern)) return 'prefix';
  if (pattern.includes('**') || pattern.includes('/*')) return 'glob';
  if (pattern.includes('*') && !/[\].]\*/.test(pattern)) return 'glob';
  return 'regex';
}

/** Two stars are any text, wherever they stand. */
function regexOf(glob: string): string {
  const words: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '.' };
  return `${glob.replaceAll(/\*\*|[*?.+^$()|]/g, (found) => words[found] ?? `\\${found}`)}$`;
}
