import { type BenchResult, formatResult, isReached } from './goals.ts';
import { benchIngest } from './ingest.ts';
import { benchMerge } from './merge.ts';
import { benchStored } from './stored.ts';

/** `npm run bench [-- name ...]`: each compares with a reference in the same run, since only ratios travel between machines. */
const BENCHES: Readonly<Record<string, () => BenchResult[]>> = { ingest: benchIngest, stored: benchStored, merge: benchMerge };

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));

if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exitCode = 1;
} else {
  console.log(`Node ${process.version}`);
  const results = names.flatMap((name) => BENCHES[name]?.() ?? []);
  for (const result of results) console.log(formatResult(result));
  const goals = results.flatMap((result) => result.goals);
  console.log(`\n${goals.filter(isReached).length} of ${goals.length} goals reached`);
}
