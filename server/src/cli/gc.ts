import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { storedOf } from '../compose/services.ts';
import type { ServerConfig } from '../config/environment-file.ts';
import { hashDigests } from '../core/digest-filter.ts';
import type { Repo } from '../core/repo/repo.ts';
import { counted } from '../core/sentences.ts';
import { type Removal, type RemovedBuilds, removeExpired } from '../operations/remove-expired.ts';
import { listTexts } from '../reports/codec/decode-report.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore } from './command/command-store.ts';

const GC_COLUMNS = ['REPO', 'BUILDS', 'UP TO'] as const;

await runServerCommand(
  `\
Removes builds that are beyond RETENTION_DAYS, RETENTION_BUILDS, RETENTION_UNVERIFIED_BUILDS,
RETENTION_UNVERIFIED_PER_PULL or a repo's own limits, and source texts that no build uses. The server does the same
automatically; this can run beside it.

  npm run gc -- --dry-run     shows what would be removed, and removes nothing
  npm run gc`,
  (args) => {
    const { values } = readArguments(args);
    return values.help ? undefined : (config) => collect(config, values['dry-run'] === true);
  },
);

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function collect(config: ServerConfig, isTrial: boolean): Promise<number> {
  const store = await openCommandStore(config, { make: false });
  try {
    const services = {
      ...storedOf(store),
      config,
      clock: { now: Date.now },
      reader: { listTexts: async ({ report }: { readonly report: Uint8Array }) => hashDigests(listTexts(report)) },
      turn: () => turn(),
    };
    const onKept = ({ service, name }: Repo, error: unknown): void =>
      console.error(textsKept(`${service}/${name}`, String(error)));
    const found = await removeAll(services, { isTrial, textLooks: 0, onKept });
    const listed = found.filter((one) => one.builds > 0);
    if (listed.length > 0) console.log(render(listed));
    const builds = found.reduce((sum, one) => sum + one.builds, 0);
    console.error(isTrial ? `${counted(builds, 'build')} would be removed.` : `${counted(builds, 'build')} removed.`);
    const texts = found.reduce((sum, one) => sum + one.texts, 0);
    if (texts > 0)
      console.error(
        isTrial
          ? `${counted(texts, 'source text')} that no build uses would be removed.`
          : `Removed ${counted(texts, 'source text')} that no build used.`,
      );
  } finally {
    await store.close();
  }
  return 0;
}

/** Round after round until nothing is left; a trial removes nothing, so one round tells all. */
async function removeAll(services: Parameters<typeof removeExpired>[0], removal: Removal) {
  const found = new Map<number, RemovedBuilds>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for await (const one of removeExpired(services, removal)) {
      const before = found.get(one.repo.id);
      const [builds, texts] = [one.builds + (before?.builds ?? 0), one.texts + (before?.texts ?? 0)];
      found.set(one.repo.id, { ...one, until: one.until ?? before?.until, builds, texts });
      isMore = !removal.isTrial;
    }
  }
  return [...found.values()];
}

function render(found: readonly RemovedBuilds[]): string {
  const rows = found.map(({ repo, builds, until }) => [
    `${repo.service}/${repo.name}`,
    String(builds),
    new Date(until ?? 0).toISOString().slice(0, 10),
  ]);
  return formatTable([GC_COLUMNS, ...rows], [1]);
}

function textsKept(repo: string, why: string): string {
  return `${repo}: its source texts stay, since not everything that names them could be read: ${why}`;
}
