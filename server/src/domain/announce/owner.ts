import type { Delivery, Message, Speaker } from './delivery.ts';

/**
 * Rule 24: whether `candidate` speaks before `current` about one commit: a trusted build's before an unverified run's, then a
 * pull request's before a push's, then one that reports the flag before one that only lacks it, then the higher sequence. A build
 * always speaks before itself, so that it can go on.
 */
export function speaksBefore(candidate: Speaker, current: Speaker): boolean {
  if (candidate.buildId === current.buildId) return true;
  return (
    rank(candidate.trust !== 'run', current.trust !== 'run') ??
    rank(candidate.pullRequest !== undefined, current.pullRequest !== undefined) ??
    rank(candidate.lacks !== true, current.lacks !== true) ??
    candidate.sequence > current.sequence
  );
}

/** Of several builds of one commit the one that owns its context; undefined of none. */
export function owningSpeaker<T extends Speaker>(speakers: readonly T[]): T | undefined {
  return speakers.reduce<T | undefined>(
    (owner, one) => (owner === undefined || speaksBefore(one, owner) ? one : owner),
    undefined,
  );
}

/** What is to be written about a delivery record. */
export type WantedChange = Pick<Delivery, 'speaker' | 'wanted' | 'parked' | 'attempts'>;

/**
 * What a message changes in its record (rule 27): undefined when another build owns the place (rule 24: a context by speaksBefore, a
 * pull request's comment by the newest build) or the same is
 * wanted already (rule 23); else the new owner and the next version.
 */
export function wantDelivery(
  record: Pick<Delivery, 'speaker' | 'wanted'> | undefined,
  message: Message,
  voice: Speaker,
): WantedChange | undefined {
  const speaker: Speaker = 'lacks' in message && message.lacks === true ? { ...voice, lacks: true } : voice;
  const isComment = message.target.kind === 'comment';
  if (record === undefined && 'onlyEdit' in message && message.onlyEdit === true) return undefined;
  if (record === undefined) return { speaker, wanted: { version: 1, content: message.content }, parked: undefined, attempts: 0 };
  const speaks = isComment ? speaker.sequence >= record.speaker.sequence : speaksBefore(speaker, record.speaker);
  if (!speaks) return undefined;
  const unchanged = sameContent(record.wanted.content, message.content);
  if (unchanged && record.speaker.buildId === speaker.buildId) return undefined;
  const version = unchanged ? record.wanted.version : record.wanted.version + 1;
  return { speaker, wanted: { version, content: message.content }, parked: undefined, attempts: 0 };
}

/** Whether two contents would look the same at the provider. */
export function sameContent(a: Delivery['wanted']['content'], b: Delivery['wanted']['content']): boolean {
  if (a.kind === 'comment' || b.kind === 'comment') return a.kind === b.kind && 'body' in a && 'body' in b && a.body === b.body;
  return a.state === b.state && a.description === b.description && a.targetUrl === b.targetUrl;
}

/** Undefined when both are alike, so that the next criterion decides. */
function rank(candidate: boolean, current: boolean): boolean | undefined {
  return candidate === current ? undefined : candidate;
}
