import { globSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

const SOURCES = 'server/src/**/*.{ts,tsx}';

/** Where messages belong, and where lists, pages, markup and what the scanner expects have words of their own. */
const CATALOGUES = [
  /^server\/src\/(?:messages|wording|platform\/web|\w+\/pages|platform\/http\/openapi)\//,
  /^server\/src\/config\/(?:messages|variables)\.ts$/,
  /^server\/src\/hosts\/\w+\/(?:messages|operations|snippets|terms)\.ts$/,
  /^server\/src\/(?:platform\/metrics\/(?:counters|gauges)|reports\/ingest\/json-walker)\.ts$/,
  /^server\/src\/storage\/(?:mongo\/schema|tables\/[\w-]+)\.ts$/,
  /^server\/src\/\w+\/http\/(?:\w+-operations|document|readable)\.ts$/,
  /^server\/src\/(?:core\/badge\/badge-svg|platform\/http\/failure-page)\.ts$/,
  /\.test\.tsx?$/,
];

/** Two words beside each other: what a person would read. A name, a key, a path or a type of content has none. */
const WORDS = /[A-Za-z’']{2,}[,;:.]? (?:\{\} )?[A-Za-z’']{2,}/;

/** In place of what is put into a text. */
const PUT_IN = '{}';

/** What a database reads. */
const SQL = /(?:^|\s)(?:[A-Z]{4,} [A-Z]{2,}|AND|FROM|WHERE|LIMIT|EXISTS|SELECT|PRAGMA|BEGIN|VACUUM)\s|= \?/;

/** Types say nothing at run time, and paths of imports are no texts. */
const SILENT = /^(?:ImportDeclaration|ExportAllDeclaration|TsInterface|TsTypeAlias|TsTypeAnnotation|TsLiteralType)/;

/** The log is for the server's operator, and stands beside the code that writes it. */
const LOGGER = /^(?:logger|log)$/;

interface Text {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** All literals and templates of the server, and those outside the catalogues that hold words; a sum is one text. */
export function findStrayMessages(allowed: Readonly<Record<string, readonly string[]>>) {
  const files = globSync(SOURCES).filter((file) => !CATALOGUES.some((one) => one.test(file)));
  const texts = files.flatMap((file) => textsOf(file));
  const stray = texts.filter(({ text }) => WORDS.test(text) && !SQL.test(text));
  const isAllowed = ({ file, text }: Text) => allowed[file]?.some((start) => text.startsWith(start)) ?? false;
  const unused = Object.entries(allowed).flatMap(([file, starts]) =>
    starts
      .filter((start) => !stray.some((found) => found.file === file && found.text.startsWith(start)))
      .map((start) => `${file}: ${start}`),
  );
  return { files: files.length, texts: texts.length, stray: stray.filter((one) => !isAllowed(one)), unused };
}

function textsOf(file: string): readonly Text[] {
  const source = readFileSync(file);
  const tree = parseSync(source.toString(), { syntax: 'typescript', tsx: file.endsWith('x') });
  const found: Text[] = [];
  // Positions count bytes from 1.
  const lineOf = ({ span }: Node): number =>
    source
      .subarray(0, (span as { readonly start: number }).start - 1)
      .toString()
      .split('\n').length;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    // Lists, and the parts of a node that have no type of their own, such as arguments.
    if (!isNode(value)) for (const part of Object.values(value)) visit(part);
    if (!isNode(value) || SILENT.test(value.type) || isForTheLog(value)) return;
    const text = joined(value);
    if (text !== undefined) found.push({ file, line: lineOf(value), text });
    for (const part of text === undefined ? Object.values(value) : within(value)) visit(part);
  };
  visit(tree.body);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Lines of the log, and what is wrong inside a stored report, which one message quotes. */
function isForTheLog({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  if (callee.type !== 'MemberExpression') return callee.value === 'damage';
  const { object } = callee;
  const name = isNode(object) && object.type === 'MemberExpression' ? object.property : object;
  return isNode(name) && LOGGER.test(String(name.value));
}

/** The text of a literal, a template or a sum of them, with `{}` for what is put in; undefined for anything else. */
function joined(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral' || node.type === 'JSXText') return String(node.value);
  if (node.type === 'ParenthesisExpression') return joined(node.expression);
  if (node.type === 'TemplateLiteral')
    return (node.quasis as readonly Node[]).map(({ cooked, raw }) => String(cooked ?? raw)).join(PUT_IN);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [joined(node.left), joined(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? PUT_IN) + (right ?? PUT_IN);
}

/** What stands inside of a text: the expressions that are put in. */
function within(node: Node): readonly unknown[] {
  if (node.type === 'TemplateLiteral') return node.expressions as readonly unknown[];
  if (node.type === 'ParenthesisExpression') return within(node.expression as Node);
  if (node.type !== 'BinaryExpression') return [];
  return [node.left, node.right].flatMap((side) => (joined(side) === undefined ? [side] : within(side as Node)));
}
