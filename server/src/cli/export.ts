import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { readVersion } from '../config/version.ts';
import { auditName } from '../core/repo/audit.ts';
import * as say from '../messages/transfers.ts';
import { exportRepo } from '../storage/transfer/export-repo.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore } from './command/command-store.ts';
import { findRepo } from './command/find-repo.ts';

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

await runServerCommand(say.EXPORT_USAGE, (args) => {
  const { values } = readArguments(args);
  if (values.help) return undefined;
  const { repo: name, to: folder, 'with-emails': emails = false } = values;
  if (name === undefined) throw new UsageError(say.EXPORT_REPO_MISSING);
  if (folder === undefined || folder === '') throw new UsageError(say.EXPORT_TO_MISSING);
  return (config) => run(config, { name, folder, emails });
});
