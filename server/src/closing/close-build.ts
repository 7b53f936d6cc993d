import { toStatusOwner } from '../core/announce/status-owner.ts';
import { pauseAfter, RECHECK_BACKOFF } from '../core/backoff.ts';
import type { Build } from '../core/builds/build.ts';
import { closeReason } from '../core/builds/close-due.ts';
import { isRefused } from '../core/builds/conclude-refused.ts';
import { findTask } from '../core/builds/due-tasks.ts';
import type { Repo } from '../core/repo/repo.ts';
import { createDeadline, type Deadline } from '../hosts/facts/deadline.ts';
import type { Services } from '../services/services.ts';
import { chooseBase, type Past } from './choose-base.ts';
import { decideClose } from './decide-close.ts';
import { type GatheredClose, gatherClose } from './gather-close.ts';
import { planLedger } from './known-flips.ts';
import { FACTS_LIMIT } from './post-pending.ts';

/** After this many closes that a new job interrupted, what was merged is written, and newer jobs count as late. */
const MAX_CONFLICTS = 3;

/** Gathers, decides and writes a close that is due (rules 10 to 19). Undefined: the build was removed. */
export async function closeBuild(services: Services, buildId: number): Promise<Build | undefined> {
  const { builds, clock, timers } = services;
  // One for all attempts: the provider may be slow, and each conflict would wait for it again.
  const deadline = createDeadline(timers, FACTS_LIMIT);
  let refusal: string | undefined;
  for (let conflicts = 0; ; conflicts += 1) {
    const build = await builds.find(buildId);
    if (build === undefined || closeReason(build, clock.now()) === undefined) return build;
    const gathered = await gatherClose(services, build, deadline);
    if (gathered === undefined) return undefined;
    if (!('merged' in gathered)) {
      const { build: seen, uploads } = gathered;
      const revision = { kind: 'expects-uploads', seen: seen.revision, uploads, at: clock.now() } as const;
      await builds.revise({ buildId, revision });
      // A job that came in the meantime may be the last.
      continue;
    }
    refusal = gathered.refusal ?? refusal;
    const closed = await writeClose(services, { ...gathered, refusal }, conflicts >= MAX_CONFLICTS);
    if (closed !== undefined) return recheckBase(services, closed, { repo: gathered.repo, deadline });
  }
}

/** Undefined: a job came in between, so that the close starts again with it. */
async function writeClose(
  services: Pick<Services, 'builds' | 'flipLedgers' | 'clock' | 'config'>,
  gathered: GatheredClose,
  mayStayBehind: boolean,
): Promise<Build | undefined> {
  const { build, merged } = gathered;
  const at = services.clock.now();
  const decided = decideClose(gathered, at);
  const { base } = gathered.choice;
  const ledger =
    'obstacle' in merged
      ? undefined
      : await planLedger(services, {
          ...gathered,
          base,
          result: decided.result,
          nextLedger: merged.composed.nextLedger,
        });
  return services.builds.close({
    buildId: build.id,
    revision: build.revision,
    behind: mayStayBehind ? { merged: build, late: services.config.latePeriod } : undefined,
    report: 'obstacle' in merged ? undefined : merged.report,
    target: build.target,
    ...decided,
    ledger,
    statusOwner: toStatusOwner(build),
    at,
  });
}

/** Rule 20: a base that was closed while this build was is not missed. */
async function recheckBase(
  services: Past,
  closed: Build,
  { repo, deadline }: { readonly repo: Repo; readonly deadline: Deadline },
): Promise<Build> {
  const isRevisited = findTask(closed.due, 'revisit') !== undefined && closed.result?.provisionalSince !== undefined;
  if (closed.state === 'open' || isRevisited || isRefused(closed)) return closed;
  // By the flags that decided at the close: by others another build of the commit would be better, and so forever.
  const flags = (closed.result?.flags ?? []).filter(({ kind }) => kind === 'uploaded').map(({ name }) => name);
  const { base } = await chooseBase(services, { build: closed, repo, flags, deadline });
  const taken = closed.result?.base;
  if (base?.pick.buildId === taken?.buildId && base?.pick.closeCount === taken?.closeCount) return closed;
  const pause = pauseAfter(1 + (closed.result?.closeCount ?? 0), RECHECK_BACKOFF);
  const revision = { kind: 'revisit', at: services.clock.now() + pause } as const;
  return (await services.builds.revise({ buildId: closed.id, revision })) ?? closed;
}
