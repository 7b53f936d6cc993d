import { describe, expect, test } from 'vitest';
import { byteText } from '../runner/words.ts';
import { paceOf, tellReading } from './progress.ts';
import { createRetryingFetches } from './retrying-fetch.ts';

test('nothing is due in the first two seconds, then a line every ten', () => {
  let time = 5_000;
  const isDue = paceOf(() => time);
  const due: number[] = [];
  for (; time < 30_000; time += 500) if (isDue()) due.push(isDue.seconds());
  expect(due).toEqual([2, 12, 22]);
});

test.each([
  [999, '999 bytes'],
  [12_345, '12.3 kB'],
  [500_000_000, '500.0 MB'],
])('%d bytes are %s', (bytes, text) => expect(byteText(bytes)).toBe(text));

test('reading tells how far it is', () => {
  let time = 0;
  const lines: string[] = [];
  const bytes = { path: 'lcov.info', size: 4_000_000, read: () => 1_000_000 };
  const report = tellReading(bytes, { now: () => time, log: { info: (line) => lines.push(line) } });
  for (let position = 0; position < 4_000_000; position += 1_000_000) {
    time += 1_500;
    report.read(new Uint8Array(), 0, 1_000_000, position);
  }
  expect(lines).toEqual(['Still reading lcov.info: 2.0 MB of 4.0 MB, 3 s so far']);
});

describe('sending', () => {
  test('tells bytes and tries, by the timers it is given', async () => {
    let time = 0;
    const ticks: (() => void)[] = [];
    const stopped: number[] = [];
    const lines: string[] = [];
    let tries = 0;
    const runtime = {
      userAgent: 'a-client/1.2',
      now: () => time,
      random: () => 0,
      sleep: async (milliseconds: number) => {
        time += milliseconds;
      },
      every: (_: number, tick: () => void) => {
        ticks.push(tick);
        return () => void stopped.push(ticks.indexOf(tick));
      },
      fetch: async () => {
        tries += 1;
        time += 12_000;
        ticks.at(-1)?.();
        ticks.at(-1)?.();
        return new Response('{}', { status: tries === 1 ? 503 : 200 });
      },
    };
    const log = { info: (line: string) => lines.push(line), warning: () => {} };
    const send = createRetryingFetches(runtime, log)({ totalMs: 600_000, tryMs: 120_000 });
    const url = new URL('https://cov.example/api/v1/jobs');
    await send({ url, shownUrl: url.href, method: 'POST', headers: {}, body: new Uint8Array(2_500_000) });
    expect(lines.filter((line) => line.startsWith('Still'))).toEqual([
      `Still sending 2.5 MB to ${url.href}: try 1, 12 s so far`,
      `Still sending 2.5 MB to ${url.href}: try 2, 25 s so far`,
    ]);
    expect(stopped).toEqual([0, 1]);
  });
});
