import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { Failure } from '../core/failure.ts';
import { auditName } from '../core/repo/audit.ts';
import { findNameProblem, isRepoService, type RepoAddress } from '../core/repo/repo-name.ts';
import * as say from '../messages/transfers.ts';
import { findSecrets, openSecrets } from '../platform/secrets/open-secrets.ts';
import { checkExport } from '../storage/transfer/check-export.ts';
import { importRepo, refuseTaken } from '../storage/transfer/import-repo.ts';
import { openFolder } from '../storage/transfer/read-folder.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore, takeMakeDatabase } from './command/command-store.ts';

interface Asked {
  readonly from: string;
  readonly as: string | undefined;
  readonly isTrial: boolean;
  readonly make: boolean;
}

function readArguments(args: readonly string[]) {
  try {
    const options = {
      from: { type: 'string' },
      as: { type: 'string' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function run(config: ServerConfig, { from, as, isTrial, make }: Asked): Promise<number> {
  const folder = await openFolder(from);
  const checked = await checkExport(folder);
  const address = readAddress(as, checked.repo);
  const store = await openCommandStore(config, { make: make && !isTrial });
  try {
    await refuseTaken(store, address);
    const rows = Object.entries(folder.manifest.counts).map(([kind, count]) => [kind, String(count)]);
    console.error(formatTable([[...say.TRANSFER_COLUMNS], ...rows], [1]));
    if (isTrial) {
      console.error(say.wouldImport(auditName(address)));
      return 0;
    }
    const secrets = make ? (await openSecrets(config, store)).secrets : await findSecrets(config);
    if (secrets === undefined) throw new Failure('unavailable', say.NO_KEY);
    const { token, renumbered } = await importRepo(
      { ...store, secrets },
      { folder, checked, address, now: Date.now() },
    );
    // The token alone on stdout, so that a script can take it; the rest is for people.
    console.log(token);
    console.error(say.renumbered({ renumbered, builds: checked.buildIds.length }));
    console.error(say.imported(auditName(address)));
  } finally {
    await store.close();
  }
  return 0;
}

/** What it is to be called here. */
function readAddress(as: string | undefined, { service, name }: RepoAddress): RepoAddress {
  if (as === undefined) return { service, name };
  const slash = as.indexOf('/');
  const stated = as.slice(0, slash);
  const rest = as.slice(slash + 1);
  // "github/shop" is an owner and a name; "github/acme/shop" a service before them.
  const address = isRepoService(stated) && rest.includes('/') ? { service: stated, name: rest } : { service, name: as };
  const problem = findNameProblem(address.service, address.name);
  if (problem !== undefined) throw new UsageError(say.asWrong(problem));
  return address;
}

await runServerCommand(say.IMPORT_USAGE, (args) => {
  const { make, rest } = takeMakeDatabase(args);
  const { values } = readArguments(rest);
  if (values.help) return undefined;
  const { from, as, 'dry-run': isTrial = false } = values;
  if (from === undefined || from === '') throw new UsageError(say.IMPORT_FROM_MISSING);
  return (config) => run(config, { from, as, isTrial, make });
});
