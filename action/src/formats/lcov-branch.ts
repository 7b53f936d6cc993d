import { hash } from 'node:crypto';

/** The four fields of a BRDA record, as text. */
export interface BranchFields {
  readonly line: string;
  readonly block: string;
  readonly branch: string;
  /** Hits, or `-` where the line was never reached. */
  readonly taken: string;
}

/**
 * Splits `<line>,<block>,<branch>,<taken>` from both ends: the branch may be any text, commas included (perl2lcov
 * writes the expression). Undefined if fields are missing or the line is no number.
 */
export function splitBranch(text: string): BranchFields | undefined {
  const [first, last] = [text.indexOf(','), text.lastIndexOf(',')];
  const second = text.indexOf(',', first + 1);
  if (first < 1 || second === last || second < 0) return undefined;
  const line = text.slice(0, first).trim();
  if (!/^\d+$/.test(line)) return undefined;
  return {
    line,
    block: text.slice(first + 1, second).trim(),
    branch: text.slice(second + 1, last).trim(),
    taken: text.slice(last + 1).trim(),
  };
}

/**
 * The wire wants integers for block and branch: digits are themselves; any other text (`jump to line 12`, `e0`) becomes
 * the first 31 bits of its SHA-256 with bit 30 set, so that it meets no small number and the legs of a build agree on
 * it.
 */
export function branchKey(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return (hash('sha256', text, 'buffer').readUInt32BE(0) >>> 1) | 0x40000000;
}
