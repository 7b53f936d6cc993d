import { parseArgs } from 'node:util';
import { Failure } from '../core/failure.ts';
import { wordsOfKind } from '../storage/archive.ts';
import { type CopyProgress, copyStore, type KindComparison } from '../storage/copy/copy-store.ts';
import { openArchives } from '../storage/open/open-archive.ts';
import { formatTable, runCommand, UsageError } from './command/command-line.ts';

const COMPARISON_HEAD = ['', 'FROM', 'TO', 'DIGEST FROM', 'DIGEST TO', ''] as const;

interface Urls {
  readonly from: string;
  readonly to: string;
}

/** Undefined: help is asked for. */
function readUrls(args: readonly string[]): Urls | undefined {
  const { values } = readArguments(args);
  if (values.help) return undefined;
  const { from, to } = values;
  if (from === undefined) throw new UsageError('Name the source: --from <url>.');
  if (to === undefined) throw new UsageError('Name the target: --to <url>.');
  return { from, to };
}

function readArguments(args: readonly string[]) {
  try {
    const options = {
      from: { type: 'string' },
      to: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args: [...args], options });
  } catch (error) {
    // Its sentence repeats an argument that it does not expect, which could be a URL with a password.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.includes('://') ? 'Give each URL with --from or --to.' : message);
  }
}

/** Prints the end of each kind, and between them a line in this many milliseconds. */
const PAUSE = 2_000;
const MIB = 1_048_576;

function createReport(now: () => number): (progress: CopyProgress) => void {
  let last = now();
  return ({ step, kind, count, bytes, isDone }) => {
    if (!isDone && now() - last < PAUSE) return;
    last = now();
    const words = step === 'copy' ? { is: 'copying', was: 'copied' } : { is: 'checking', was: 'checked' };
    const amount = bytes < MIB ? '' : `, ${Math.round(bytes / MIB)} MiB`;
    console.error(`${isDone ? words.was : words.is} ${wordsOfKind(kind)}: ${count}${amount}`);
  };
}

function formatComparisons(comparisons: readonly KindComparison[]): string {
  const rows = comparisons.map(({ kind, from, to, isEqual }) => [
    wordsOfKind(kind),
    String(from.count),
    String(to.count),
    from.digest.slice(0, 12),
    to.digest.slice(0, 12),
    isEqual ? 'equal' : 'DIFFERENT',
  ]);
  return formatTable([[...COMPARISON_HEAD], ...rows], [1, 2]);
}

/** Undefined: all is equal. */
function findTrouble(comparisons: readonly KindComparison[]): string | undefined {
  if (comparisons.every(({ isEqual }) => isEqual)) return undefined;
  const remedy = 'No server will start on the target. Remove it, and copy again into an empty one';
  return comparisons.some(({ hasChanged }) => hasChanged)
    ? `The source was changed while it was copied: a server is running on it. ${remedy}, with every server stopped.`
    : `The target does not have what was copied: something else wrote to it. ${remedy}.`;
}

/** What is written stays: only the rest is left to be done. */
function adviseToResume(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
  throw new Failure(error.code, `${error.message} Run the same command again: it continues where it stopped.`, {
    cause: error,
  });
}

async function copy(urls: Urls): Promise<number> {
  const archives = await openArchives(urls);
  const { from, to } = archives;
  try {
    console.error(`from ${from.name}\nto   ${to.name}`);
    const comparisons = await copyStore({ from, to, report: createReport(Date.now) }).catch(adviseToResume);
    console.log(formatComparisons(comparisons));
    const trouble = findTrouble(comparisons);
    console.error(
      trouble ??
        'Everything was copied. Start the server on the target with the same SECRET_KEY: ' +
          'the repo tokens are encrypted with it.',
    );
    return trouble === undefined ? 0 : 1;
  } finally {
    await archives.close();
  }
}

await runCommand(
  `\
Copies everything from one store to another, which must be empty: repos, tokens, builds, jobs, reports,
sources, announcements.

  npm run copy-store -- --from sqlite:./data/coverage.db --to mongodb://host/coverage

Both are URLs as in DATABASE_URL, for any store. Stop every server on both first. If a copy is interrupted, run it
again with the same --from and --to, and it continues where it stopped; until then, no server starts on the target.`,
  (args) => {
    const urls = readUrls(args);
    return urls && (() => copy(urls));
  },
);
