import type { ReportBytes } from '../../action/src/formats/report-bytes.ts';

/** A report that is in memory already. It gives at most `atOnce` bytes, as a file may. */
export function reportInMemory(path: string, content: string | Uint8Array, atOnce = Infinity): ReportBytes {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    path,
    size: bytes.length,
    read(target, offset, length, position) {
      const piece = bytes.subarray(position, position + Math.min(length, atOnce));
      target.set(piece, offset);
      return piece.length;
    },
  };
}
