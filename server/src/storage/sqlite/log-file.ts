import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** A page as SQLite's write-ahead log holds it (https://www.sqlite.org/fileformat2.html#walformat). */
export interface LogFrame {
  /** Only until the next frame is read. */
  readonly page: Buffer;
  /** The last of its transaction: what was written up to here counts. */
  readonly isCommit: boolean;
}

const HEADER = 32;
const FRAME_HEADER = 24;
/** Begins a log whose checksums are of little-endian words; of big-endian ones it is one more. */
const MAGIC = 0x377f0682;
/** Where the header and each frame hold the two numbers that are new whenever the log begins again. */
const SALTS = { inHeader: 16, inFrame: 8, length: 8 } as const;

/** The frames of a log that SQLite would read, in order; none if there is no log. */
export function* readFrames(path: string): Generator<LogFrame> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER);
    readSync(file, header, 0, HEADER, 0);
    const isLittle = header.readUInt32BE(0) === MAGIC;
    if (!isLittle && header.readUInt32BE(0) !== MAGIC + 1) return;
    let sums = addWords([0, 0], header.subarray(0, 24), isLittle);
    if (!isAt(header, 24, sums)) return;
    const frame = Buffer.alloc(FRAME_HEADER + header.readUInt32BE(8));
    for (let at = HEADER; readSync(file, frame, 0, frame.length, at) === frame.length; at += frame.length) {
      const { inHeader, inFrame, length } = SALTS;
      // What follows is of an earlier log, or was cut off.
      if (header.compare(frame, inFrame, inFrame + length, inHeader, inHeader + length) !== 0) return;
      const page = frame.subarray(FRAME_HEADER);
      sums = addWords(addWords(sums, frame.subarray(0, 8), isLittle), page, isLittle);
      if (!isAt(frame, 16, sums)) return;
      yield { page, isCommit: frame.readUInt32BE(4) !== 0 };
    }
  } finally {
    closeSync(file);
  }
}

/** What changes whenever the log begins again; empty if there is none. */
export function readSalts(file: number): string {
  const salts = Buffer.alloc(SALTS.length);
  return readSync(file, salts, 0, SALTS.length, SALTS.inHeader) === 0 ? '' : salts.toString('hex');
}

type Sums = readonly [number, number];

function addWords([first, second]: Sums, bytes: Buffer, isLittle: boolean): Sums {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + words.getUint32(at, isLittle) + b) | 0;
    b = (b + words.getUint32(at + 4, isLittle) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

function isAt(bytes: Buffer, at: number, [first, second]: Sums): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}
