import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { newestBuilds } from '../builds/newest-builds.ts';
import type { Build } from '../core/builds/build.ts';
import { ofOpenPullRequest } from '../core/builds/newest-head.ts';
import { Failure } from '../core/failure.ts';
import { completeChange, effectiveSettings } from '../core/repo/effective-settings.ts';
import type { GitHosts } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import { annotationsRefusal } from '../core/repo/warnings.ts';
import type { Timestamp } from '../core/time.ts';
import type { AskProvider } from '../hosts/facts/ask-provider.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { Clock } from '../platform/clock.ts';
import type { Timers } from '../platform/timers.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { RepoStore } from '../storage/store.ts';
import type { ShownSettings, ShowSettingsDeps } from './show-settings.ts';
import { createUpdateRepo } from './update-repo.ts';

export interface UpdateSettingsDeps extends ShowSettingsDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'update'>;
  readonly builds: Pick<BuildStore, 'list' | 'ofPullRequest' | 'revise'>;
  readonly askProvider: AskProvider;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly hosts: GitHosts;
  readonly onDue: () => void;
}

/**
 * Where the provider does not say which are open: pull requests whose newest build is among so many of the repo's
 * newest.
 */
const RECENT = 200;
/** Of a pull request's builds, the newest: those of its head are among them. */
const MOST_OF_PULL_REQUEST = 20;
/**
 * A change that is repeated within this time, in ms, may have been cut off: it is announced again.
 */
const REPEATED_WITHIN = 10 * 60_000;
/** How long the provider may hold a change of settings up, in ms. */
const ASK_LIMIT = 3_000;

export type UpdateSettings = (
  request: RepoRequest & { readonly settings: Partial<RepoSettings> },
) => Promise<ShownSettings>;

/**
 * Changes the settings that are given, nothing else, and remembers the status names that a change replaces. Throws a
 * Failure `payload-invalid` where annotations are switched on that this server cannot make.
 */
export function createUpdateSettings(deps: UpdateSettingsDeps): UpdateSettings {
  const { clock, requireSignIn } = deps;
  const updateRepo = createUpdateRepo(deps);
  return async ({ settings, ...request }) => {
    const before = await findAdministeredRepo(deps, request);
    refuseAnnotations(deps, before, settings);
    const change = completeChange(before.settings, settings, clock.now());
    const repo = await updateRepo({ ...request, settings: change });
    const marksChange = repo.settings.annotations !== before.settings.annotations;
    if (marksChange || isRenamed(repo, settings, clock.now())) await announceAgain(deps, repo);
    return { repo, effective: effectiveSettings(repo, { requireSignIn }) };
  };
}

/** By this request, or by an earlier one of the same names that may have been cut off. */
function isRenamed({ settings }: Repo, asked: Partial<RepoSettings>, now: Timestamp): boolean {
  const [last] = settings.formerStatusNames;
  return Object.hasOwn(asked, 'statusNames') && last !== undefined && last.at > now - REPEATED_WITHIN;
}

/** What was switched on while it could be done may be sent back. */
function refuseAnnotations(
  { hosts }: UpdateSettingsDeps,
  { service, settings }: Repo,
  change: Partial<RepoSettings>,
): void {
  if (change.annotations !== true || settings.annotations) return;
  const reason = annotationsRefusal(service, hosts);
  if (reason === undefined) return;
  throw new Failure('payload-invalid', `annotations cannot be true: ${reason}.`, { field: 'annotations' });
}

/**
 * Open pull requests may be protected by new names from now on: their newest builds say their verdict under these too.
 * And their uncovered lines are marked, or no longer.
 */
async function announceAgain(deps: UpdateSettingsDeps, repo: Repo): Promise<void> {
  const { builds, askProvider, clock, timers, onDue } = deps;
  const deadline = createDeadline(timers, ASK_LIMIT);
  const open = await askProvider({
    repo,
    deadline,
    ask: (provider) => provider.listOpenPullRequests({ repo: repo.name }),
  });
  const listed = open.kind === 'answer' ? open.value : undefined;
  const newest = listed === undefined ? await newestOfRecent(deps, repo) : await newestOf(deps, repo, listed);
  for (const { id } of newest) await builds.revise({ buildId: id, revision: { kind: 'revisit', at: clock.now() } });
  onDue();
}

async function newestOf(
  { builds }: UpdateSettingsDeps,
  repo: Repo,
  pullRequests: readonly number[],
): Promise<readonly Build[]> {
  const newest: Build[] = [];
  for (const pullRequest of pullRequests)
    newest.push(...ofOpenPullRequest(await builds.ofPullRequest(repo.id, pullRequest, MOST_OF_PULL_REQUEST)));
  return newest;
}

async function newestOfRecent({ builds }: UpdateSettingsDeps, repo: Repo): Promise<readonly Build[]> {
  const recent = await newestBuilds(builds, { repoId: repo.id, limit: RECENT });
  const ofPulls = recent.filter(
    ({ pullRequest, facts }) => pullRequest !== undefined && facts?.pull?.state !== 'closed',
  );
  return [...Map.groupBy(ofPulls, ({ pullRequest }) => pullRequest).values()].flatMap(ofOpenPullRequest);
}
