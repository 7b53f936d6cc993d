import type { FlipLedger, LedgerBuild } from './flip-ledger.ts';
import type { FlipRecord } from './flip-record.ts';

/** A record as it is stored: line and gap, its masks in hex, and block and branch if it is a branch of code. */
export type PackedRecord = readonly [
  line: number,
  gap: number,
  covered: string,
  known: string,
  proven: string,
  ...arm: readonly number[],
];

/** A ledger as it is stored: JSON, about 50 bytes a record. */
export interface PackedLedger {
  readonly builds: readonly LedgerBuild[];
  readonly files: readonly (readonly [name: string, records: readonly PackedRecord[]])[];
  readonly sameText: readonly (readonly [name: string, builds: number])[];
  readonly unchanged: number;
  readonly overflow?: number | undefined;
}

export function packLedger({ builds, files, sameText, unchanged, overflow }: FlipLedger): PackedLedger {
  return {
    builds,
    files: [...files].map(([name, records]) => [name, records.map(packRecord)]),
    sameText: [...sameText],
    unchanged,
    overflow,
  };
}

export function unpackLedger({ builds, files, sameText, unchanged, overflow }: PackedLedger): FlipLedger {
  return {
    builds,
    files: new Map(files.map(([name, records]) => [name, records.map(unpackRecord)])),
    sameText: new Map(sameText),
    unchanged,
    overflow,
  };
}

function packRecord({ line, gap, arm, covered, known, proven }: FlipRecord): PackedRecord {
  return [line, gap, covered.toString(16), known.toString(16), proven.toString(16), ...(arm ?? [])];
}

function unpackRecord([line, gap, covered, known, proven, block, branch]: PackedRecord): FlipRecord {
  return {
    line,
    gap,
    arm: block === undefined || branch === undefined ? undefined : [block, branch],
    covered: maskOf(covered),
    known: maskOf(known),
    proven: maskOf(proven),
  };
}

function maskOf(hex: string): bigint {
  return BigInt(`0x${hex}`);
}
