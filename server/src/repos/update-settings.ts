import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { newestBuilds } from '../builds/newest-builds.ts';
import type { Build } from '../core/builds/build.ts';
import { ofOpenPullRequest } from '../core/builds/newest-head.ts';
import { Failure } from '../core/failure.ts';
import { completeChange, effectiveSettings } from '../core/repo/effective-settings.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import { annotationsRefusal } from '../core/repo/warnings.ts';
import type { Timestamp } from '../core/time.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { Services } from '../services/services.ts';
import type { ShownSettings } from './show-settings.ts';
import { updateRepo } from './update-repo.ts';

/**
 * Where the provider does not say which are open: pull requests whose newest build is among this many of the repo's
 * newest.
 */
const RECENT = 200;
/** For a pull request's builds, the newest: those of its head are among them. */
const MAX_PER_PULL_REQUEST = 20;
/**
 * A change that is repeated within this time, in ms, may have been cut off: it is announced again.
 */
const REPEATED_WITHIN = 10 * 60_000;
/** How long the provider may hold a change of settings up, in ms. */
const ASK_LIMIT = 3_000;

/**
 * Changes the settings that are given, nothing else, and remembers the status names that a change replaces. Throws a
 * Failure `payload-invalid` if annotations are switched on that this server cannot make.
 */
export async function updateSettings(
  services: Services,
  asked: RepoRequest & { readonly settings: Partial<RepoSettings> },
): Promise<ShownSettings> {
  const { clock, config } = services;
  const { settings, ...request } = asked;
  const before = await findAdministeredRepo(services, request);
  refuseAnnotations(services, before, settings);
  const change = completeChange(before.settings, settings, clock.now());
  const repo = await updateRepo(services, { ...request, settings: change });
  const marksChange = repo.settings.annotations !== before.settings.annotations;
  if (marksChange || isRenamed(repo, settings, clock.now())) await announceAgain(services, repo);
  return { repo, effective: effectiveSettings(repo, config) };
}

/** By this request, or by an earlier one of the same names that may have been cut off. */
function isRenamed({ settings }: Repo, asked: Partial<RepoSettings>, now: Timestamp): boolean {
  const [last] = settings.formerStatusNames;
  return Object.hasOwn(asked, 'statusNames') && last !== undefined && last.at > now - REPEATED_WITHIN;
}

/** What was switched on while it could be done may be sent back. */
function refuseAnnotations(
  { hosts }: Pick<Services, 'hosts'>,
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
async function announceAgain(
  services: Pick<Services, 'askProvider' | 'builds' | 'clock' | 'onDue' | 'timers'>,
  repo: Repo,
): Promise<void> {
  const { builds, askProvider, clock, timers, onDue } = services;
  const deadline = createDeadline(timers, ASK_LIMIT);
  const open = await askProvider({
    repo,
    deadline,
    ask: (provider) => provider.listOpenPullRequests({ repo: repo.name }),
  });
  const listed = open.kind === 'answer' ? open.value : undefined;
  const newest = listed === undefined ? await newestOfRecent(services, repo) : await newestOf(services, repo, listed);
  for (const { id } of newest) await builds.revise({ buildId: id, revision: { kind: 'revisit', at: clock.now() } });
  onDue();
}

async function newestOf(
  { builds }: Pick<Services, 'builds'>,
  repo: Repo,
  pullRequests: readonly number[],
): Promise<readonly Build[]> {
  const newest: Build[] = [];
  for (const pullRequest of pullRequests)
    newest.push(...ofOpenPullRequest(await builds.ofPullRequest(repo.id, pullRequest, MAX_PER_PULL_REQUEST)));
  return newest;
}

async function newestOfRecent({ builds }: Pick<Services, 'builds'>, repo: Repo): Promise<readonly Build[]> {
  const recent = await newestBuilds(builds, { repoId: repo.id, limit: RECENT });
  const ofPulls = recent.filter(
    ({ pullRequest, facts }) => pullRequest !== undefined && facts?.pull?.state !== 'closed',
  );
  return [...Map.groupBy(ofPulls, ({ pullRequest }) => pullRequest).values()].flatMap(ofOpenPullRequest);
}
