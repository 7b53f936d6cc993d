import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { readVersion } from '../config/version.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { auditName } from '../core/repo/audit.ts';
import { REPO_SERVICES, type Repo } from '../core/repo/repo.ts';
import { isRepoService } from '../core/repo/repo-name.ts';
import * as say from '../messages/transfers.ts';
import type { Store } from '../storage/store.ts';
import { exportRepo } from '../storage/transfer/export-repo.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore } from './command/command-store.ts';

interface Asked {
  readonly name: string;
  readonly folder: string;
  readonly emails: boolean;
}

function readArguments(args: readonly string[]) {
  try {
    const options = {
      repo: { type: 'string' },
      to: { type: 'string' },
      'with-emails': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Builds between two lines that say how far it is. */
const STEP = 100;

async function run(config: ServerConfig, { name, folder, emails }: Asked): Promise<number> {
  const store = await openCommandStore(config, { make: false });
  try {
    const repo = await findRepo(store, name);
    const by = readVersion();
    const onBuild = (builds: number): void => {
      if (builds % STEP === 0) console.error(say.exporting(builds));
    };
    const { counts, leftOut } = await exportRepo(store, { repo, folder, emails, by, now: Date.now(), onBuild });
    const rows = Object.entries(counts).map(([kind, count]) => [kind, String(count)]);
    console.log(formatTable([[...say.TRANSFER_COLUMNS], ...rows], [1]));
    if (leftOut > 0) console.error(say.leftOut(leftOut));
    console.error(say.exported({ repo: auditName(repo), folder }));
  } finally {
    await store.close();
  }
  return 0;
}

/** By `<service>/<name>`, or by its name where one service has it. */
async function findRepo({ repos }: Store, text: string): Promise<Repo> {
  const slash = text.indexOf('/');
  const service = text.slice(0, slash);
  const whole = isRepoService(service) ? await repos.findByName(service, text.slice(slash + 1)) : undefined;
  if (whole !== undefined) return whole;
  const found = (await Promise.all(REPO_SERVICES.map((one) => repos.findByName(one, text)))).filter(
    (repo) => repo !== undefined,
  );
  const [repo, another] = found;
  if (repo === undefined) throw new Failure('not-found', say.noRepo(quoteValue(text)));
  if (another !== undefined) throw new Failure('conflict', say.severalRepos(found.map(auditName)));
  return repo;
}

await runServerCommand(say.EXPORT_USAGE, (args) => {
  const { values } = readArguments(args);
  if (values.help) return undefined;
  const { repo: name, to: folder, 'with-emails': emails = false } = values;
  if (name === undefined) throw new UsageError(say.EXPORT_REPO_MISSING);
  if (folder === undefined || folder === '') throw new UsageError(say.EXPORT_TO_MISSING);
  return (config) => run(config, { name, folder, emails });
});
