import { type Document, isMap, isSeq, type Node } from 'yaml';
import type { CodecovSettings, Fields, Note, TranslatedFile } from './file-migration.ts';
import { lineAt, pairOf, startOf } from './text-edits.ts';

export class Findings implements CodecovSettings {
  readonly settings: Record<string, unknown> = {};
  readonly inputs: Record<string, string> = {};
  readonly withoutEqual: string[] = [];
  readonly mapped: [string, string][] = [];
  readonly notes: Note[] = [];
  file: TranslatedFile | undefined;
  readonly #text: string;
  readonly #root: unknown;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#root = document.contents;
  }

  set(from: string, name: string, value: unknown): void {
    this.settings[name] = value;
    this.mapped.push([from, `the repo's setting ${name}`]);
  }

  give(from: string, input: string, value: string): void {
    this.inputs[input] = value;
    this.mapped.push([from, `the input ${input} of the action`]);
  }

  /** `path`: the keys that lead there, and numbers in lists. */
  note(path: readonly (string | number)[], sentence: string): void {
    this.notes.push({ line: this.#lineOf(path), sentence });
  }

  /** For the last of these that is written there. */
  #lineOf(path: readonly (string | number)[]): number {
    let [node, start] = [this.#root, 0];
    for (const part of path) {
      const pair = isMap(node) ? pairOf(node as Parameters<typeof pairOf>[0], String(part)) : undefined;
      const item = isSeq(node) ? (node.items[Number(part)] as Node | undefined) : undefined;
      const next = pair?.key ?? item;
      if (next === undefined) break;
      start = startOf(next);
      node = pair === undefined ? item : pair.value;
    }
    return lineAt(this.#text, start);
  }
}

export function listOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** What a status of Codecov compares with: percent, and percentage points below the base. */
export interface Limits {
  readonly minimum: number | null;
  readonly drop: number | null;
}

/** Undefined if it is off. `off` and `no` are texts in YAML 1.2. */
export function ruleOf(value: unknown): Fields | undefined {
  if (value === false || /^(?:off|no)$/i.test(String(value)) || asFields(value)?.enabled === false) return undefined;
  return asFields(value) ?? {};
}

/**
 * A fixed target is met at the target less the threshold, whatever the base has. With `auto`, the default, the target
 * is the base's total, and the threshold what it may fall by.
 */
export function limitsOf(rule: Fields): Limits {
  const [target, threshold] = [percentOf(rule.target), percentOf(rule.threshold)];
  if (target === null) return { minimum: null, drop: threshold };
  return { minimum: Math.max(0, Number((target - (threshold ?? 0)).toFixed(10))), drop: null };
}

function percentOf(value: unknown): number | null {
  const number = Number.parseFloat(String(value ?? '').replace('%', ''));
  return Number.isFinite(number) && number >= 0 && number <= 100 ? number : null;
}
