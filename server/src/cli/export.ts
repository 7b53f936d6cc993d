import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { readVersion } from '../config/version.ts';
import { auditName } from '../core/repo/audit.ts';
import { counted } from '../core/sentences.ts';
import { exportRepo } from '../storage/transfer/export-repo.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore } from './command/command-store.ts';
import { findRepo } from './command/find-repo.ts';
import { TRANSFER_COLUMNS } from './sentences.ts';

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
      if (builds % STEP === 0) console.error(`exported ${counted(builds, 'build')}`);
    };
    const { counts, leftOut } = await exportRepo(store, { repo, folder, emails, by, now: Date.now(), onBuild });
    const rows = Object.entries(counts).map(([kind, count]) => [kind, String(count)]);
    console.log(formatTable([[...TRANSFER_COLUMNS], ...rows], [1]));
    if (leftOut > 0)
      console.error(
        `${counted(leftOut, 'build')} left out: still open. To include them, export again when all are closed.`,
      );
    console.error(`${auditName(repo)} is exported to ${folder}.`);
  } finally {
    await store.close();
  }
  return 0;
}

await runServerCommand(
  `\
Writes a repo of this server's database to a new folder: its builds, jobs, reports and source texts, for npm run import
on another server. Servers can keep running. Open builds are left out.

  npm run export -- --repo acme/shop --to /var/exports/shop

  --repo <name>   the repo, as <service>/<owner>/<name>; you can leave out the service if only one repo has that name
  --to <folder>   a folder that does not exist yet, or is empty
  --with-emails   include the e-mail addresses of committers, which are left out by default

The folder has the source texts and numbers of the repo, but no secrets. Only its owner can read it. docs/export.md
describes it.`,
  (args) => {
    const { values } = readArguments(args);
    if (values.help) return undefined;
    const { repo: name, to: folder, 'with-emails': emails = false } = values;
    if (name === undefined) throw new UsageError('Say which repo: --repo <owner>/<name>.');
    if (folder === undefined || folder === '') throw new UsageError('Name the folder to write: --to <folder>.');
    return (config) => run(config, { name, folder, emails });
  },
);
