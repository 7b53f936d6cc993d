import { revisitWaiting } from '../../../server/src/closing/reevaluate-dependents.ts';
import { composeEncoded } from '../../../server/src/reports/threads/compose-encoded.ts';
import { bringHistory } from '../../../server/src/storage/transfer/bring-history.ts';
import { addressOf, checkHistory } from '../../../server/src/storage/transfer/check-history.ts';
import type { HistoryProgress } from '../../../server/src/storage/transfer/import-history.ts';
import { openFolder } from '../../../server/src/storage/transfer/read-folder.ts';
import type { Service } from '../service.ts';

/** Imports a folder into a running service's database, as `npm run import` does beside it. */
export async function importFolder({ store, time }: Service, folder: string): Promise<HistoryProgress | undefined> {
  const read = await openFolder(folder);
  const checked = await checkHistory(read);
  const { service, name } = addressOf(checked.repo);
  const repo = await store.repos.findByName(service, name);
  if (repo === undefined) throw new Error(`no repo ${checked.repo}`);
  const { clock } = time;
  const deps = {
    store,
    compose: async (jobs: Parameters<Parameters<typeof bringHistory>[0]['compose']>[0]) =>
      composeEncoded({ jobs, carried: [], base: undefined }),
    revisit: (waited: Parameters<Parameters<typeof bringHistory>[0]['revisit']>[0]) =>
      revisitWaiting({ builds: store.builds, clock }, waited),
  };
  let last: HistoryProgress | undefined;
  const brought = { repo, folder: read, checked, by: { by: { kind: 'command-line' } }, now: clock.now() } as const;
  for await (const progress of bringHistory(deps, brought)) last = progress;
  return last;
}
