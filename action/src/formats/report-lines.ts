import { type ReportBytes, scanBlocks } from './report-bytes.ts';

const NEWLINE = 10;

/** Gives a text report line by line, without line ends and byte order mark, in bounded memory. */
export function readLines(report: ReportBytes, take: (text: string, line: number) => void): void {
  let line = 0;
  scanBlocks(report, ({ bytes, end, position, last }) => {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, end);
    const stop = last ? end : block.lastIndexOf(NEWLINE) + 1;
    let at = position === 0 && block.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0;
    while (at < stop) {
      const lineEnd = block.indexOf(NEWLINE, at);
      line += 1;
      take(block.toString('utf8', at, lineEnd).replace(/\r$/, ''), line);
      at = lineEnd + 1;
    }
    return stop;
  });
}
