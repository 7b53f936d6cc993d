import { revisitWaiting } from '../closing/reevaluate-dependents.ts';
import { HISTORY_SOURCES } from '../core/builds/imported.ts';
import { Failure } from '../core/failure.ts';
import { auditName, COMMAND_LINE } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoAddress } from '../core/repo/repo-name.ts';
import { type Counts, counted } from '../core/sentences.ts';
import { composeEncoded } from '../reports/threads/compose-encoded.ts';
import type { Store } from '../storage/store.ts';
import { type BringHistoryDeps, bringHistory } from '../storage/transfer/bring-history.ts';
import { type CheckedHistory, checkHistory } from '../storage/transfer/check-history.ts';
import type { HistoryProgress } from '../storage/transfer/import-history.ts';
import type { FolderReader } from '../storage/transfer/read-folder.ts';

/** Builds between two lines of progress. */
const STEP = 1_000;

/** Adds a history of another service to the repo that it belongs to, which has to be there. */
export async function importHistoryFolder(
  store: Store,
  asked: { readonly folder: FolderReader; readonly address: RepoAddress; readonly isTrial: boolean },
): Promise<void> {
  const { folder, address, isTrial } = asked;
  const checked = await checkHistory(folder);
  const repo = await store.repos.findByName(address.service, address.name);
  if (repo === undefined) throw new Failure('not-found', repoMissing(auditName(address)));
  for (const line of describe(checked, repo)) console.error(line);
  if (isTrial) {
    console.error('All of it can be read. Nothing was written.');
    return;
  }
  const clock = { now: () => Date.now() };
  const deps: BringHistoryDeps = {
    store,
    compose: async (jobs) => composeEncoded({ jobs, carried: [], base: undefined }),
    revisit: (waited) => revisitWaiting({ builds: store.builds, clock }, waited),
  };
  let last: HistoryProgress | undefined;
  const brought = { repo, folder, checked, by: COMMAND_LINE, now: clock.now() };
  for await (const progress of bringHistory(deps, brought)) {
    const { added } = progress;
    if (Math.floor(added / STEP) > Math.floor((last?.added ?? 0) / STEP))
      console.error(`Imported ${added} builds so far.`);
    last = progress;
  }
  for (const line of describeOutcome(last ?? { added: 0, skipped: { own: 0, again: 0, between: 0 } }))
    console.error(line);
}

function* describe(checked: CheckedHistory, repo: Repo): Generator<string> {
  const { from, address, builds, withLines, withCounts, flags, oldest, newest } = checked;
  const source = `${HISTORY_SOURCES[from]} (${address})`;
  yield `The history of ${auditName(repo)} has ${counted(builds, 'build')}, from ${source}.`;
  if (oldest !== undefined && newest !== undefined)
    yield `The oldest is of ${dayOf(oldest.at)}, the newest of ${dayOf(newest.at)}.`;
  yield historyParts({ withLines, withCounts, percentages: builds - withLines - withCounts });
  if (flags.length > 0) yield `Flags: ${flags.join(', ')}.`;
}

export function historyParts(counts: Counts<'withLines' | 'withCounts' | 'percentages'>): string {
  const { withLines, withCounts, percentages } = counts;
  return `${withLines} with lines, ${withCounts} with counts only, ${percentages} with a percentage only.`;
}

function* describeOutcome({ added, skipped }: HistoryProgress): Generator<string> {
  yield `${counted(added, 'build')} imported. They are not announced.`;
  if (skipped.own > 0) yield `${counted(skipped.own, 'commit')} already had a build of this server, which stays.`;
  if (skipped.again > 0) yield `${counted(skipped.again, 'commit')} had been imported before.`;
  if (skipped.between > 0) yield newerThanImported(skipped.between);
}

function newerThanImported(count: number): string {
  return (
    `${counted(count, 'build')} left out: newer than what was imported before. ` +
    'Remove the earlier import on the page "Import history" of the repo, then import again.'
  );
}

function repoMissing(name: string): string {
  return `There is no repo ${name} here to add the history to. Add the repo first, or name another with --as.`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
