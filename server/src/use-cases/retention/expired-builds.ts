import type { Build } from '../../domain/builds/build.ts';
import type { BuildSummary } from '../../domain/builds/build-summary.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import { isBeyond, isLimited, type Retention, strictest } from '../../domain/repo/retention.ts';
import type { Timestamp } from '../../domain/time.ts';
import type { ClosedQuery } from '../../ports/build-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { isOpenPull } from '../builds/open-pulls.ts';

export interface ExpiredDeps {
  readonly store: Pick<Store, 'builds' | 'views'>;
  readonly clock: Clock;
  /** The server's. */
  readonly retention: Retention;
  /** Resolves in another turn of the event loop. */
  readonly turn: () => Promise<void>;
}

const PAGE = 100;
/** Of the builds that took one as their base, so many are looked at: the newest. */
const DEPENDENTS = 20;
/** Without a webhook no host says that a pull request was closed: one without a build for so long is, in ms. */
const IDLE_PULL = 365 * 86_400_000;

/**
 * A repo's builds that need not be kept, the oldest first: beyond its own or the server's limit, closed, with nothing
 * due, and none that others may still need (see isNeeded).
 */
export async function* expiredBuilds(deps: ExpiredDeps, repo: Repo): AsyncGenerator<BuildSummary> {
  const { store, clock, turn } = deps;
  const retention = strictest(deps.retention, retentionOf(repo));
  if (!isLimited(retention)) return;
  const now = clock.now();
  const repoId = repo.id;
  const { total } = await store.views.list({ repoId, branch: undefined, offset: 0, limit: 1 });
  for (let end = total; end > 0; end -= PAGE) {
    const offset = Math.max(0, end - PAGE);
    const { builds } = await store.views.list({ repoId, branch: undefined, offset, limit: end - offset });
    for (const [index, build] of [...builds.entries()].reverse()) {
      await turn();
      if (!isBeyond(retention, { createdAt: build.createdAt, newer: offset + index, now })) return;
      const isSettled = build.state === 'closed' && build.due.length === 0;
      if (isSettled && !(await isNeeded(store, build, now))) yield build;
    }
  }
}

function retentionOf({ settings }: Repo): Retention {
  return { days: settings.retentionDays, builds: settings.retentionBuilds };
}

/**
 * The newest build of a branch, of each of its flags there (rule 16), of a tag and of an open pull request, and the
 * base of one: they are what the next verdicts are made of.
 */
async function isNeeded(store: ExpiredDeps['store'], build: BuildSummary, now: Timestamp): Promise<boolean> {
  const { repoId, id: buildId, pullRequest } = build;
  const isOpen = (one: BuildSummary): boolean => isOpenPull(one, now) && one.createdAt > now - IDLE_PULL;
  const dependents = await store.builds.basedOn({ repoId, buildId, limit: DEPENDENTS });
  if (dependents.some((one) => one.pullRequest !== undefined && isOpen(one))) return true;
  if (pullRequest !== undefined && !isOpen(build)) return false;
  return isNewest(store, build);
}

async function isNewest({ builds, views }: ExpiredDeps['store'], build: BuildSummary): Promise<boolean> {
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
