import { missingBasesMet } from '../../core/builds/short-commit.ts';
import { type Actor, auditBy } from '../../core/repo/audit.ts';
import type { Caller } from '../../core/repo/caller.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Store } from '../store.ts';
import { type CheckedHistory, historyOf } from './check-history.ts';
import { type HistoryDeps, type HistoryProgress, importHistory } from './import-history.ts';
import type { FolderReader } from './read-folder.ts';

export interface BringHistoryDeps extends HistoryDeps {
  readonly store: HistoryDeps['store'] & Pick<Store, 'audit'>;
  /** Rule 20: evaluates again what waited for one of these as its base. */
  readonly revisit: (waited: { readonly repoId: number; readonly missingBases: ReadonlySet<string> }) => Promise<void>;
}

export interface BroughtHistory {
  readonly repo: Repo;
  readonly folder: FolderReader;
  readonly checked: CheckedHistory;
  readonly by: Caller | Actor;
  readonly now: Timestamp;
}

/** Imports a history into a repo and tells how far it is. Nothing is announced of its builds. */
export async function* bringHistory(
  deps: BringHistoryDeps,
  { repo, folder, checked, by, now }: BroughtHistory,
): AsyncGenerator<HistoryProgress> {
  let added = 0;
  for await (const progress of importHistory(deps, { repo, folder, checked, now })) {
    added = progress.added;
    yield progress;
  }
  // Also of builds that an earlier try added: it may have been cut off before this.
  const missingBases = new Set<string>();
  for await (const { commit, branch } of historyOf(folder))
    for (const key of missingBasesMet({ commits: [commit], branch, tag: undefined })) missingBases.add(key);
  await deps.revisit({ repoId: repo.id, missingBases });
  const after = { from: checked.from, builds: added };
  await deps.store.audit.record(auditBy(by, { action: 'history.imported', at: now, repo, after }));
}
