import { splitFiles, within } from '../../step/codecov-inputs.ts';
import type { Given } from './inputs-of-others.ts';

const EXPRESSION = /\$\{\{[^{}]*\}\}/g;
/** Stands for a blank within an expression, which no list is split at. */
const BLANK = '\u{0}';

/**
 * How the inputs that name reports go on without `working-directory`: what they are then; undefined: one goes. Nothing
 * changes where only the run knows whether a file is named by its whole path.
 */
export function joinFolders(given: Given): ReadonlyMap<string, string | undefined> {
  const folder = given.get('working-directory') ?? '';
  const files = splitFiles(mask(given.get('files') ?? ''));
  const names = [...files, mask(given.get('file') ?? '')].filter((name) => name !== '');
  const changed = new Map<string, string | undefined>();
  if (folder !== '' && names.some((name) => name.startsWith('$'))) return changed;
  const join = (name: string): string => within(mask(folder), mask(name)).replaceAll(BLANK, ' ');
  if (folder !== '' && files.length > 0)
    changed.set('files', files.map(join).join(files.some((name) => /\s/.test(name)) ? '\n' : ' '));
  if (folder !== '' && given.has('file')) changed.set('file', join(given.get('file') ?? ''));
  if (names.length > 0) changed.set('directory', undefined);
  else if (folder !== '') changed.set('directory', join(given.get('directory') ?? ''));
  if (folder !== '') changed.set('working-directory', undefined);
  return changed;
}

function mask(text: string): string {
  return text.replaceAll(EXPRESSION, (expression) => expression.replaceAll(/\s/g, BLANK));
}
