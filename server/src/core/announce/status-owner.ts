import type { BuildSummary } from '../builds/build-summary.ts';
import type { CheckContent, Delivery, DeliveryContent, KnownHead, Message, StatusOwner } from './delivery.ts';

/**
 * Rule 24: a trusted build's before an unverified run's, of these last a fork's that copies a head of the repo, then a
 * pull request's before a push's, then one that reports the flag before one that does not, then the higher sequence. A
 * build precedes itself, so that it can update what it announced.
 */
function hasPrecedence(candidate: StatusOwner, current: StatusOwner): boolean {
  if (candidate.buildId === current.buildId) return true;
  return (
    rank(candidate.trust !== 'run', current.trust !== 'run') ??
    rank(candidate.copiesHead !== true, current.copiesHead !== true) ??
    rank(candidate.pullRequest !== undefined, current.pullRequest !== undefined) ??
    rank(candidate.lacks !== true, current.lacks !== true) ??
    candidate.sequence > current.sequence
  );
}

/** The build as the owner of what it announces (rule 24). */
export function toStatusOwner(build: BuildSummary): StatusOwner {
  const { id: buildId, sequence, trust } = build;
  const pullRequest = build.mergeQueue ? undefined : build.pullRequest;
  const copies = trust === 'run' && build.facts?.copiesHead === true;
  return {
    ...{ buildId, sequence, trust, pullRequest },
    ...(copies && { copiesHead: true as const }),
    ...originOf(build),
    ...(pullRequest !== undefined && headOf(build)),
  };
}

/** Only what is known: most hosts ask for none of it. */
function originOf({
  branch: ref,
  testedCommit: tested,
  vouchedRun,
  serviceRun,
}: BuildSummary): Pick<StatusOwner, 'origin'> {
  const run = vouchedRun?.id ?? serviceRun;
  return run === undefined ? {} : { origin: { ref, tested, run } };
}

/** Decides whether a pull request's build is of its current head. */
function headOf({ target, facts }: BuildSummary): Pick<StatusOwner, 'target' | 'head'> {
  const pull = facts?.pull;
  return {
    ...(target !== undefined && { target }),
    ...(facts && pull && { head: { commit: pull.headCommit, at: facts.askedAt } }),
  };
}

/** Among several builds of one commit the one that owns its context; undefined of none. */
export function precedingOwner<T extends StatusOwner>(owners: readonly T[]): T | undefined {
  return owners.reduce<T | undefined>(
    (owner, one) => (owner === undefined || hasPrecedence(one, owner) ? one : owner),
    undefined,
  );
}

/**
 * Rule 24: a pull request's comment belongs to the newest build of its current head. One that is known to be of another
 * commit never takes it from one of the head; where that is not known of both, the newer has it. An unverified run
 * never takes it from a trusted build of the same commit (rule 29).
 */
function hasCommentPrecedence(candidate: StatusOwner, current: StatusOwner): boolean {
  if (candidate.buildId === current.buildId) return true;
  const head = newerHead(candidate.head, current.head);
  const [ours, theirs] = [isOfHead(candidate, current, head), isOfHead(current, candidate, head)];
  const isDecided = ours !== undefined && theirs !== undefined && ours !== theirs;
  if (isDecided) return ours;
  const isOfSame = candidate.target !== undefined && candidate.target === current.target;
  const byTrust = isOfSame ? rank(candidate.trust !== 'run', current.trust !== 'run') : undefined;
  return byTrust ?? candidate.sequence > current.sequence;
}

/**
 * Undefined: not known. The head that an older build knows of may be from before the commit of a newer build that knows
 * of none.
 */
function isOfHead(
  { target, head: knownHead, sequence }: StatusOwner,
  other: StatusOwner,
  head: KnownHead | undefined,
): boolean | undefined {
  if (target === undefined || head === undefined) return undefined;
  return knownHead === undefined && sequence > other.sequence ? undefined : target === head.commit;
}

function newerHead(one: KnownHead | undefined, other: KnownHead | undefined): KnownHead | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.at > one.at ? other : one;
}

/** What is to be written about a delivery record. */
export type WantedChange = Pick<Delivery, 'statusOwner' | 'wanted' | 'parked' | 'attempts'>;

/**
 * What a message changes in its record (rule 27): undefined when another build owns the place (rule 24) or the same is
 * wanted already (rule 23); else the new owner and the next version.
 */
export function wantDelivery(
  record: Pick<Delivery, 'statusOwner' | 'wanted'> | undefined,
  message: Message,
  sender: StatusOwner,
): WantedChange | undefined {
  const isComment = message.target.kind === 'comment';
  const statusOwner = isComment ? keepNewestHead(sender, record?.statusOwner) : withMissingFlag(sender, message);
  if (record === undefined && 'onlyEdit' in message && message.onlyEdit === true) return undefined;
  if (record === undefined)
    return { statusOwner, wanted: { version: 1, content: message.content }, parked: undefined, attempts: 0 };
  const precedes = isComment ? hasCommentPrecedence : hasPrecedence;
  if (!precedes(statusOwner, record.statusOwner)) return undefined;
  const unchanged = sameContent(record.wanted.content, message.content);
  if (unchanged && record.statusOwner.buildId === statusOwner.buildId) return undefined;
  const version = unchanged ? record.wanted.version : record.wanted.version + 1;
  return { statusOwner, wanted: { version, content: message.content }, parked: undefined, attempts: 0 };
}

function withMissingFlag(sender: StatusOwner, message: Message): StatusOwner {
  return 'lacks' in message && message.lacks === true ? { ...sender, lacks: true } : sender;
}

/** Builds may announce in another order than they asked for the head: the newest head that any of them knew is kept. */
function keepNewestHead(sender: StatusOwner, before: StatusOwner | undefined): StatusOwner {
  return sender.head === undefined ? sender : { ...sender, head: newerHead(sender.head, before?.head) };
}

/** Whether two contents would look the same at the provider. */
export function sameContent(a: DeliveryContent, b: DeliveryContent): boolean {
  if (a.kind === 'status' && b.kind === 'status')
    return a.state === b.state && a.description === b.description && a.targetUrl === b.targetUrl;
  if (a.kind === 'comment' && b.kind === 'comment') return a.body === b.body;
  return a.kind === 'check' && b.kind === 'check' && sameCheck(a, b);
}

function sameCheck(a: CheckContent, b: CheckContent): boolean {
  const said = (['conclusion', 'title', 'summary', 'detailsUrl'] as const).every((key) => a[key] === b[key]);
  return said && sameAnnotations(a, b);
}

/** Whether both mark the same lines in the same words. */
export function sameAnnotations({ annotations: ours }: CheckContent, { annotations: theirs }: CheckContent): boolean {
  if (ours.length !== theirs.length) return false;
  const keys = ['file', 'firstLine', 'lastLine', 'level', 'message'] as const;
  return ours.every((one, index) => keys.every((key) => one[key] === theirs[index]?.[key]));
}

/** Undefined when both are alike, so that the next criterion decides. */
function rank(candidate: boolean, current: boolean): boolean | undefined {
  return candidate === current ? undefined : candidate;
}
