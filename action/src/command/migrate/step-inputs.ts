import type { Node, Pair, YAMLMap } from 'yaml';
import { splitFiles, within } from '../../step/codecov-inputs.ts';
import type { Note } from './file-migration.ts';
import { type Fate, fateOfCodecov, fateOfCoveralls, type Given, usesIdToken } from './inputs-of-others.ts';
import { addAfter, type Edit, lineAt, removePair, replaceNode, startOf, textOf } from './text-edits.ts';

const FOLDER_JOINED = 'The input working-directory is removed: it is now part of the names in files or directory.';

const NAMED_ALONE =
  'Remove the input directory: if you name files, the step does not search for others. Name all reports in files.';

export interface Changes {
  readonly edits: readonly Edit[];
  readonly notes: readonly Note[];
}

export function givenIn(map: YAMLMap | undefined): Given {
  return new Map(map?.items.map((pair) => [textOf(pair.key) ?? '', textOf(pair.value) ?? '']) ?? []);
}

interface Inputs {
  readonly text: string;
  readonly map: YAMLMap;
  readonly isCodecov: boolean;
  /** What `repo-token` is in every step of the file. */
  readonly credential: string | undefined;
}

/** The inputs of a step whose action becomes ours. */
export function migrateInputs({ text, map, isCodecov, credential }: Inputs): Changes {
  const edits: Edit[] = [];
  const notes: Note[] = [];
  const given = givenIn(map);
  const joined = isCodecov ? joinFolders(given) : new Map<string, string | undefined>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const name = textOf(pair.key) ?? '';
    const note = (sentence: string): void => void notes.push({ line: lineAt(text, startOf(pair.key)), sentence });
    if (joined.has(name) || name === 'working-directory') {
      const change = joinInput({ text, pair, name, given, joined });
      edits.push(...change.edits);
      change.sentences.forEach(note);
      continue;
    }
    const fate = fateOf(name, { given, isCodecov });
    if (fate.kind === 'removed') {
      edits.push(removePair(text, pair));
      note(inputRemoved(name, fate.why));
    }
    if (fate.kind === 'renamed') {
      edits.push(replaceNode(pair.key, fate.to));
      note(inputRenamed(name, fate.to));
    }
    if (fate.kind === 'same' && name === 'flags')
      note('An upload has one flag here, so the step fails if you list several: use one step for each of them.');
    if (name === 'fail_ci_if_error') edits.push(addAfter(text, pair, `fail-on-server-error: ${written(text, pair)}`));
    if (fate.kind === 'removed' || !['token', 'repo-token'].includes(name)) continue;
    if (fate.kind === 'renamed') note('From now on, the secret named here must be the repo token of this server.');
    if (!isOtherSecret(given.get(name) ?? '', credential)) continue;
    edits.push(replaceNode(pair.value as Node, credential));
    note(`It is ${credential} here, as in the first such step: all steps of a file upload and close with one token.`);
  }
  return { edits, notes };
}

/** The address is stated by us. */
function fateOf(name: string, { given, isCodecov }: { readonly given: Given; readonly isCodecov: boolean }): Fate {
  if (name === 'coveralls-endpoint' || name === 'server-url') return { kind: 'removed', why: 'needless' };
  return isCodecov ? fateOfCodecov(name, given) : fateOfCoveralls(name);
}

/** An input that names reports, in the words of the root of the repo. */
function joinInput(one: {
  readonly text: string;
  readonly pair: Pair<Node, Node | null>;
  readonly name: string;
  readonly given: Given;
  readonly joined: ReadonlyMap<string, string | undefined>;
}): { readonly edits: readonly Edit[]; readonly sentences: readonly string[] } {
  const { text, pair, name, given, joined } = one;
  if (!joined.has(name)) return { edits: [], sentences: [] };
  const takesPlace = name === 'working-directory' && !given.has('directory') && joined.get('directory') !== undefined;
  const value = joined.get(takesPlace ? 'directory' : name);
  if (value === undefined) {
    const sentence = name === 'directory' ? NAMED_ALONE : FOLDER_JOINED;
    return { edits: [removePair(text, pair)], sentences: [sentence] };
  }
  if (takesPlace) return { edits: [replaceNode(pair.key, 'directory')], sentences: [inputRenamed(name, 'directory')] };
  return { edits: value === given.get(name) ? [] : [replaceValue(text, pair, value)], sentences: [] };
}

/** A block of several lines ends behind its own line feed. */
function replaceValue(text: string, { value }: Pair<Node, Node | null>, put: string): Edit {
  const edit = replaceNode(value as Node, JSON.stringify(put));
  return text[edit.end - 1] === '\n' ? { ...edit, end: edit.end - 1 } : edit;
}

function written(text: string, { value }: Pair<Node, Node | null>): string {
  const [start = 0, end = 0] = value?.range ?? [];
  return text.slice(start, end).trim();
}

const A_SECRET = /^\$\{\{\s*(?:secrets|inputs)\.([\w-]+)\s*\}\}$/;

/** The run's own token is no secret of anybody's. */
export function isSecret(text: string): boolean {
  const name = A_SECRET.exec(text)?.[1];
  return name !== undefined && !/^github[_-]token$/i.test(name);
}

function isOtherSecret(text: string, credential: string | undefined): credential is string {
  return credential !== undefined && isSecret(text) && text.replaceAll(/\s/g, '') !== credential.replaceAll(/\s/g, '');
}

/** Whether a step of this kind names what it uploads with. */
export function hasCredential(given: Given, isCodecov: boolean): boolean {
  return given.has('repo-token') || (isCodecov && (given.has('token') || usesIdToken(given) !== 'no'));
}

function inputRenamed(from: string, to: string): string {
  return `The input ${from} is called ${to} here.`;
}

function inputRemoved(name: string, why: 'needless' | 'no-equal'): string {
  return why === 'needless'
    ? `The input ${name} is removed: it has no effect here.`
    : `The input ${name} is removed: it has no equivalent here. Check that the step still does what it should.`;
}

const EXPRESSION = /\$\{\{[^{}]*\}\}/g;
/** Stands for a blank within an expression, which no list is split at. */
const BLANK = '\u{0}';

/**
 * How the inputs that name reports go on without `working-directory`: what they are then; undefined: one goes. Nothing
 * changes where only the run knows whether a file is named by its whole path.
 */
function joinFolders(given: Given): ReadonlyMap<string, string | undefined> {
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
