import { type ReportBytes, scanBlocks } from './report-bytes.ts';

const NEWLINE = 10;

/** Gives a text report line by line, without line ends and byte order mark, in bounded memory. */
export function readLines(report: ReportBytes, take: (text: string, line: number) => void): void {
  let line = 0;
  scanBlocks(report, ({ bytes, end, last }) => {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, end);
    const stop = last ? end : block.lastIndexOf(NEWLINE) + 1;
    let at = 0;
    while (at < stop) {
      const lineEnd = block.indexOf(NEWLINE, at);
      line += 1;
      take(block.toString('utf8', at, lineEnd).replace(/\r$/, ''), line);
      at = lineEnd + 1;
    }
    return stop;
  });
}
