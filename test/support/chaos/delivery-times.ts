import type { LoggedRequest } from '../github-stand-in/request-log.ts';
import type { Ledger } from './ledger.ts';
import type { SeenBuild } from './outcome.ts';
import { buildOfUrl, percentIn } from './said.ts';

/** A status as a server sent it. */
interface Sent {
  readonly at: number;
  readonly state: string;
  readonly description: string;
  readonly build: string | undefined;
}

/**
 * Milliseconds from the first sending of a build's last close until a status with its percentage, or its final state
 * where it has none, is at the host: one for each context that it owns. Left out: what stood there before that close,
 * and builds that nobody closes after their last job.
 */
export function deliveryTimes(
  seen: readonly SeenBuild[],
  requests: readonly LoggedRequest[],
  ledger: Ledger,
): readonly number[] {
  const places = Map.groupBy(
    requests.filter((request) => request.processed && setsStatus(request)),
    ({ path, body }) => `${path} ${(textOf(body, 'context') || textOf(body, 'name')).toLowerCase()}`,
  );
  const builds = new Map(seen.map((build) => [build.json.id, build]));
  return [...places.values()].flatMap((posts) => {
    const sent = posts.map(toSent);
    const last = sent.at(-1);
    const planned = last && builds.get(last.build ?? '')?.planned;
    const from = planned && ledger.closedFrom(planned);
    const first = last && sent.find((one) => isAlike(one, last));
    return from === undefined || first === undefined || first.at < from ? [] : [first.at - from];
  });
}

/** At both Bitbuckets a status is called a build. */
export function setsStatus({ method, path }: LoggedRequest): boolean {
  return method === 'POST' && /\/(?:statuses\/|builds$)/.test(path);
}

function isAlike(one: Sent, last: Sent): boolean {
  if (one.build !== last.build || one.state === 'pending') return false;
  const percent = percentIn(last.description);
  return percent === undefined ? one.state === last.state : percentIn(one.description) === percent;
}

function toSent({ at, body }: LoggedRequest): Sent {
  const build = buildOfUrl(textOf(body, 'target_url') || textOf(body, 'url'));
  const state = textOf(body, 'state').replace('INPROGRESS', 'pending');
  return { at, state, description: textOf(body, 'description'), build };
}

function textOf(body: unknown, field: string): string {
  return String((body as Readonly<Record<string, unknown>>)[field] ?? '');
}
