import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { nearestWord } from '../nearest-word.ts';
import { describeForm, type Form } from './form.ts';
import { DAY_TEXT, PERCENT_TEXT } from './json-schema.ts';

/** One thing that is wrong, at an offset of the text. The message is a sentence, with names and values in backticks. */
export interface FoundProblem {
  readonly offset: number;
  readonly message: string;
}

/** Stops a hostile file: what follows is not looked at. */
export const MAX_PROBLEMS = 50;
export const MAX_ALIASES = 100;
const MAX_DEPTH = 20;

type Resolve = (alias: Node) => Node | undefined;

/** Reads nodes of YAML as a form wants them; notes each problem and where each value stands. */
export class FormChecker {
  readonly problems: FoundProblem[] = [];
  /** Offsets by path, as `groups[0].total.minimum`. */
  readonly places = new Map<string, number>();
  readonly #resolve: Resolve;
  #aliases = 0;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  problem(offset: number, message: string): undefined {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ offset, message });
    return undefined;
  }

  /** Undefined if it is not as it must be: then a problem is noted. */
  read(form: Form, stated: Node, path: string, depth = 0): unknown {
    const node = this.#follow(stated);
    if (node === undefined) return undefined;
    if (depth > MAX_DEPTH) return this.problem(offsetOf(node), `${shown(path)} is nested too deeply.`);
    const { tag } = node as { readonly tag?: string };
    if (tag !== undefined && !CORE_TAGS.test(tag))
      return this.problem(offsetOf(node), `Tags such as \`${cut(tag)}\` are not allowed. Write the value without it.`);
    // By an escape of YAML: the text itself was looked through before.
    const hidden = isScalar(node) && HIDDEN.exec(String(node.value));
    if (hidden) return this.problem(offsetOf(node), hiddenCharacter(hidden[0]));
    switch (form.kind) {
      case 'map':
        return this.#readMap(form, node, path, depth);
      case 'named':
        return this.#readNamed(form, node, path, depth);
      case 'list':
        return this.#readList(form, node, path, depth);
      case 'either':
        return this.#readEither(form, node, path, depth);
      default:
        return this.#readScalar(form, node, path);
    }
  }

  #follow(stated: Node): Node | undefined {
    let node = stated;
    while (isAlias(node)) {
      this.#aliases += 1;
      if (this.#aliases > MAX_ALIASES)
        return this.problem(offsetOf(node), `The file uses more than ${MAX_ALIASES} aliases of YAML. Write them out.`);
      const source = this.#resolve(node);
      if (source === undefined) return this.problem(offsetOf(node), `No \`&${cut(node.source)}\` stands before this.`);
      node = source;
    }
    return node;
  }

  #readMap(form: Extract<Form, { kind: 'map' }>, node: Node, path: string, depth: number): unknown {
    if (form.canBeOff && isScalar(node) && SWITCHES.get(node.value) === false) return { off: true };
    if (!isMap(node)) return this.#wrong(form, node, path);
    const found: Record<string, unknown> = {};
    for (const { name, at, value } of this.#pairs(node, path)) {
      const known = Object.hasOwn(form.keys, name) ? form.keys[name] : undefined;
      if (known === undefined) {
        this.problem(at, unknownKey(name, path, form.keys));
        continue;
      }
      const inner = path === '' ? name : `${path}.${name}`;
      this.places.set(inner, at);
      const read = isEmpty(value) ? this.#empty(at, inner) : this.read(known.form, value, inner, depth + 1);
      if (read !== undefined) found[name] = read;
    }
    return found;
  }

  #readNamed(form: Extract<Form, { kind: 'named' }>, node: Node, path: string, depth: number): unknown {
    if (!isMap(node)) return this.#wrong(form, node, path);
    if (node.items.length > form.max) return this.#tooMany(node, node.items.length, form, path);
    const found = new Map<string, unknown>();
    for (const { name, at, value } of this.#pairs(node, path)) {
      const inner = `${path}.${name}`;
      this.places.set(inner, at);
      const read = isEmpty(value) ? this.#empty(at, inner) : this.read(form.of, value, inner, depth + 1);
      if (read !== undefined) found.set(name, read);
    }
    // Not by assignment: a key may be called __proto__.
    return Object.fromEntries(found);
  }

  #readList(form: Extract<Form, { kind: 'list' }>, node: Node, path: string, depth: number): unknown {
    if (!isSeq(node)) return this.#wrong(form, node, path);
    if (node.items.length > form.max) return this.#tooMany(node, node.items.length, form, path);
    return node.items.flatMap((item, index) => {
      const inner = `${path}[${index}]`;
      const at = offsetOf(item ?? node);
      this.places.set(inner, at);
      const read = isEmpty(item) ? this.#empty(at, inner) : this.read(form.of, item as Node, inner, depth + 1);
      return read === undefined ? [] : [read];
    });
  }

  #readEither(form: Extract<Form, { kind: 'either' }>, node: Node, path: string, depth: number): unknown {
    for (const one of form.forms) {
      const checker = new FormChecker(this.#resolve);
      const read = checker.read(one, node, path, depth);
      if (checker.problems.length === 0) return read;
    }
    return this.#wrong(form, node, path);
  }

  #readScalar(form: Form, node: Node, path: string): unknown {
    const value = isScalar(node) ? scalarOf(form, node.value) : undefined;
    if (value !== undefined) return value;
    return this.#wrong(form, node, path);
  }

  #empty(at: number, path: string): undefined {
    return this.problem(at, `${shown(path)} has no value. Give it one, or remove the key.`);
  }

  #wrong(form: Form, node: Node, path: string): undefined {
    return this.problem(offsetOf(node), `${shown(path)} must be ${describeForm(form)}, not ${seen(node)}.`);
  }

  #tooMany(node: Node, count: number, form: Form, path: string): undefined {
    return this.problem(offsetOf(node), `${shown(path)} must be ${describeForm(form)}: it has ${count}.`);
  }

  *#pairs(map: YAMLMap, path: string): Generator<{ name: string; at: number; value: Node | null }> {
    const seenKeys = new Set<string>();
    for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
      const at = offsetOf(key);
      const name = isScalar(key) ? nameOf(key.value, key.source) : undefined;
      const hidden = HIDDEN.exec(name ?? '');
      if (hidden !== null) this.problem(at, hiddenCharacter(hidden[0]));
      else if (name === undefined || name === '') this.problem(at, `${shown(path)} has a key that is no text.`);
      else if (seenKeys.has(name)) this.problem(at, `\`${cut(name)}\` stands here twice. Keep one of them.`);
      else {
        seenKeys.add(name);
        yield { name, at, value };
      }
    }
  }
}

/** Numbers as they are written: a flag may be called 1.20. */
function nameOf(value: unknown, source: string | undefined): string {
  return typeof value === 'string' ? value : (source ?? String(value));
}

/**
 * Control characters, halves of characters, and what reorders or hides the text that a reader sees. Those that join
 * letters are part of some scripts.
 */
export const HIDDEN = /(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function hiddenCharacter(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return `The character U+${code}, which is not seen, is not allowed. Remove it.`;
}

const CORE_TAGS = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;
const SWITCHES: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'yes', 'on'].map((word) => [word, true] as const),
  ...[false, 'no', 'off'].map((word) => [word, false] as const),
]);

/** Undefined if it is not as the form wants it. */
function scalarOf(form: Form, value: unknown): unknown {
  switch (form.kind) {
    case 'switch':
      return SWITCHES.get(value);
    case 'percent':
      return percentOf(value);
    case 'whole':
      return Number.isInteger(value) && (value as number) >= form.min && (value as number) <= form.max
        ? value
        : undefined;
    case 'text':
      return typeof value === 'string' && isText(value, form) ? value : undefined;
    case 'day':
      return typeof value === 'string' && isDay(value) ? value : undefined;
    case 'word':
      return form.words.find((word) => word === (SWITCHES.get(value) === false ? 'off' : value));
    default:
      return undefined;
  }
}

function percentOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 && value <= 100 ? value : undefined;
  if (typeof value !== 'string' || !PERCENT_TEXT.test(value)) return undefined;
  return Number(value.replace('%', ''));
}

function isText(value: string, { max, pattern }: Extract<Form, { kind: 'text' }>): boolean {
  const length = [...value].length;
  return length > 0 && length <= max && (pattern === undefined || pattern.test(value));
}

function isDay(value: string): boolean {
  // A day that is not there, like the 31st of April, becomes another one.
  return DAY_TEXT.test(value) && new Date(`${value}T00:00:00Z`).toISOString().startsWith(value);
}

function unknownKey(name: string, path: string, keys: Extract<Form, { kind: 'map' }>['keys']): string {
  const names = Object.keys(keys);
  const meant = names.find((one) => keys[one]?.mistaken?.includes(name)) ?? nearestWord(name.slice(0, 60), names);
  const hint = meant === undefined ? `Known here: ${names.join(', ')}.` : `Did you mean \`${meant}\`?`;
  return `\`${cut(name)}\` isn’t a known key${path === '' ? '' : ` of ${shown(path)}`}. ${hint}`;
}

function shown(path: string): string {
  return path === '' ? 'The file' : `\`${cut(path, 120)}\``;
}

function seen(node: Node): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return `a list of ${(node as YAMLSeq).items.length}`;
  const { source, value } = node as { readonly source?: string; readonly value?: unknown };
  return `\`${cut(source ?? String(value))}\``;
}

/** As behind `flags:` with nothing below it. */
export function isEmpty(node: unknown): node is null {
  return node === null || (isScalar(node) && node.value === null);
}

/** For a message: a backtick would end the quotation. */
function cut(text: string, max = 40): string {
  const plain = text.replaceAll(/[`\s]+/g, ' ');
  return plain.length > max ? `${plain.slice(0, max)}…` : plain;
}

function offsetOf(node: unknown): number {
  return (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}
