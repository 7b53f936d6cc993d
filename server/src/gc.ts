import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable, runCommand, UsageError } from './command-line.ts';
import { openCommandStore } from './command-store.ts';
import { readConfig } from './config.ts';
import * as say from './messages/retention.ts';
import { type RemovedBuilds, removeExpired } from './use-cases/retention/remove-expired.ts';

await runCommand(say.GC_USAGE, (args) => {
  const { values } = readArguments(args);
  return values.help ? undefined : () => collect(values['dry-run'] === true);
});

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

async function collect(isTrial: boolean): Promise<number> {
  const { databaseUrl, retention, unverifiedRetention } = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const store = await openCommandStore(databaseUrl, { make: false });
  try {
    const deps = { store, clock: { now: Date.now }, retention, unverifiedRetention, turn: () => turn() };
    const found = await removeAll(deps, isTrial);
    if (found.length > 0) console.log(render(found));
    const builds = found.reduce((sum, one) => sum + one.builds, 0);
    console.error(isTrial ? say.wouldRemove(builds) : say.removed(builds));
  } finally {
    await store.close();
  }
  return 0;
}

/** Round after round until nothing is left; a trial removes nothing, so one round tells all. */
async function removeAll(deps: Parameters<typeof removeExpired>[0], isTrial: boolean) {
  const found = new Map<number, RemovedBuilds>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for await (const one of removeExpired(deps, { isTrial })) {
      const before = found.get(one.repo.id)?.builds ?? 0;
      found.set(one.repo.id, { ...one, builds: before + one.builds });
      isMore = !isTrial;
    }
  }
  return [...found.values()];
}

function render(found: readonly RemovedBuilds[]): string {
  const rows = found.map(({ repo, builds, until }) => [
    `${repo.service}/${repo.name}`,
    String(builds),
    new Date(until).toISOString().slice(0, 10),
  ]);
  return formatTable([say.GC_COLUMNS, ...rows], [1]);
}
