import { isOpenPull } from '../builds/open-pulls.ts';
import type { Build } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { Repo } from '../core/repo/repo.ts';
import { isBeyond, isLimited, type Retention, strictest, type UnverifiedRetention } from '../core/repo/retention.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';
import type { ClosedQuery } from '../storage/build-store.ts';

type Stored = Pick<Services, 'builds' | 'views'>;

/** What builds expire by. `turn` resolves in another turn of the event loop. */
export interface Expiry extends Stored, Pick<Services, 'clock' | 'turn'> {
  /** The server's. */
  readonly config: { readonly retention: Retention; readonly unverifiedRetention: UnverifiedRetention };
}

const PAGE = 100;
/** How many builds that took one as their base are looked at: the newest. */
const DEPENDENTS = 20;
/** Without a webhook, no host says that a pull request was closed: one without a build for this long is, in ms. */
const IDLE_PULL = 365 * 86_400_000;

export type ExpiredBuild = Pick<BuildSummary, 'id' | 'createdAt'>;

/**
 * A repo's builds that need not be kept: those of unverified runs first, then the others, each among themselves (rule
 * 29) and the oldest first.
 */
export async function* expiredBuilds(services: Expiry, repo: Repo): AsyncGenerator<ExpiredBuild> {
  const retention = strictest(services.config.retention, {
    days: repo.settings.retentionDays,
    builds: repo.settings.retentionBuilds,
  });
  yield* (await findUnverified(services, repo, retention)).reverse();
  if (isLimited(retention)) yield* expiredTrusted(services, repo, retention);
}

/** Beyond the limit, closed, with nothing due, and none that others may still need (see isNeeded). */
async function* expiredTrusted(
  services: Expiry,
  { id: repoId }: Repo,
  retention: Retention,
): AsyncGenerator<ExpiredBuild> {
  const { views, clock, turn } = services;
  const now = clock.now();
  const trusted = { repoId, branch: undefined, trust: 'trusted' } as const;
  const { total } = await views.list({ ...trusted, offset: 0, limit: 1 });
  for (let end = total; end > 0; end -= PAGE) {
    const offset = Math.max(0, end - PAGE);
    const { builds } = await views.list({ ...trusted, offset, limit: end - offset });
    for (const [index, build] of [...builds.entries()].reverse()) {
      await turn();
      const { createdAt, imported } = build;
      // The past was brought here on purpose: its days count from then, and it takes no place of newer builds.
      const age = imported === undefined ? { createdAt, newer: offset + index } : { createdAt: imported.at, newer: 0 };
      const isOver = isBeyond(retention, { ...age, now });
      if (!isOver && imported === undefined) return;
      if (isOver && isSettled(build) && !(await isNeeded(services, build, now))) yield build;
    }
  }
}

/**
 * Unverified builds, newest first. Nothing is made of them but what their pull request shows: the newest closed one of
 * an open pull request stays.
 */
async function findUnverified(services: Expiry, { id: repoId }: Repo, retention: Retention): Promise<ExpiredBuild[]> {
  const { views, clock, turn, config } = services;
  const { perRepo: builds, perPull = Number.POSITIVE_INFINITY } = config.unverifiedRetention;
  const limit = strictest(retention, { days: undefined, builds });
  const now = clock.now();
  const expired: ExpiredBuild[] = [];
  const ofPulls = new Map<number, number>();
  const shown = new Set<number>();
  const part = { repoId, branch: undefined, trust: 'unverified', limit: PAGE } as const;
  // Builds that come in the meantime move the others to later pages: none is counted twice.
  let last = Number.POSITIVE_INFINITY;
  let newer = 0;
  for (let offset = 0; ; offset += PAGE) {
    const page = await views.list({ ...part, offset });
    for (const build of page.builds.filter(({ sequence }) => sequence < last)) {
      await turn();
      last = build.sequence;
      const { id, createdAt, pullRequest } = build;
      const newerOfPull = pullRequest === undefined ? 0 : (ofPulls.get(pullRequest) ?? 0);
      if (pullRequest !== undefined) ofPulls.set(pullRequest, newerOfPull + 1);
      const isOver = isBeyond(limit, { createdAt, newer, now }) || newerOfPull >= perPull;
      newer += 1;
      if (!isSettled(build)) continue;
      const isShown = pullRequest !== undefined && !shown.has(pullRequest) && isOpen(build, now);
      if (pullRequest !== undefined) shown.add(pullRequest);
      if (isOver && !isShown) expired.push({ id, createdAt });
    }
    if (offset + PAGE >= page.total) return expired;
  }
}

function isSettled({ state, due }: BuildSummary): boolean {
  return state === 'closed' && due.length === 0;
}

/** Whether a pull request's build is of one that is still open. */
function isOpen(build: BuildSummary, now: Timestamp): boolean {
  return isOpenPull(build, now) && build.createdAt > now - IDLE_PULL;
}

/**
 * The newest build of a branch, of each of its flags there (rule 16), of a tag and of an open pull request, and the
 * base of one: they are what the next verdicts are made of.
 */
async function isNeeded(stored: Stored, build: BuildSummary, now: Timestamp): Promise<boolean> {
  const { repoId, id: buildId, pullRequest } = build;
  const dependents = await stored.builds.basedOn({ repoId, buildId, limit: DEPENDENTS });
  if (dependents.some((one) => one.pullRequest !== undefined && isOpen(one, now))) return true;
  if (pullRequest !== undefined && !isOpen(build, now)) return false;
  return isNewest(stored, build);
}

async function isNewest({ builds, views }: Stored, build: BuildSummary): Promise<boolean> {
  const scope = scopeOf(build);
  if (scope === undefined) return false;
  const query: ClosedQuery = { repoId: build.repoId, scope, before: undefined, limit: 1 };
  const is = (newest: readonly BuildSummary[]): boolean => newest[0]?.id === build.id;
  if (is(await views.closed(query)) || is(await views.bases(query))) return true;
  for (const flag of uploadedFlags(await builds.find(build.id)))
    if (is(await views.withFlag({ ...query, flag }))) return true;
  return false;
}

function scopeOf({ pullRequest, branch, tag }: BuildSummary): ClosedQuery['scope'] | undefined {
  if (pullRequest !== undefined) return { pullRequest };
  if (branch === undefined) return undefined;
  return tag ? { tag: branch } : { branch };
}

function uploadedFlags(build: Build | undefined): readonly string[] {
  return (build?.result?.flags ?? []).filter(({ kind }) => kind === 'uploaded').map(({ name }) => name);
}
