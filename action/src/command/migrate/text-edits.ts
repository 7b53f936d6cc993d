import { isMap, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** What a text of YAML holds, with where in the text each part stands. */
export interface YamlText {
  readonly text: string;
  readonly root: Node | null;
}

/** One replacement in a text: from `start` up to, not including, `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Undefined if it is no YAML. */
export function readYaml(text: string): YamlText | undefined {
  const document = parseDocument(text, { keepSourceTokens: true });
  return document.errors.length > 0 ? undefined : { text, root: document.contents };
}

/** Every byte that no edit names stays as it is: comments, quotes and blank lines too. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return (
    edits
      // If two edits begin at the same place, the one that only inserts comes last, so its text is before the other.
      .toSorted((one, other) => other.start - one.start || other.end - one.end)
      .reduce((changed, { start, end, text: put }) => {
        return changed.slice(0, start) + put.replaceAll('\n', lineEnd) + changed.slice(end);
      }, text)
  );
}

export function pairOf(map: YAMLMap, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key) as Pair<Node, Node | null> | undefined;
}

/** The text of a scalar; undefined for anything else. */
export function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'object' ? undefined : String(node.value);
}

export function mapAt(map: YAMLMap, key: string): YAMLMap | undefined {
  const value = pairOf(map, key)?.value;
  return isMap(value) ? value : undefined;
}

/** The line that a place is in, from 1. */
export function lineAt(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

export function replaceNode(node: Node, text: string): Edit {
  return { start: startOf(node), end: node.range?.[1] ?? 0, text };
}

/** Takes a pair's whole lines out, with what comes after it in its last line. */
export function removePair(text: string, pair: Pair<Node, Node | null>): Edit {
  const start = text.lastIndexOf('\n', startOf(pair.key) - 1) + 1;
  const last = pair.value?.range?.[1] ?? pair.key.range?.[1] ?? start;
  // The value of a block ends behind its own line feed.
  const end = text[last - 1] === '\n' ? last : text.indexOf('\n', last) + 1;
  return { start, end: end === 0 ? text.length : end, text: '' };
}

/** A line of its own behind a pair, indented as that one is. */
export function addAfter(text: string, pair: Pair<Node, Node | null>, line: string): Edit {
  const { end } = removePair(text, pair);
  return {
    start: end,
    end,
    text: `${end > 0 && text[end - 1] !== '\n' ? '\n' : ''}${indentOf(text, pair.key)}${line}\n`,
  };
}

/** As many blanks as stand before a node in its line; the dash of a list is one too. */
export function indentOf(text: string, node: Node): string {
  const start = startOf(node);
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
}
