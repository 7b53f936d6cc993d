import type { CommentRecord } from '../github-stand-in/model.ts';
import type { LoggedRequest } from '../github-stand-in/request-log.ts';
import type { ChaosStand } from './chaos-host.ts';
import { BASE_URL } from './deployment.ts';
import type { SeenBuild } from './outcome.ts';
import { percentOf } from './said.ts';

/**
 * Rules 25 and 27: one comment per pull request, of its newest build's last close, and never an older one over a newer.
 * `locked`: pull requests that take no comments.
 */
export function checkComments(
  seen: readonly SeenBuild[],
  host: Pick<ChaosStand, 'comments' | 'requests' | 'isCommentOf'>,
  locked: (pullRequest: number) => boolean,
): readonly string[] {
  const pulls = Map.groupBy(
    seen.filter(({ json }) => json.pull_request !== null),
    ({ repo, json }) => `${repo} ${json.pull_request}`,
  );
  const writes = host.requests().filter(({ method, processed }) => processed && method !== 'GET');
  return [...pulls].flatMap(([named, builds]) => {
    const [repo = '', pull = ''] = named.split(' ');
    const place = { repo, pullRequest: Number(pull) };
    const found = host.comments(repo, place.pullRequest);
    const ofPlace = { ...place, ids: found.map(({ id }) => id) };
    const bodies = writes.filter((one) => host.isCommentOf(one, ofPlace)).map(bodyOf);
    const isLocked = locked(place.pullRequest);
    const findings = isLocked
      ? found.map(({ body }) => `it takes no comments, but got one: ${body}`)
      : [...checkLast(found, builds), ...checkOrder(bodies, builds)];
    return findings.map((what) => `${repo} pull request ${pull}: ${what}`);
  });
}

function checkLast(found: readonly CommentRecord[], builds: readonly SeenBuild[]): readonly string[] {
  const [comment, ...others] = found;
  if (comment === undefined) return ['there is no comment'];
  if (others.length > 0) return [`there are ${found.length} comments`];
  const newest = builds.reduce((a, b) => (b.age > a.age ? b : a));
  if (buildOf(comment.body, builds) !== newest)
    return [`the comment is not of its newest build ${newest.json.id}: ${comment.body}`];
  const { verdict, covered_percent, covered_lines, relevant_lines } = newest.json;
  const sums = `${covered_lines} of ${relevant_lines} lines`;
  const percent = `${percentOf(covered_percent ?? 0)}%`;
  const isNewest = comment.body.includes(sums) || (verdict?.state !== 'incomplete' && comment.body.includes(percent));
  return isNewest
    ? []
    : [`the comment does not say ${sums} or ${percent}, as build ${newest.json.id} does: ${comment.body}`];
}

/** Both Bitbucket Cloud and Data Center have names of their own for it. */
function bodyOf({ body: sent }: LoggedRequest): string {
  const { body, content, text } = sent as {
    readonly body?: unknown;
    readonly content?: { readonly raw?: unknown };
    readonly text?: unknown;
  };
  return String(body ?? content?.raw ?? text);
}

function checkOrder(bodies: readonly string[], builds: readonly SeenBuild[]): readonly string[] {
  const findings: string[] = [];
  let before = { age: -1, carried: '', covered: -1 };
  for (const body of bodies) {
    // A trusted build has precedence over one whose claims the host has not confirmed yet (rule 29).
    if (body.includes('Unverified: ')) continue;
    const age = buildOf(body, builds)?.age ?? -1;
    // What is carried follows the base, which may be learned later: only the same sources make totals that only grow.
    const carried = [...body.matchAll(/carried from ([0-9a-f]{7})/g)].map(([, commit]) => commit).join(' ');
    const covered = Number(/(\d+) of \d+ lines/.exec(body)?.[1] ?? before.covered);
    const isSame = age === before.age && carried === before.carried;
    const isOlder = age < before.age || (isSame && covered < before.covered);
    if (isOlder) findings.push(`an older comment was written over a newer one: ${body}`);
    else before = { age, carried, covered };
  }
  return findings;
}

/** The comment ends by naming the build that it is about, and then its base. */
function buildOf(body: string, builds: readonly SeenBuild[]): SeenBuild | undefined {
  const end = body.lastIndexOf('For [');
  const ids = [...body.slice(Math.max(0, end)).matchAll(/\/builds\/(\d+)\b/g)].map(([url, id]) =>
    body.includes(BASE_URL + url) ? id : undefined,
  );
  return builds.find(({ json }) => json.id === ids.at(end < 0 ? -1 : 0));
}
