import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { Failure } from '../core/failure.ts';
import { auditName } from '../core/repo/audit.ts';
import { findNameProblem, isRepoService, type RepoAddress } from '../core/repo/repo-name.ts';
import { type Counts, counted } from '../core/sentences.ts';
import { findSecrets, openSecrets } from '../platform/secrets/open-secrets.ts';
import { checkExport } from '../storage/transfer/check-export.ts';
import { addressOf, isHistory } from '../storage/transfer/check-history.ts';
import { importRepo, refuseTaken } from '../storage/transfer/import-repo.ts';
import { openFolder } from '../storage/transfer/read-folder.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore, takeMakeDatabase } from './command/command-store.ts';
import { importHistoryFolder } from './import-history.ts';
import { TRANSFER_COLUMNS } from './sentences.ts';

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
  if (isHistory(folder)) {
    const address = readAddress(as, addressOf(folder.manifest.repo));
    const store = await openCommandStore(config, { make: false });
    await importHistoryFolder(store, { folder, address, isTrial }).finally(() => store.close());
    return 0;
  }
  const checked = await checkExport(folder);
  const address = readAddress(as, checked.repo);
  const store = await openCommandStore(config, { make: make && !isTrial });
  try {
    await refuseTaken(store, address);
    const rows = Object.entries(folder.manifest.counts).map(([kind, count]) => [kind, String(count)]);
    console.error(formatTable([[...TRANSFER_COLUMNS], ...rows], [1]));
    if (isTrial) {
      console.error(`All of it can be read. It would be imported as ${auditName(address)}. Nothing was written.`);
      return 0;
    }
    const secrets = make ? (await openSecrets(config, store)).secrets : await findSecrets(config);
    if (secrets === undefined)
      throw new Failure(
        'unavailable',
        'The repo’s new token cannot be encrypted, because this server has no key yet. ' +
          'Start the server once, or set SECRET_KEY.',
      );
    const { token, renumbered } = await importRepo(
      { ...store, secrets },
      { folder, checked, address, now: Date.now() },
    );
    // The token alone on stdout, so that a script can take it; the rest is for people.
    console.log(token);
    console.error(renumberedText({ renumbered, builds: checked.buildIds.length }));
    console.error(
      `${auditName(address)} is imported, and belongs to the administrators. ` +
        'Its new token is above, and is shown only once: keep it.',
    );
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
  if (problem !== undefined) throw new UsageError(`--as must be ${problem}.`);
  return address;
}

await runServerCommand(
  `\
Adds a repo to this server's database, from a folder that npm run export wrote on another server. Servers can keep
running; nobody sees the repo before all of it is there. A history that coverage import-history wrote is added to the
repo that it belongs to, build by build; run it again if it was interrupted.

  npm run import -- --from /var/exports/shop

  --from <folder>    the folder
  --as <name>        a different name for it, as <owner>/<name> or <service>/<owner>/<name>
  --dry-run          reads and checks everything, and writes nothing
  --make-database    creates the database if there is none

A repo from another server must not exist here yet. Its new token is printed once. The repo of a history must exist.`,
  (args) => {
    const { make, rest } = takeMakeDatabase(args);
    const { values } = readArguments(rest);
    if (values.help) return undefined;
    const { from, as, 'dry-run': isTrial = false } = values;
    if (from === undefined || from === '') throw new UsageError('Name the folder to import: --from <folder>.');
    return (config) => run(config, { from, as, isTrial, make });
  },
);

function renumberedText({ renumbered: some, builds }: Counts<'renumbered' | 'builds'>): string {
  if (some === 0) return 'Every build keeps its id, so old links work if the host name does.';
  return `${some} of ${counted(builds, 'build')} have a new id, because another build here has the old one.`;
}
