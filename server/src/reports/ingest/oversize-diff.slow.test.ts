import { expect, it } from 'vitest';
import { checkDiff, MAX_DIFF_BYTES } from './diff-field.ts';
import { scanJob } from './job-scanner.ts';
import { memberSize } from './json-walker.ts';
import { parseJob } from './parse-job.ts';

const outcome = (bytes: Buffer) => checkDiff(parseJob(bytes, 2 ** 24).job.envelope.diff);

it('the scanner and the slow way agree on diffs around their limit, blanks included', () => {
  const sized = (size: number, key = 'diff'): string => `{"x":[{"diff":1}],"${key}": "${'x'.repeat(size - 3)}" }`;
  for (const size of [MAX_DIFF_BYTES - 1, MAX_DIFF_BYTES, MAX_DIFF_BYTES + 1]) {
    // A blank before a value belongs to nobody.
    expect(memberSize(Buffer.from(sized(size)), 'diff')).toBe(size - 1);
    const [scanned, slow] = [sized(size + 1), sized(size + 1, 'd\\u0069ff')].map((value) => Buffer.from(value));
    const [fast, slowly] = [scanned, slow].map((value) => outcome(value as Buffer));
    expect(scanJob(scanned as Buffer)).toBeDefined();
    expect(scanJob(slow as Buffer)).toBeUndefined();
    expect(fast).toEqual(slowly);
    expect(JSON.stringify(fast)).toContain(size > MAX_DIFF_BYTES ? `it has ${size} bytes` : 'must be an object');
  }
});
