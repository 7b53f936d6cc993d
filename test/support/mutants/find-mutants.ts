import { parseAst } from 'rolldown/parseAst';

/** One small change of a source that a test should notice. Offsets are of UTF-16 code units. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** What replaces an operator: comparisons move by one, conditions and sums turn round. */
const REPLACED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly argument?: Node;
  readonly value?: unknown;
  readonly test?: Node;
}

/** Every mutant of a source, in order. Types and texts have none. */
export function findMutants(source: string, name: string): readonly Mutant[] {
  const mutants: Omit<Mutant, 'line'>[] = [];
  const tree = parseAst(source, { lang: 'ts' }, name);
  visit(tree, source, (node) => mutants.push(...mutantsOf(node, source)));
  return mutants
    .toSorted((a, b) => a.start - b.start)
    .map((mutant) => ({ ...mutant, line: source.slice(0, mutant.start).split('\n').length }));
}

export function mutate(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

function mutantsOf(node: Node, source: string): readonly Omit<Mutant, 'line'>[] {
  const { type, operator = '', left, right, argument } = node;
  if ((type === 'BinaryExpression' || type === 'LogicalExpression') && left && right) {
    const text = REPLACED[operator];
    // Between two texts a difference means nothing, and the tests run on one platform.
    if (text === undefined || (operator === '+' && [left, right].some(isText)) || isPlatform(left, source)) return [];
    const start = source.indexOf(operator, left.end);
    return start < right.start ? [{ start, end: start + operator.length, text }] : [];
  }
  if (type === 'UnaryExpression' && operator === '!' && argument)
    return [{ start: node.start, end: argument.start, text: '' }];
  if (type === 'Literal' && typeof node.value === 'boolean')
    return [{ start: node.start, end: node.end, text: String(!node.value) }];
  return [];
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || typeof value === 'string';
}

function isPlatform({ start, end }: Node, source: string): boolean {
  return source.slice(start, end) === 'process.platform';
}

/** `a < b ? -1 : 1` puts things in order that are never equal. */
const ORDER = /\? (?:-1 : 1|1 : -1)$/;

/** Types are left out: what they say is never run. */
function visit(node: unknown, source: string, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, source, see);
  else if (typeof node === 'object' && node !== null && 'type' in node && typeof node.type === 'string') {
    const { type, start, end, test } = node as Node;
    if (type.startsWith('TS') && !('expression' in node)) return;
    see(node as Node);
    const isOrder = type === 'ConditionalExpression' && ORDER.test(source.slice(start, end));
    for (const part of Object.values(node)) {
      if (isOrder && part === test) visit([test?.left, test?.right], source, see);
      else visit(part, source, see);
    }
  }
}
