/** More parts than any client sends before the job. */
const MAX_PARTS = 10;

const NAMED_JOB = /\bname="?json(?:_file)?["\s;]/i;

/**
 * The part that holds the job, as far as the first bytes of a multipart body hold it; undefined where they hold none,
 * or are unusual. By the first line alone, which is the boundary: the parser of whole bodies waits for their end.
 */
export function beginMultipartJob(beginning: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.length);
  const firstLine = bytes.subarray(0, Math.max(0, bytes.indexOf('\r\n')));
  if (!firstLine.toString('latin1').startsWith('--')) return undefined;
  const boundary = Buffer.concat([Buffer.from('\r\n'), firstLine]);
  let start = firstLine.length;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const content = bytes.indexOf('\r\n\r\n', start) + 4;
    if (content < 4) return undefined;
    const end = bytes.indexOf(boundary, content);
    if (NAMED_JOB.test(bytes.toString('latin1', start, content)))
      return bytes.subarray(content, end < 0 ? bytes.length : end);
    if (end < 0) return undefined;
    start = end + boundary.length;
  }
  return undefined;
}
