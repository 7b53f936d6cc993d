import { parseAst } from 'rolldown/parseAst';

/** One small change of a source that a test should notice. Offsets are of UTF-16 code units. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** What takes the place of an operator: comparisons move by one, conditions and sums turn round. */
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
}

/** Every mutant of a source, in order. Types and texts have none. */
export function findMutants(source: string, name: string): readonly Mutant[] {
  const mutants: Omit<Mutant, 'line'>[] = [];
  visit(parseAst(source, { lang: 'ts' }, name) as unknown as Node, (node) => mutants.push(...mutantsOf(node, source)));
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
    // Of two texts a difference means nothing.
    if (text === undefined || (operator === '+' && [left, right].some(isText))) return [];
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

/** Types are left out: what they say is never run. */
function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  else if (typeof node === 'object' && node !== null && 'type' in node && typeof node.type === 'string') {
    if (node.type.startsWith('TS') && !('expression' in node)) return;
    see(node as Node);
    for (const part of Object.values(node)) visit(part, see);
  }
}
