import { setImmediate as turn } from 'node:timers/promises';
import { closeBuild } from '../closing/close-build.ts';
import { createClosingWorker } from '../closing/closing-worker.ts';
import { createMergeAhead, type MergeAhead } from '../closing/merge-ahead.ts';
import { postPending, reportTrouble } from '../closing/post-pending.ts';
import { reevaluateDependents } from '../closing/reevaluate-dependents.ts';
import type { Build } from '../core/builds/build.ts';
import type { Repo } from '../core/repo/repo.ts';
import { removeExpired } from '../operations/remove-expired.ts';
import { useMadeApp } from '../operations/set-up-app.ts';
import type { Clock } from '../platform/clock.ts';
import { readHostApps } from '../platform/host-apps.ts';
import { timed } from '../platform/metrics/timed.ts';
import { createStoreClock } from '../platform/timers/store-clock.ts';
import { createSlotLoop, createWorkLoop, type Round, type WorkLoop } from '../platform/timers/work-loop.ts';
import type { Store } from '../storage/store.ts';
import { settleLanding } from '../webhooks/settle-landing.ts';
import { type Parts, type ServerServices, storedOf } from './services.ts';

/** How soon work is noticed that another instance left behind, in ms. */
const SHARED_IDLE = 3_000;
/** How often the database's clock is asked, in ms. */
const CLOCK_PAUSE = 30_000;
const DAY = 86_400_000;
/** How often it is looked for what nothing refers to, in ms. */
const SWEEP_PAUSE = 30 * 60_000;

/** A process gets no sign of what another one stored, so it looks often. */
export function idleOf(store: Store): { readonly maxIdle?: number } {
  return store.isShared ? { maxIdle: SHARED_IDLE } : {};
}

/** The machine's clock; where several processes share a store, the store's. */
export function keepTime(parts: Parts): { readonly clock: Clock; readonly loop?: WorkLoop } {
  const { store, clock: machine, timers, logger } = parts;
  if (!store.isShared) return { clock: machine };
  const clock = createStoreClock({ readStoreTime: store.now, machine, logger });
  const run = async (): Promise<Round> => {
    await clock.adjust();
    return { nextAt: undefined, didWork: false };
  };
  return { clock, loop: createWorkLoop({ name: 'clock', run, maxIdle: CLOCK_PAUSE, clock: machine, timers, logger }) };
}

/** Takes away what processes that died left behind. */
export function composeSweeping(services: ServerServices): WorkLoop {
  const { config, store, clock, timers, logger } = services;
  return createWorkLoop({
    name: 'sweep',
    async run() {
      await store.usedIdTokens.removeExpired(clock.now());
      const swept = await store.sweep();
      if (config.auditDays > 0) await store.audit.sweep(clock.now() - config.auditDays * DAY);
      if (swept !== undefined && Object.values(swept).some((count) => count > 0))
        logger.info({ ...swept }, 'removed leftovers');
      await removeOldBuilds(services);
      return { nextAt: undefined, didWork: false };
    },
    maxIdle: SWEEP_PAUSE,
    clock,
    timers,
    logger,
  });
}

async function removeOldBuilds(services: ServerServices): Promise<void> {
  const { logger } = services;
  const named = ({ id, service, name }: Repo) => ({ repoId: id, repo: `${service}/${name}` });
  const onKept = (repo: Repo, err: unknown): void =>
    logger.warn({ ...named(repo), err }, 'kept source texts that no build uses');
  // In turns of its own: no answer waits for it.
  const removed = removeExpired({ ...services, turn: () => turn() }, { isTrial: false, textLooks: DAY, onKept });
  for await (const { repo, builds, until, texts } of removed) {
    const to = until && new Date(until).toISOString();
    if (builds > 0) logger.info({ ...named(repo), builds, until: to }, 'removed old builds');
    if (texts > 0) logger.info({ ...named(repo), texts }, 'removed source texts that no build uses');
  }
}

/** How soon an App is used here that was made at another instance, in ms. */
const APPS_PAUSE = 10_000;

/** If several processes share a store, an App may be made, or replaced, by any of them. */
export function watchHostApps(services: ServerServices): WorkLoop | undefined {
  const { store, secrets, clock, timers, logger } = services;
  if (!store.isShared) return undefined;
  return createWorkLoop({
    name: 'apps',
    async run() {
      // Only a start seals them with the current key.
      const { apps } = await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey: false });
      for (const app of apps) await useMadeApp(services, app);
      return { nextAt: undefined, didWork: false };
    },
    maxIdle: APPS_PAUSE,
    clock,
    timers,
    logger,
  });
}

/** Builds of one repo that are closed at once: more than threads, since some of them wait for the provider. */
const SLOTS_PER_REPO = 8;
/** Builds of all repos: what one repo's merges hold up leaves slots for others. */
const CLOSING_SLOTS = 3 * SLOTS_PER_REPO;

/** The worker that does what is due in builds (rules 11 to 13). */
export function composeClosing(services: ServerServices): WorkLoop {
  const { store, logger, clock, timers, metrics } = services;
  const tasks = {
    closeBuild: timed((id: number) => closeBuild(services, id), metrics.closeEnded),
    postPending: (build: Build) => postPending(services, build),
    reevaluateDependents: (base: Build) => reevaluateDependents(services, base),
    settleLanding: (build: Build) => settleLanding(services, build),
    reportTrouble: (id: number) => reportTrouble(services, id),
  };
  return createSlotLoop({
    name: 'closing',
    slots: CLOSING_SLOTS,
    ...createClosingWorker(services, tasks, SLOTS_PER_REPO),
    clock,
    timers,
    logger,
    ...idleOf(store),
  });
}

/** Merges reports of builds that are still open. */
interface MergingAhead extends Pick<MergeAhead, 'noteJob'> {
  readonly loop: WorkLoop;
}

export function composeMergingAhead(
  { store, timers, logger }: Parts,
  { pool: engine, clock }: Pick<ServerServices, 'pool' | 'clock'>,
): MergingAhead {
  const { noteJob, run } = createMergeAhead({ ...storedOf(store), engine, logger }, () => loop.nudge());
  const loop = createWorkLoop({
    name: 'merge-ahead',
    run: async () => ({ nextAt: undefined, didWork: await run() }),
    clock,
    timers,
    logger,
  });
  return { noteJob, loop };
}
