import { globSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

/** A text that is in a source: a literal, a template or a sum of them, with `{}` for what is put in. */
export interface SourceText {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const SOURCES = '{server,action}/src/**/*.{ts,tsx}';
const TESTS = ['{server,action}/src/**/*.test.{ts,tsx}', 'test/**/*.ts', 'test/fixtures/**/*.{json,md,txt}'];

/** In place of what is put into a text. */
const PUT_IN = '{}';

/** Types say nothing at run time, and paths of imports are no texts. */
const SILENT = /^(?:ImportDeclaration|ExportAllDeclaration|TsInterface|TsTypeAlias|TsTypeAnnotation|TsLiteralType)/;

/** The server's log is for its operator, beside the code that writes it; the action's log is read by everybody. */
const LOGGER = /^(?:logger|log)$/;

/** What a database reads. */
const SQL = /^(?:\{\} )?(?:SELECT|DELETE|UPDATE|INSERT|WITH|AND|WHERE|CREATE|ALTER|PRAGMA)\s/;
/** Pages, settings, metrics, the API's description and usage are looked at as a whole. */
const LOOKED_AT_AS_A_WHOLE =
  /\.tsx$|(?:variables|repo\/settings|http\/document)\.ts$|\/(?:metrics|openapi)\/|-operations\.ts$|^Usage: /;

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** All texts of server and action that a person may read, tests and the server's log left out. */
export function readSourceTexts(): readonly SourceText[] {
  const files = globSync(SOURCES).filter((file) => !/\.test\.tsx?$/.test(file));
  return files.toSorted().flatMap(textsOf);
}

/** Among these texts those that are whole sentences. */
export function sentencesOf(texts: readonly SourceText[]): readonly SourceText[] {
  return texts.filter(
    ({ file, text }) => isSentence(text.trim()) && !LOOKED_AT_AS_A_WHOLE.test(file) && !LOOKED_AT_AS_A_WHOLE.test(text),
  );
}

/** Begins and ends as one, and has words enough to be known by. */
function isSentence(text: string): boolean {
  return /^[A-Z`{]/.test(text) && /[.!?]$/.test(text) && text.split(/\s+/).length > 3 && !SQL.test(text);
}

/** Among these sentences those of which no test names three words in a row. */
export function findUntested(sentences: readonly SourceText[]): readonly SourceText[] {
  const tests = TESTS.flatMap((pattern) => globSync(pattern)).map((file) => readFileSync(file, 'utf8'));
  // Long texts are written as sums.
  const said = tests.join('\n').replaceAll(/['`"] \+\s+['`"]/g, '');
  return sentences.filter(({ text }) => !runsOfWords(text).some((run) => said.includes(run)));
}

/** For quotes of sentences, with `…` for what is put in, those with a part that no source says, in any case. */
export function quotesOfNothing(quotes: readonly string[]): readonly string[] {
  const said = readSourceTexts()
    .map(({ text }) => text.toLowerCase())
    .join('\n');
  const partsOf = (quote: string) => quote.split('…').map((part) => part.trim().toLowerCase());
  return quotes.filter((quote) => !partsOf(quote).every((part) => said.includes(part)));
}

function runsOfWords(text: string): readonly string[] {
  return text.split(PUT_IN).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    return Array.from({ length: Math.max(0, words.length - 2) }, (_, at) => words.slice(at, at + 3).join(' '));
  });
}

function textsOf(file: string): readonly SourceText[] {
  const source = readFileSync(file);
  const tree = parseSync(source.toString(), { syntax: 'typescript', tsx: file.endsWith('x') });
  const found: SourceText[] = [];
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
    if (!isNode(value) || SILENT.test(value.type) || (file.startsWith('server/') && isForTheLog(value))) return;
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
