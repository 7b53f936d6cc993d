import type { CheckContent, Delivery, PlaceId } from '../core/announce/delivery.ts';
import { sameAnnotations, sameContent } from '../core/announce/status-owner.ts';
import type { RepoService } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import { type CheckRuns, type Provider, ProviderFailure } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';
import { announceCheck, announceComment, announceStatus } from './announce.ts';
import { decideNext } from './decide-next.ts';
import { type LeasedCalls, withinLease } from './lease.ts';

interface Delivering extends Pick<Services, 'outbox' | 'clock' | 'logger'> {
  readonly repos: Pick<Services['repos'], 'find' | 'follow'>;
  /** Undefined: there is no adapter, or no credential for it. */
  readonly providerOf: (repo: { readonly service: RepoService }) => Provider | undefined;
  /** In [0, 1): Math.random. */
  readonly random: () => number;
}

/** How an attempt ended. `newer-wanted`: delivered, and the record is to be claimed again at once. */
export type DeliveryEnd = 'delivered' | 'newer-wanted' | 'retrying' | 'parked';

/**
 * Delivers one claimed record, to be called at most once per claim, before `leaseEnd`. Every failure of the provider
 * ends in the store; what it throws are Failures of the store, after which the lease runs out and the record is read
 * back (rule 27).
 */
export type Deliver = (record: Delivery, leaseEnd: Timestamp) => Promise<DeliveryEnd>;

/** What an attempt found out on its way; kept even when the attempt fails. */
interface Progress {
  commentId: PlaceId | undefined;
  checkRunId: PlaceId | undefined;
}

/** Rule 27: delivers what is wanted, then looks at the record again. */
export function createDeliverer(services: Delivering): Deliver {
  const { providerOf } = services;
  return async (record, leaseEnd) => {
    const provider = providerOf(record);
    if (provider === undefined) return giveUp(services, record, noProviderReason(record.service));
    const place = await findPlace(services, record);
    if ('suspended' in place) return giveUp(services, record, suspendedReason(place.suspended));
    const leased = withinLease(services.clock, leaseEnd);
    const progress: Progress = { commentId: undefined, checkRunId: undefined };
    try {
      if (!hasArrived(record)) await announce(record, { provider, leased, progress, repo: place.name });
    } catch (error) {
      const { settlingTime } = provider;
      return afterFailure(services, record, { error, progress, settlingTime, lastCallBegan: leased.lastBegan() });
    }
    const end = await afterArrival(services, record, progress);
    if (place.hasLost && !hasArrived(record)) await restoreAccess(services, record);
    return end;
  };
}

/**
 * The repo by its name of today: a former name, or that of a suspended repo, may be a stranger's by now. For a removed
 * repo only the record is left. A repo that an App lost is tried too: the provider's events may come late, or out of
 * order.
 */
async function findPlace(
  { repos }: Delivering,
  { repoId, repoName, repoRemoved }: Delivery,
): Promise<{ readonly name: string; readonly hasLost: boolean } | { readonly suspended: string }> {
  const repo = repoRemoved ? undefined : await repos.find(repoId);
  if (repo?.suspended !== undefined) return { suspended: repo.suspended };
  return { name: repo?.name ?? repoName, hasLost: repo?.accessLost !== undefined };
}

/** What arrives at a lost repo proves that it is reached again, even without an event: what was parked is tried too. */
async function restoreAccess({ repos, outbox, clock, logger }: Delivering, record: Delivery): Promise<void> {
  const { repoId } = record;
  logger.info(describe(record), 'the repo is reached again');
  await repos.follow({ repoId, accessLost: null, at: clock.now() });
  await outbox.resume(clock.now(), repoId);
}

/** The content that was delivered last is wanted again: nothing is to be sent (rules 23 and 25). */
function hasArrived({ uncertain, delivered, wanted }: Delivery): boolean {
  return !uncertain && delivered !== undefined && sameContent(delivered.content, wanted.content);
}

async function announce(
  record: Delivery,
  attempt: {
    readonly provider: Provider;
    readonly leased: LeasedCalls;
    readonly progress: Progress;
    /** Its name. */
    readonly repo: string;
  },
): Promise<void> {
  const { provider, leased, progress, repo } = attempt;
  const { call } = leased;
  const { target, uncertain } = record;
  const { content } = record.wanted;
  if (target.kind === 'status' && content.kind === 'status') {
    const { commit, context } = target;
    const { pullRequest, origin } = record.statusOwner;
    const status = { repo, commit, context, content, pullRequest, origin };
    return announceStatus({ provider, call, uncertain, status });
  }
  if (target.kind === 'check' && content.kind === 'check') {
    const { kind: _, ...said } = content;
    const checkRun = { repo, commit: target.commit, name: target.name, ...said };
    progress.checkRunId = await announceCheck({
      provider: withCheckRuns(provider),
      call,
      checkRun,
      checkRunId: shownBy(record, content),
      uncertain,
    });
    return;
  }
  if (target.kind === 'comment' && content.kind === 'comment') {
    const comment = { repo, pullRequest: target.pullRequest, body: content.body };
    const onFound = (id: PlaceId): void => {
      progress.commentId = id;
    };
    progress.commentId = await announceComment({ provider, call, comment, commentId: record.commentId, onFound });
    return;
  }
  throw new TypeError(`A ${content.kind} cannot be delivered where a ${target.kind} belongs`);
}

/** A host may have lost them since they were wanted. */
function withCheckRuns({ createCheckRun, updateCheckRun, findCheckRun }: Provider): CheckRuns {
  if (createCheckRun === undefined || updateCheckRun === undefined || findCheckRun === undefined)
    throw new ProviderFailure('permanent', 'The git host of this repo has no check runs.');
  return { createCheckRun, updateCheckRun, findCheckRun };
}

/** After an unknown outcome a newer check run may hide the one that we know. */
function shownBy({ delivered, uncertain }: Delivery, wanted: CheckContent): PlaceId | undefined {
  if (uncertain || delivered?.content.kind !== 'check') return undefined;
  return sameAnnotations(delivered.content, wanted) ? delivered.checkRunId : undefined;
}

async function afterArrival(
  services: Delivering,
  record: Delivery,
  { commentId, checkRunId }: Progress,
): Promise<DeliveryEnd> {
  const { outbox, clock, logger } = services;
  const { version, content } = record.wanted;
  const arrival = { id: record.id, version, content, commentId, checkRunId, at: clock.now() };
  const current = await outbox.delivered(arrival);
  logger.info({ ...describe(record), version }, 'delivered');
  return current !== undefined && current.wanted.version > version ? 'newer-wanted' : 'delivered';
}

async function afterFailure(
  services: Delivering,
  record: Delivery,
  failed: {
    readonly error: unknown;
    readonly progress: Progress;
    readonly settlingTime: number | undefined;
    readonly lastCallBegan: Timestamp | undefined;
  },
): Promise<DeliveryEnd> {
  const { outbox, clock, logger, random } = services;
  const { error, progress, settlingTime, lastCallBegan } = failed;
  const next = decideNext({ error, record, settlingTime, lastCallBegan, now: clock.now(), random: random() });
  if (next.kind === 'give-up') return giveUp(services, record, next.reason);
  const { at, uncertain } = next;
  const fields = {
    ...describe(record),
    attempts: record.attempts,
    at: new Date(at).toISOString(),
    uncertain,
    err: error,
  };
  logger[next.unforeseen ? 'error' : 'warn'](fields, 'not delivered; it will be tried again');
  const uncounted = error instanceof ProviderFailure && error.kind === 'limited';
  await outbox.retry({
    id: record.id,
    at,
    uncertain,
    commentId: progress.commentId,
    ...(uncounted ? { uncounted } : {}),
  });
  return 'retrying';
}

async function giveUp({ outbox, logger }: Delivering, record: Delivery, reason: string): Promise<DeliveryEnd> {
  logger.warn({ ...describe(record), reason }, 'not delivered; given up until something changes');
  const { id, wanted, uncertain } = record;
  await outbox.giveUp({ id, version: wanted.version, reason, uncertain });
  return 'parked';
}

function noProviderReason(service: RepoService): string {
  return (
    `This server has no credential or adapter for ${service}, so nothing is announced there. Once it has both, a ` +
    'restart tries again.'
  );
}

function suspendedReason(suspended: string): string {
  return `The repo is suspended, so nothing is announced there. ${suspended}`;
}

/** What a log line says of a record. Texts from uploads are fields. */
function describe({ id, repoId, repoName, target }: Delivery): object {
  return { delivery: id, repoId, repo: repoName, ...target };
}
