import type { Delivery } from '../core/announce/delivery.ts';
import type { FlagResult } from '../core/builds/build.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import type { Job } from '../core/builds/job.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { repoWarnings } from '../core/repo/warnings.ts';
import { type Paging, type PartOf, type Range, readInTurns, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import { MAX_DELIVERIES } from '../wording/build-warnings.ts';
import { type FlipsOfBuild, findFlipsOfBuild } from './find-flips.ts';
import { type FoundBuild, findById, findReadableBuild, isId, notFound, ownerOf } from './find-readable.ts';

/** A build with what its page and its JSON say. */
export interface ShownBuild {
  readonly build: BuildView;
  readonly repo: Repo;
  /** Who asked, with what they may do in this repo. */
  readonly caller: Caller;
  readonly flags: PartOf<FlagResult>;
  /** In order of number. */
  readonly jobs: PartOf<Job>;
  /** The first of its commit, one more than MAX_DELIVERIES where there are more, and its pull request's. */
  readonly deliveries: readonly Delivery[];
  /** The same of those that were given up. */
  readonly parked: readonly Delivery[];
  /** The build that owns this commit's contexts, where it is another (rule 24). */
  readonly supersededBy: BuildSummary | undefined;
  /** Other builds of the same commit and event that have another service_number (rule 24). */
  readonly rivals: readonly BuildSummary[];
  readonly flips: FlipsOfBuild | undefined;
  /** Rule 28: why nothing is announced, where that is so. */
  readonly repoWarnings: readonly string[];
}

/** A job with its build. */
export interface ShownJob extends FoundBuild {
  readonly job: Job;
}

export interface BuildRequest {
  readonly caller: Caller;
  /** An id or a commit's sha. */
  readonly reference: string;
  readonly flags: Paging;
  readonly failingFirst: boolean;
  readonly jobs: Paging;
}

/** A build with some of its flags and jobs. Throws a Failure `not-found` also if the caller may not read it. */
export async function showBuild(
  services: Pick<Services, 'hosts' | 'resolveAccess' | 'repos' | 'store' | 'turn' | 'views'> &
    Parameters<typeof findFlipsOfBuild>[0],
  asked: BuildRequest,
): Promise<ShownBuild> {
  const { store, hosts, turn } = services;
  // SQLite answers at once: several requests that arrive together would be read in one go.
  await turn();
  const { build: found, repo, caller } = await findReadableBuild(services, asked);
  const build = await store.views.find(found.id);
  if (build === undefined) throw notFound('build', asked.reference);
  const deliveriesOf = async (parked: boolean): Promise<readonly Delivery[]> => {
    await turn();
    return store.outbox.ofBuild(build, { parked, limit: MAX_DELIVERIES + 1 });
  };
  const [ofCommit, flags, jobs, deliveries, parked, flips] = await Promise.all([
    buildsOfSameCommit(services, build),
    readFlags(services, build.id, asked),
    readJobs(services, build, asked.jobs),
    deliveriesOf(false),
    deliveriesOf(true),
    findFlipsOfBuild(services, { build, repo }),
  ]);
  const owner = ownerOf(ofCommit);
  await turn();
  return {
    build,
    repo,
    caller,
    flags,
    jobs,
    deliveries,
    parked,
    flips,
    supersededBy: owner?.id === build.id ? undefined : owner,
    rivals: ofCommit.filter((other) => isRival(other, build)),
    repoWarnings: repoWarnings(repo, hosts),
  };
}

/** A job by its id, with the rights of its repo. */
export async function showJob(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'store' | 'views'>,
  asked: { readonly caller: Caller; readonly reference: string },
): Promise<ShownJob> {
  const { store } = services;
  const { caller, reference } = asked;
  const job = isId(reference) ? await store.jobs.find(Number(reference)) : undefined;
  const found = job && (await findById(services, caller, job.buildId));
  if (job === undefined || found === undefined) throw notFound('job', reference);
  return { job, ...found };
}

async function readFlags(
  { store, turn }: Pick<Services, 'store' | 'turn'>,
  buildId: number,
  { flags: paging, failingFirst }: BuildRequest,
): Promise<PartOf<FlagResult>> {
  let total = 0;
  const read = async (range: Range): Promise<readonly FlagResult[]> => {
    const page = await store.views.flags({ buildId, failingFirst, ...range });
    total = page.total;
    return page.flags;
  };
  const range = toRange(paging);
  const entries = await readInTurns(range, { read, turn });
  return { ...toPaged(paging, total), size: range.limit, offset: range.offset, entries };
}

async function readJobs(
  { store, turn }: Pick<Services, 'store' | 'turn'>,
  build: BuildView,
  paging: Paging,
): Promise<PartOf<Job>> {
  const range = toRange(paging);
  const read = (some: Range) => store.jobs.list({ buildId: build.id, ...some });
  const entries = await readInTurns(range, { read, turn });
  return { ...toPaged(paging, build.jobs), size: range.limit, offset: range.offset, entries };
}

/** The builds whose statuses go to the same commit. */
async function buildsOfSameCommit(
  { store }: Pick<Services, 'store'>,
  build: BuildView,
): Promise<readonly BuildSummary[]> {
  const commit = build.target ?? build.commit;
  if (commit === undefined) return [];
  return (await store.views.ofCommit(build.repoId, commit)).filter((one) => (one.target ?? one.commit) === commit);
}

function isRival(other: BuildSummary, build: BuildView): boolean {
  const sameEvent =
    other.pullRequest === build.pullRequest &&
    (other.eventType ?? build.eventType) === (build.eventType ?? other.eventType);
  return other.id !== build.id && sameEvent && other.serviceNumber !== build.serviceNumber;
}
