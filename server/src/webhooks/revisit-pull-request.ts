import type { Build } from '../core/builds/build.ts';
import { ofNewestHead } from '../core/builds/newest-head.ts';
import { mayCopyHead } from '../core/builds/pull-claim.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { EventPull } from '../ports/provider-events.ts';
import type { Services } from '../services/services.ts';

/** Builds of a pull request that are looked at: those of its newest commit are among them. */
const NEWEST = 20;

type Revisiting = Pick<Services, 'builds' | 'clock' | 'onDue'>;

export interface ChangedPull {
  readonly pull: EventPull;
  /** Whether the event is about the base itself. */
  readonly baseChanged: boolean;
}

/**
 * A pull request whose base branch changed is compared with the new one: the builds of its newest commit forget the
 * provider's answers and their base, and are evaluated again. A closed pull request is left alone. Answers what
 * changed, in short sentences.
 */
export async function revisitPullRequest(
  { builds, clock, onDue }: Revisiting,
  repo: Repo,
  changed: ChangedPull,
): Promise<readonly string[]> {
  if (changed.pull.state !== 'open') return [];
  const found = await builds.ofPullRequest(repo.id, changed.pull.number, NEWEST);
  const concerned = ofNewestHead(found, changed.pull.headCommit).filter((build) => hasOtherBase(build, changed));
  for (const { id } of concerned) {
    await builds.revise({ buildId: id, revision: { kind: 'revisit', at: clock.now(), forget: true } });
  }
  if (concerned.length > 0) onDue();
  return concerned.map((build) => `build ${build.number} is compared again`);
}

/** A branch of the repo was pushed to a commit: forks' builds of it are evaluated again, as copies of its head. */
export async function revisitCopies(
  { builds, clock, onDue }: Revisiting,
  repo: Repo,
  { commit }: { readonly commit: string },
): Promise<readonly string[]> {
  const found = await builds.ofCommit(repo.id, commit);
  const concerned = found.filter((build) => build.target === commit && mayCopyHead(build) && !build.facts?.copiesHead);
  for (const { id } of concerned) await builds.revise({ buildId: id, revision: { kind: 'revisit', at: clock.now() } });
  if (concerned.length > 0) onDue();
  return concerned.map(
    ({ number }) => `build ${number} of a fork is evaluated again: a branch of the repo points to its commit now`,
  );
}

/** One that has forgotten its base, and was not evaluated since, has nothing to forget. */
function hasOtherBase(build: Build, { pull, baseChanged }: ChangedPull): boolean {
  if (build.baseForgotten === true) return false;
  const known = build.facts?.pull?.baseBranch ?? build.baseBranch;
  return known === undefined ? baseChanged : known !== pull.baseBranch;
}
