import { diffLines } from '../../../server/src/domain/diff/diff-lines.ts';
import { locateJsonError } from '../../../server/src/http/middleware/json-position.ts';
import { ingestJob } from '../../../server/src/ingest/ingest-job.ts';
import { attackWithCheapRequests } from './cheap-requests.ts';
import { type Answered, attackWithEverything, attackWithStalledBodies, startAttacked } from './hostile-load.ts';
import { attackWithLargeMerges } from './large-merges.ts';

const LIMITS = { reportBytes: 64 * 2 ** 20, unusualBytes: 2 ** 20 };
/** Pseudo-random lines, of which hardly any two texts share a long run. */
const noise = (seed: number): readonly string[] => {
  let state = seed;
  return Array.from({ length: 200_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String((state >>> 16) % 50);
  });
};
const unusual = `{"source_files":[{"name":"a","coverage":[${'0.5,'.repeat(2 ** 21 + 1)}1]}]}`;
const refuse = (text: string) =>
  ingestJob({ bytes: Buffer.from(text), contentType: 'application/json', contentEncoding: '' }, LIMITS).catch(() => {});

/** Milliseconds that each may take: more would be minutes with an input of the largest size. */
const WORST: readonly (readonly [what: string, limit: number, run: () => unknown])[] = [
  ['a JSON error behind a megabyte', 1_000, () => locateJsonError(`[${'1,'.repeat(500_000)}y`)],
  ['two texts of 200,000 lines of noise', 5_000, () => diffLines(noise(1), noise(2))],
  ['two million unusual numbers', 4_000, () => refuse(unusual)],
];

/** Prints what took how long; false: longer than it may. */
function report(what: string, ms: number, limit: number): boolean {
  console.log(`${ms > limit ? 'TOO LONG' : 'ok'}: ${what}, ${Math.round(ms)} of ${limit} ms`);
  return ms <= limit;
}

const longest = (others: readonly Answered[]): number => Math.max(...others.map(({ ms }) => ms));

/** MiB above what the process held before that closing builds of few kilobytes may take. */
const MERGE_LIMIT = 1_024;

/** Builds that unpack to much: closed within their memory, or as an error. */
async function reportMerges(): Promise<boolean> {
  const attacked = await startAttacked();
  const { before, peak, flags, spread } = await attackWithLargeMerges(attacked);
  await attacked.server.dispose();
  const fits = peak - before <= MERGE_LIMIT && flags.flags.length === 60 && spread.verdict?.rule === 'cannot-merge';
  console.log(
    `${fits ? 'ok' : 'TOO MUCH'}: 60 flags of 2^24 lines are closed with ${peak} MiB at most, ${before} before; ` +
      `600,000 files: ${spread.verdict?.explanation}`,
  );
  return fits;
}

/** The worst inputs of the pure parts, then the built server under load; false where anything took too long. */
export async function runLongAttack(): Promise<boolean> {
  const results: boolean[] = [];
  for (const [what, limit, run] of WORST) {
    const begun = performance.now();
    await run();
    results.push(report(what, performance.now() - begun, limit));
  }
  const open = await startAttacked();
  for (const { what, others: probes } of await attackWithCheapRequests(open))
    results.push(report(`/healthz beside ${what}`, longest(probes), 50));
  const { others: besideBombs } = await attackWithEverything(open);
  results.push(report('others during bombs and endless bodies', longest(besideBombs), 1_000));
  await open.server.dispose();
  const narrow = await startAttacked({ MAX_UPLOAD_BYTES: '16MiB', MAX_UPLOADS_MEMORY: '64MiB' });
  const { others, end } = await attackWithStalledBodies(narrow);
  results.push(report('others beside bodies that make no progress', longest(others), 1_000));
  end();
  await narrow.server.dispose();
  results.push(await reportMerges());
  return results.every(Boolean);
}
