import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { benchActionStart, benchFindReports } from './action.ts';
import { benchClose200 } from './close-200.ts';
import { benchCommits } from './commits.ts';
import { benchFirstView } from './first-view.ts';
import { benchFlipping } from './flipping.ts';
import { type BenchResult, formatGoals, formatResult, formatVersions, toJson } from './goals.ts';
import { benchLcovMerge } from './grcov.ts';
import { benchHealthzUpload } from './healthz-upload.ts';
import { benchImportHistory, benchImportHistoryOnMongodb } from './import-history.ts';
import { benchIngest } from './ingest.ts';
import { benchLargeReports } from './large-reports.ts';
import { benchLateJob } from './late-job.ts';
import { benchManyBuilds } from './many-builds-load.ts';
import { benchMerge } from './merge.ts';
import { benchMongodb } from './mongodb.ts';
import { benchMongodbScale } from './mongodb-scale.ts';
import { benchCoberturaParse, benchLcovParse } from './parse.ts';
import { benchReceiveCommit } from './receive-commit.ts';
import { benchStart } from './start.ts';
import { benchStored } from './stored.ts';
import { benchUploads } from './uploads.ts';
import { benchWeb } from './web.ts';

interface Bench {
  readonly run: () => BenchResult[] | Promise<BenchResult[]>;
  /** Runs only if it is named. */
  readonly onRequest?: true;
  /** Has a process of its own: what V8 learned from another bench would change how it compiles this one. */
  readonly alone?: true;
}

/**
 * `npm run bench [-- name ...]`: each compares with a reference in the same run, since only ratios hold on other
 * machines. With `--json` as JSON.
 */
const BENCHES: Readonly<Record<string, Bench>> = {
  'action-start': { run: benchActionStart },
  'find-reports': { run: benchFindReports },
  ingest: { run: benchIngest, alone: true },
  'lcov-parse': { run: benchLcovParse },
  'cobertura-parse': { run: benchCoberturaParse },
  reports: { run: benchLargeReports, onRequest: true },
  stored: { run: benchStored, alone: true },
  'receive-commit': { run: benchReceiveCommit },
  merge: { run: benchMerge, alone: true },
  flipping: { run: benchFlipping, alone: true },
  'lcov-merge': { run: benchLcovMerge },
  commits: { run: benchCommits },
  'close-200': { run: benchClose200 },
  'late-job': { run: benchLateJob },
  'healthz-upload': { run: benchHealthzUpload },
  start: { run: benchStart },
  'first-view': { run: benchFirstView },
  uploads: { run: benchUploads },
  'many-builds': { run: benchManyBuilds },
  mongodb: { run: benchMongodb },
  'import-history': { run: benchImportHistory, onRequest: true },
  'import-history-mongodb': { run: benchImportHistoryOnMongodb, onRequest: true },
  'mongodb-scale': { run: benchMongodbScale, onRequest: true },
  web: { run: benchWeb, onRequest: true },
};

const usual = Object.keys(BENCHES).filter((name) => !BENCHES[name]?.onRequest);
const asked = process.argv.slice(2).filter((name) => name !== '--json' && name !== '--part');
/** For machines: nothing else is printed. */
const isJson = process.argv.includes('--json');
/** For another process of this script: what one bench found, as it is. */
const isPart = process.argv.includes('--part');
const names = asked.length > 0 ? asked : usual;
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));

if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exitCode = 1;
} else {
  if (!isJson && !isPart) console.log(formatVersions());
  const results: BenchResult[] = [];
  for (const name of names) {
    const measured = await measure(name);
    if (!isJson && !isPart) for (const result of measured) console.log(formatResult(result));
    results.push(...measured);
  }
  if (isPart) console.log(JSON.stringify(results));
  else if (isJson) console.log(JSON.stringify(toJson(results), null, 2));
  else console.log(formatGoals(results) ?? '');
}

/** One that fails, as on a machine that is too busy, leaves the others their time. */
async function measure(name: string): Promise<BenchResult[]> {
  try {
    const bench = BENCHES[name];
    if (bench?.alone && !isPart) return await runAlone(name);
    return (await bench?.run()) ?? [];
  } catch (error) {
    if (isPart) throw error;
    process.exitCode = 1;
    const why = error instanceof Error ? error.message : String(error);
    return [{ title: `${name}: not measured: ${why}`, timings: [], goals: [], notes: [] }];
  }
}

async function runAlone(name: string): Promise<BenchResult[]> {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), name, '--part'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as BenchResult[];
}
