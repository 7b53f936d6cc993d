import type { ReportBytes } from '../../action/src/formats/report-bytes.ts';

/** A report that is in memory already. */
export function reportInMemory(path: string, content: string | Uint8Array): ReportBytes {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    path,
    size: bytes.length,
    read(target, offset, length, position) {
      const piece = bytes.subarray(position, position + length);
      target.set(piece, offset);
      return piece.length;
    },
  };
}
