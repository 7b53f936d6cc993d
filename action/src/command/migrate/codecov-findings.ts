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
