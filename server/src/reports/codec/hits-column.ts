import { type Column, MAX_HITS, NOT_RELEVANT } from '../../core/coverage/column.ts';
import { damage } from './byte-reader.ts';
import type { StreamReaders, StreamWriters } from './chunk-streams.ts';

// Hits as runs of equal lines, a byte each in `runs`: two bits of kind, six of length. Separate streams compress better
// than a mixed one, since each has its own statistics.

/** Not relevant; 1 is a missed line, 2 a line with one hit: the kind is one more than the hits. */
const KIND_NONE = 0;
/** The hits of the run are in `values`. */
const KIND_VALUE = 3;

/** A longer run has length 0, and its real length follows as a varint. */
const MAX_SHORT_RUN = 63;
const MAX_INT32 = 0x7fff_ffff;

/** From here on a number is in `large`, less this, as a varint, and this marks its place in `values`. */
export const LARGE = 255;

/** How many lines were relevant and covered, counted on the way. */
export interface LineCounts {
  readonly relevantLines: number;
  readonly coveredLines: number;
}

export function packHits(hits: Column, streams: StreamWriters): LineCounts {
  const { runs, values } = streams;
  // A run of 64 lines or more takes at most 5 bytes, any other one: never more bytes than lines.
  const out = runs.reserve(hits.length + 8);
  const bytes = values.reserve(hits.length);
  let end = runs.length;
  let valuesEnd = values.length;
  let relevantLines = 0;
  let coveredLines = 0;
  let line = 0;
  while (line < hits.length) {
    const value = hits[line] as number;
    const start = line;
    line += 1;
    while (line < hits.length && hits[line] === value) line += 1;
    const count = line - start;
    const kind = value < 0 ? KIND_NONE : value < 2 ? value - NOT_RELEVANT : KIND_VALUE;
    if (value >= 0) relevantLines += count;
    if (value > 0) coveredLines += count;
    end = writeRun(out, end, (count << 2) | kind);
    if (kind !== KIND_VALUE) continue;
    bytes[valuesEnd] = value < LARGE ? value : LARGE;
    valuesEnd += 1;
    if (value >= LARGE) streams.large.writeVarint(value - LARGE);
  }
  runs.advance(end);
  values.advance(valuesEnd);
  return { relevantLines, coveredLines };
}

/** `run`: the length above two bits of kind; lengths are below 2 ** 24 (MAX_FILE_LINES). */
function writeRun(out: Uint8Array, at: number, run: number): number {
  if (run >>> 2 <= MAX_SHORT_RUN) {
    out[at] = run;
    return at + 1;
  }
  out[at] = run & 3;
  let end = at + 1;
  let rest = run >>> 2;
  while (rest > 0x7f) {
    out[end] = (rest & 0x7f) | 0x80;
    end += 1;
    rest >>>= 7;
  }
  out[end] = rest;
  return end + 1;
}

/** Reads hits of 0 or more. */
export function unpackValue(streams: StreamReaders): number {
  const value = streams.values.readByte();
  return value < LARGE ? value : LARGE + streams.large.readVarint(MAX_HITS - LARGE);
}

/** The inverse of packHits, into the narrowest column: `room`, where it can be. */
export function unpackHits(lines: number, streams: StreamReaders, room = new Int32Array(lines)): Column {
  const { runs } = streams;
  let hits: Column = room;
  for (let line = 0; line < lines; ) {
    const run = runs.readByte();
    const kind = run & 3;
    const count = run >>> 2 || runs.readVarint();
    if (count === 0 || count > lines - line)
      throw damage(`a run of ${count} lines does not fit into a file of ${lines}`);
    const value = kind === KIND_VALUE ? unpackValue(streams) : kind + NOT_RELEVANT;
    if (value > MAX_INT32 && hits instanceof Int32Array) hits = new Float64Array(hits);
    fillRun(hits, value, line, line + count);
    line += count;
  }
  return hits;
}

/** A loop, since most runs are shorter than a call of `fill` takes. */
function fillRun(hits: Column, value: number, start: number, end: number): void {
  if (hits instanceof Int32Array) for (let line = start; line < end; line += 1) hits[line] = value;
  else hits.fill(value, start, end);
}

/** Skips the hits of another file than the one asked for. */
export function skipHits(lines: number, streams: StreamReaders): void {
  const { runs } = streams;
  for (let line = 0; line < lines; ) {
    const run = runs.readByte();
    const count = run >>> 2 || runs.readVarint();
    if (count === 0 || count > lines - line)
      throw damage(`a run of ${count} lines does not fit into a file of ${lines}`);
    if ((run & 3) === KIND_VALUE) unpackValue(streams);
    line += count;
  }
}

/** A column that others are added to while their sums fit into 31 bits. */
export interface HitSum {
  hits: Int32Array;
  length: number;
  /** For what was added last: how many of its numbers were 0 or more, and above 0. */
  relevant: number;
  covered: number;
  /** False once a sum did not fit; the column is of no use then. */
  fits: boolean;
}

/**
 * unpackHits and merging it into `into`, which is as long at least, in one pass: a run without hits costs nothing.
 */
export function addRuns(into: HitSum, lines: number, streams: StreamReaders): void {
  const { runs } = streams;
  const { bytes } = runs;
  const { hits } = into;
  let at = runs.position;
  let [relevant, covered, sums] = [0, 0, 0];
  for (let line = 0; line < lines; ) {
    const run = bytes[at] ?? 0;
    at += 1;
    let count = run >>> 2;
    if (count === 0) {
      runs.skipTo(at);
      count = runs.readVarint();
      at = runs.position;
    }
    const end = line + count;
    if (count === 0 || end > lines) throw damage(`a run of ${count} lines does not fit into a file of ${lines}`);
    const kind = run & 3;
    if (kind !== KIND_NONE) {
      const value = kind === KIND_VALUE ? unpackValue(streams) : kind + NOT_RELEVANT;
      sums |= value > MAX_INT32 ? -1 : 0;
      relevant += count;
      if (value > 0) covered += count;
      for (; line < end; line += 1) {
        const before = hits[line] as number;
        const sum = ((before & ~(before >> 31)) + value) | 0;
        sums |= sum;
        hits[line] = sum;
      }
    }
    line = end;
  }
  runs.skipTo(at);
  into.relevant = relevant;
  into.covered = covered;
  into.fits = sums >= 0;
}

/** Adds `count` values, each to its own. */
export function addValues(into: HitSum, count: number, streams: StreamReaders): void {
  const { hits } = into;
  let [covered, sums] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const value = unpackValue(streams);
    if (value > 0) covered += 1;
    const sum = ((hits[index] as number) + value) | 0;
    sums |= value > MAX_INT32 ? -1 : sum;
    hits[index] = sum;
  }
  into.covered = covered;
  into.fits = sums >= 0;
}
