import type { Delivery, DeliveryTarget, Message, PlaceId, StatusOwner } from '../core/announce/delivery.ts';
import { wantDelivery } from '../core/announce/status-owner.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { DeliveryPart, OutboxStore } from './store.ts';

type Arrival = Parameters<OutboxStore['delivered']>[0];
type GivingUp = Parameters<OutboxStore['giveUp']>[0];
type Retry = Parameters<OutboxStore['retry']>[0];

/** The id of a new record, and the repo's name, copied because the record may outlive the repo. */
export interface DeliveryPlace {
  readonly id: number;
  readonly repo: Pick<Repo, 'id' | 'service' | 'name'>;
}

/** A message, the build that it is from, and when. */
export interface Announcement {
  readonly message: Message;
  readonly statusOwner: StatusOwner;
  readonly at: Timestamp;
}

/**
 * The record that a message changes, or undefined when it changes nothing (domain wantDelivery). While an earlier
 * call's outcome is unknown its wait stays: that call might still land over what is newer (rule 27).
 */
export function announceAgain(record: Delivery, { message, statusOwner, at }: Announcement): Delivery | undefined {
  const change = wantDelivery(record, message, statusOwner);
  const nextAttemptAt = record.uncertain ? Math.max(at, record.nextAttemptAt) : at;
  return change && { ...record, ...change, nextAttemptAt, unsentSince: unsentSince(record, at) };
}

/** The first record of a place. */
export function announceFirst(place: DeliveryPlace, { message, statusOwner, at }: Announcement): Delivery | undefined {
  const change = wantDelivery(undefined, message, statusOwner);
  return (
    change && {
      id: place.id,
      repoId: place.repo.id,
      service: place.repo.service,
      repoName: place.repo.name,
      target: message.target,
      ...change,
      delivered: undefined,
      commentId: undefined,
      uncertain: false,
      nextAttemptAt: at,
      unsentSince: at,
      repoRemoved: false,
    }
  );
}

/** Since when something is unsent, where more is wanted at `at`. */
function unsentSince(record: Delivery, at: Timestamp): Timestamp {
  return isPending(record) ? (record.unsentSince ?? record.nextAttemptAt) : at;
}

/** The key of a commit's one check run: contexts are printable, so no context has it. */
const CHECK_KEY = '\tcheck';

/**
 * What distinguishes the records of one commit. GitHub compares contexts without regard to case, so `coverage (UI)` and
 * `coverage (ui)` are one place (rule 22).
 */
export function contextKey(target: Extract<DeliveryTarget, { readonly commit: string }>): string {
  return target.kind === 'check' ? CHECK_KEY : target.context.toLowerCase();
}

const ORDER: Record<DeliveryTarget['kind'], number> = { status: 0, check: 1, comment: 2 };

/** What is asked for by default. */
export const FIRST_DELIVERIES: DeliveryPart = { parked: false, limit: 1_000 };

/** The records of one build as they are listed: statuses in the order given, check run, comment. */
export function inOrder(records: readonly Delivery[]): readonly Delivery[] {
  return records.toSorted((a, b) => ORDER[a.target.kind] - ORDER[b.target.kind]);
}

/** Whether something is wanted that has not arrived. */
export function isPending(record: Delivery): boolean {
  return record.wanted.version > (record.delivered?.version ?? 0);
}

/** Whether a commit status is, or may be, shown as pending: what must be ended before the record goes (rule 22). */
export function isOpenContext(record: Delivery): boolean {
  if (record.target.kind !== 'status') return false;
  const contents = [record.wanted.content, record.delivered?.content];
  return isPending(record) || contents.some((content) => content?.kind === 'status' && content.state === 'pending');
}

/** The record of a removed repo's open context, with the status that ends it. */
export function endContext(record: Delivery, end: { description: string; at: Timestamp }): Delivery {
  const { version, content } = record.wanted;
  const targetUrl = content.kind === 'status' ? content.targetUrl : '';
  const last = { kind: 'status', state: 'error', description: end.description, targetUrl } as const;
  const wanted = { version: version + 1, content: last };
  // A call whose outcome is unknown might still land over this (rule 27).
  const nextAttemptAt = record.uncertain ? Math.max(end.at, record.nextAttemptAt) : end.at;
  const ended = { wanted, parked: undefined, attempts: 0, nextAttemptAt, unsentSince: unsentSince(record, end.at) };
  return { ...record, ...ended, repoRemoved: true };
}

/** The record as a worker takes it: if the process dies during the call, the outcome is unknown. */
export function startAttempt(record: Delivery): Delivery {
  return { ...record, uncertain: true, attempts: record.attempts + 1 };
}

/**
 * The record after a version arrived; undefined: it is removed. A version older than the last one that arrived changes
 * nothing: its caller's lease had run out.
 */
export function arrive(record: Delivery, arrival: Arrival): Delivery | undefined {
  if (arrival.version < (record.delivered?.version ?? 0)) return record;
  if (record.repoRemoved && arrival.version >= record.wanted.version) return undefined;
  return {
    ...record,
    delivered: deliver(arrival, record.delivered?.checkRunId),
    commentId: arrival.commentId ?? record.commentId,
    uncertain: false,
    attempts: 0,
  };
}

function deliver(
  { version, content, at, checkRunId }: Arrival,
  shownBefore: PlaceId | undefined,
): Delivery['delivered'] {
  const shownBy = content.kind === 'check' ? (checkRunId ?? shownBefore) : undefined;
  return { version, content, at, ...(shownBy !== undefined && { checkRunId: shownBy }) };
}

/** The record that is tried again at `at`. */
export function retryLater(record: Delivery, retry: Retry): Delivery {
  return {
    ...record,
    nextAttemptAt: retry.at,
    uncertain: retry.uncertain,
    commentId: retry.commentId ?? record.commentId,
    attempts: retry.uncounted === true ? Math.max(0, record.attempts - 1) : record.attempts,
  };
}

/**
 * The record given up; undefined: it is removed. When something newer is wanted, that is still to be tried. What was
 * refused has no effect, which says nothing of an attempt before it.
 */
export function giveUp(record: Delivery, givingUp: GivingUp): Delivery | undefined {
  const refused = { ...record, uncertain: givingUp.uncertain ?? false };
  if (givingUp.version < record.wanted.version) return refused;
  return record.repoRemoved ? undefined : { ...refused, parked: givingUp.reason };
}

/** Whether a rerun of the build gives the record another try: it was given up, and this build owns it. */
export function isRetriedBy(record: Delivery, build: { readonly id: number }): boolean {
  return record.parked !== undefined && record.statusOwner.buildId === build.id;
}

/** The record as if it had not been tried yet. */
export function startOver(record: Delivery, at: Timestamp): Delivery {
  return { ...record, parked: undefined, attempts: 0, nextAttemptAt: at, unsentSince: at };
}
