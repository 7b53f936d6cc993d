// Prints how large the house is, as a table; `npm run size -- <folder>` counts another checkout, to compare.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const LONGEST_FUNCTION = 60;
const SOURCES = '{server,shared,action}/src/**/*.{ts,tsx}';
const TESTS = 'test/**/*.{ts,tsx,mjs}';
/** The contract suites declare tests, which each store runs. */
const IS_TEST = /(?:\.test\.tsx?|-contract\.ts)$/;
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|fixtures)\//;
/** Exported functions that bind a part to what it gets. */
const CREATES = /^create[A-Z]/;
/** What a part gets from outside. */
const IS_DEPS = /(?:Deps|Dependencies|Services)$/;
const IS_SUPPORT = /^test\/support\/.*\.ts$/;
/** Support that is the adversary or the other side, and so a product of its own. */
const IS_ADVERSARY = /\/(?:attacks|chaos|fuzz|[\w-]+-stand-in)\//;
const FUNCTIONS = new Set([
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassMethod', 'PrivateMethod'],
  ...['Constructor', 'MethodProperty', 'GetterProperty', 'SetterProperty'],
]);
const IMPORTS = new Set(['ImportDeclaration', 'ExportAllDeclaration']);
const TYPES = new Set(['TsInterfaceDeclaration', 'TsTypeAliasDeclaration']);

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Counted {
  readonly name: string;
  readonly lines: number;
  /** Imports, types of deps and wiring. */
  readonly plumbing: number;
  readonly longFunctions: readonly string[];
  /** Calls of `expect`. */
  readonly assertions: number;
}

const [root = '.'] = process.argv.slice(2);
const list = (pattern: string): readonly Counted[] =>
  globSync(pattern, { cwd: root })
    .filter((name) => !NOT_OURS.test(name))
    .sort()
    .map(count);

const ours = list(SOURCES);
const source = ours.filter(({ name }) => !IS_TEST.test(name));
const tests = [...ours.filter(({ name }) => IS_TEST.test(name)), ...list(TESTS)];
const support = tests.filter(({ name }) => IS_SUPPORT.test(name) && !IS_TEST.test(name));
const beside = tests.filter(({ name }) => !IS_SUPPORT.test(name) && !IS_TEST.test(name));
const adversary = support.filter(({ name }) => IS_ADVERSARY.test(name));
const long = source.flatMap(({ longFunctions }) => longFunctions);
const lengths = source.map(({ lines }) => lines).sort((a, b) => a - b);
const at = (share: number): number => lengths[Math.floor((lengths.length - 1) * share)] ?? 0;
const sum = (files: readonly Counted[], of: 'lines' | 'plumbing' | 'assertions'): number =>
  files.reduce((total, file) => total + file[of], 0);

const ROWS: readonly (readonly [what: string, count: string])[] = [
  ['lines of source, server + shared + action, without tests', grouped(sum(source, 'lines'))],
  ['files', grouped(source.length)],
  ['imports, types of deps and wiring', grouped(sum(source, 'plumbing'))],
  ['files median / p90 / max', `${at(0.5)} / ${at(0.9)} / ${at(1)}`],
  [`functions over ${LONGEST_FUNCTION} lines`, String(long.length)],
  ['lines of test support (test/support)', grouped(sum(support, 'lines'))],
  ['of it attacks, chaos, fuzz and stand-ins', grouped(sum(adversary, 'lines'))],
  ['the rest', grouped(sum(support, 'lines') - sum(adversary, 'lines'))],
  ['files of test support', grouped(support.length)],
  ['lines of scenes beside tests, demo and browser', grouped(sum(beside, 'lines'))],
  ['lines of tests', grouped(sum(tests, 'lines') - sum([...support, ...beside], 'lines'))],
  ['assertions (calls of expect)', grouped(sum(tests, 'assertions'))],
];
console.log(['| what | count |', '| --- | --- |', ...ROWS.map((row) => `| ${row.join(' | ')} |`)].join('\n'));
for (const place of long) console.log(`over ${LONGEST_FUNCTION} lines: ${place}`);
if (source.length < 300 || tests.length < 300) {
  console.error('Too few files were seen for these counts to mean anything.');
  process.exitCode = 1;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}

function count(name: string): Counted {
  const text = readFileSync(join(root, name));
  // The parser counts bytes, and calls the first one 1.
  const lineAt = lineFinder(text);
  const firstLine = ({ span }: Node): number => lineAt((span as Span).start - 1);
  const linesOf = (node: Node): number =>
    node.span === undefined ? 0 : lineAt((node.span as Span).end - 2) - firstLine(node) + 1;
  const body = parseSync(text.toString(), { syntax: 'typescript', tsx: name.endsWith('x') }).body as unknown;
  const longFunctions: string[] = [];
  let [plumbing, assertions] = [0, 0];
  const visit = (value: unknown, isCounted: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    const isNew = isNode(value) && !isCounted && isPlumbing(value);
    if (isNode(value)) {
      const lines = linesOf(value);
      if (isNew) plumbing += lines;
      if (FUNCTIONS.has(value.type) && lines > LONGEST_FUNCTION) longFunctions.push(`${name}:${firstLine(value)}`);
      if (value.type === 'CallExpression' && nameOf(value.callee) === 'expect') assertions += 1;
    }
    for (const part of Object.values(value)) visit(part, isCounted || isNew);
  };
  visit(body, false);
  const lines = lineAt(text.length - 1);
  return { name, lines, plumbing, longFunctions, assertions };
}

function isPlumbing(node: Node): boolean {
  if (IMPORTS.has(node.type)) return true;
  if (node.type === 'ExportNamedDeclaration') return isNode(node.source);
  if (node.type === 'ExportDeclaration') return isNode(node.declaration) && isFactory(node.declaration);
  return TYPES.has(node.type) && IS_DEPS.test(nameOf(node.id) ?? '');
}

function isFactory(node: Node): boolean {
  return node.type === 'FunctionDeclaration' && CREATES.test(nameOf(node.identifier) ?? '');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.value) : undefined;
}

/** From an offset in bytes to its line, the first one being 1. */
function lineFinder(text: Buffer): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
