import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ParsedReport } from '../../../action/src/formats/coverage-format.ts';
import { MAX_LINE } from '../../../action/src/formats/file-hits.ts';
import { FORMATS, recognize } from '../../../action/src/formats/formats.ts';
import { MAX_HITS } from '../../../action/src/formats/hits-text.ts';
import { type ReportBytes, readHead } from '../../../action/src/formats/report-bytes.ts';
import { ActionFailure } from '../../../action/src/runner/failure.ts';
import { reportInMemory } from '../report-in-memory.ts';
import { mutate, mutationsWith } from './mutations.ts';

/** A report that is whole. */
export interface Original {
  /** As the `format` input calls it. */
  readonly format: string;
  readonly bytes: Buffer;
}

/** A report that may be damaged, and how many of its bytes one read gives. */
export interface Damaged extends Original {
  readonly piece: number;
}

/** Bytes that mean something to one of the parsers; as latin1. */
const TOKENS = [
  ...['0', '-1', '1e999', '0.5', '9007199254740993', '9999999', '10000001', '4294967296', '1e+06', '#####'],
  ...['\n', '\r\n', '\r', '\0', ',', ':', '"', '\\', "'", '<', '>', '/>', '</', '&', ';', '{', '}', '[', ']', '='],
  ...['<!--', '-->', '<![CDATA[', ']]>', '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "&b;&b;">]>', '&b;', '<?x', '?>'],
  ...['SF:', 'DA:1,', 'BRDA:1,0,0,', 'TN:', 'end_of_record\n', 'mode: set\n', '        -:    0:Source:a.c\n'],
  ...['"__proto__":', 'null', 'true', '\\ud800', '\xef\xbb\xbf', '\xff\xfe', '\xed\xa0\x80', '\x1f\x8b\x08', '\xe9'],
  ...['"constructor":', 'number="', 'hits="-1"', 'condition-coverage="50% (1/2)"', '__proto__', '..', '/'],
];

const KINDS = ['changed', 'changed', 'changed', 'changed', 'spliced', 'utf-16', 'marked', 'doubled'] as const;

/** Reports with changes of bytes, two of one format spliced, as UTF-16, behind a byte order mark, or twice. */
export function damagedReport(originals: readonly Original[]): fc.Arbitrary<Damaged> {
  const place = fc.nat({ max: 1_000_000 });
  const other = fc.nat({ max: originals.length - 1 });
  const parts = { kind: fc.constantFrom(...KINDS), changes: mutationsWith(TOKENS, 6), place, other };
  const piece = fc.oneof(fc.constant(1 << 20), fc.integer({ min: 1, max: 4_096 }));
  return fc.record({ original: fc.constantFrom(...originals), piece, ...parts }).map((made) => {
    const { format, bytes } = made.original;
    const same = originals.filter((each) => each.format === format);
    const second = same[made.other % same.length]?.bytes ?? bytes;
    const share = made.place / 1_000_001;
    const cut = [bytes.subarray(0, share * bytes.length), second.subarray(share * second.length)];
    const changed = mutate(made.kind === 'spliced' ? Buffer.concat(cut) : bytes, made.changes);
    return { format, piece: made.piece, bytes: encoded(changed, made.kind) };
  });
}

function encoded(bytes: Buffer, kind: (typeof KINDS)[number]): Buffer {
  if (kind === 'utf-16') return Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le');
  if (kind === 'marked') return Buffer.concat([Buffer.from('\ufeff'), bytes]);
  return kind === 'doubled' ? Buffer.concat([bytes, bytes]) : bytes;
}

/** Whether it was read, as its format and as what it looks like; refusing it is right too. Throws for anything else. */
export function readDamaged({ format: name, bytes, piece }: Damaged): boolean {
  const whole = reportInMemory('report', bytes);
  const looksLike = recognize(readHead(whole)).format;
  const own = FORMATS.filter((format) => format.name === name);
  const read = [...new Set([...own, ...(looksLike === undefined ? [] : [looksLike])])].map((format) => {
    const [first, second] = [whole, inPieces(whole, piece)].map((report) => outcome(() => format.parse(report)));
    assert.deepEqual(second, first, `${format.name} reads it differently in pieces of ${piece} bytes`);
    return first !== undefined && typeof first !== 'string';
  });
  return read.some(Boolean);
}

/** A pipe or a slow disk may give less than it was asked for. */
function inPieces(report: ReportBytes, piece: number): ReportBytes {
  return {
    ...report,
    read: (target, offset, length, position) => report.read(target, offset, Math.min(length, piece), position),
  };
}

/** What was read, in numbers, or the sentence that refuses it. */
function outcome(parse: () => ParsedReport): object | string {
  try {
    const { files, sources, warnings } = parse();
    return { sources, warnings, files: files.map(checked) };
  } catch (error) {
    // What was found instead may be cut off where a piece ends.
    if (error instanceof ActionFailure && error.code === 'report-damaged')
      return error.message.replace(/, got .*/s, '');
    throw error;
  }
}

function checked(file: ParsedReport['files'][number]): unknown[] {
  const [lines, arms, groups] = [file.countLines(), file.countBranches(), file.branches()];
  assert(file.name.length > 0 && file.lastLine <= MAX_LINE);
  let relevant = 0;
  file.eachLine((line, hits) => {
    relevant += 1;
    assert(line >= 1 && line <= file.lastLine && Number.isSafeInteger(hits) && hits >= 0 && hits <= MAX_HITS);
  });
  assert.equal(relevant, lines.all);
  assert(lines.covered <= lines.all && groups.length === arms.all * 4);
  assert(groups.every((value) => Number.isSafeInteger(value) && value >= 0));
  return [file.name, lines, arms];
}
