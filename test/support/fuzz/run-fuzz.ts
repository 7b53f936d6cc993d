import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { ConnectionCut, type Exchanged, exchange } from './exchange.ts';
import { type FuzzRequest, fuzzRequests, writeRequest } from './requests.ts';

/** Milliseconds: clients give up after 10 s (wire.md). */
const TIME_LIMIT = 10_000;

/** How often each encoding was tried and each status answered, and the longest wait. */
export interface FuzzTally {
  inputs: number;
  readonly byEncoding: Map<string, number>;
  readonly byStatus: Map<number | 'connection cut', number>;
  /** Milliseconds. */
  slowest: number;
}

export interface FuzzTarget {
  readonly port: number;
  /** For a repo that exists. */
  readonly token: string;
}

export interface FuzzOptions {
  readonly seed: number;
  /** Inputs at most. */
  readonly runs: number;
  /** Milliseconds after which no new input is begun; default: no bound. */
  readonly time?: number;
}

export function emptyTally(): FuzzTally {
  return { inputs: 0, byEncoding: new Map(), byStatus: new Map(), slowest: 0 };
}

/**
 * Sends inputs one after the other and checks each answer. Fails at the first that is wrong, with the smallest input
 * that shows it, the seed and the path to it.
 */
export async function runFuzz(target: FuzzTarget, options: FuzzOptions, tally: FuzzTally): Promise<void> {
  const { seed, runs, time } = options;
  const property = fc.asyncProperty(fuzzRequests(target.token), async (request) => {
    const wire = writeRequest(request);
    const answer = await exchange(target.port, wire, TIME_LIMIT).catch((error: unknown) => {
      // What is no HTTP, or continues behind a request: the server hangs up, and its answer may be lost with what it
      // did not read.
      if (error instanceof ConnectionCut && !wire.lawful) return undefined;
      throw error;
    });
    count(tally, request, answer);
    if (answer !== undefined) checkAnswer(answer);
  });
  const until = time === undefined ? {} : { interruptAfterTimeLimit: time, markInterruptAsFailure: false };
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: false, ...until });
}

/** The most memory that a process ever had in use, in bytes. */
export function peakMemory(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) * 1_024;
}

function count(tally: FuzzTally, { encoding, contentEncoding }: FuzzRequest, answer: Exchanged | undefined): void {
  const status = answer?.status ?? 'connection cut';
  const how = contentEncoding === 'none' ? encoding : `${encoding} + Content-Encoding`;
  tally.inputs += 1;
  tally.byEncoding.set(how, (tally.byEncoding.get(how) ?? 0) + 1);
  tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
  tally.slowest = Math.max(tally.slowest, answer?.ms ?? 0);
}

/** What wire.md promises of every answer, whatever was sent. */
function checkAnswer({ status, headers, body }: Exchanged): void {
  const expect = (fits: boolean, what: string): void => {
    if (!fits) throw new Error(`${what}: ${status} ${JSON.stringify(headers)} ${body.slice(0, 500)}`);
  };
  expect(status === 200 || (status >= 400 && status < 500), 'The status is neither 200 nor the fault of a caller');
  expect(headers['content-type'] === 'application/json; charset=utf-8', 'The answer is not called JSON');
  expect((headers['x-request-id'] ?? '') !== '', 'The answer has no request id');
  const json = JSON.parse(body) as Record<string, unknown>;
  if (status === 200) {
    expect(!('error' in json), 'A success has a key `error`');
    return;
  }
  expect(Object.keys(json).join() === 'message,error' && json.error === true, 'The failure has not its two keys');
  expect(
    typeof json.message === 'string' && json.message.length > 10 && json.message.length < 2_000,
    'The failure says nothing, or too much',
  );
}
