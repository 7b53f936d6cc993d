import type { StatusRecord } from '../github-stand-in/model.ts';
import type { ChaosHost } from './chaos-host.ts';
import type { SeenBuild } from './outcome.ts';
import { buildOfUrl, hasPrecedence, percentIn, percentOf } from './said.ts';

/** All statuses of a commit in the order in which they came. */
export type StatusesOf = (repo: string, commit: string) => readonly StatusRecord[];

type Shows = Pick<ChaosHost, 'shownError' | 'sumsUp'>;

/**
 * Rules 22 to 24 and 27: each context of each commit has ended, as the verdict of the build that owns it says, and was
 * never set back: not from a build to one that it has precedence over, nor from a close to an earlier one.
 */
export function checkStatuses(
  seen: readonly SeenBuild[],
  statusesOf: StatusesOf,
  { marksMerges, ...shows }: Pick<ChaosHost, 'marksMerges'> & Shows,
): readonly string[] {
  const commits = Map.groupBy(
    seen.filter(({ planned }) => planned !== undefined),
    ({ repo, planned }) => `${repo} ${planned?.target}`,
  );
  return [
    ...(marksMerges ? [] : strays(seen, statusesOf)),
    ...[...commits].flatMap(([place, builds]) => checkCommit(place, builds, { statusesOf, ...shows })),
  ];
}

/** Rule 21: nothing is said on a merge commit that was only tested. */
function strays(seen: readonly SeenBuild[], statusesOf: StatusesOf): readonly string[] {
  return seen.flatMap(({ repo, json, planned }) => {
    const elsewhere =
      planned !== undefined && planned.commit !== planned.target ? statusesOf(repo, planned.commit) : [];
    return elsewhere.map((status) => `build ${json.id} of ${repo}: ${show(status)} is on its merge commit`);
  });
}

function checkCommit(
  place: string,
  builds: readonly SeenBuild[],
  { statusesOf, ...shows }: Shows & { readonly statusesOf: StatusesOf },
): readonly string[] {
  const [repo = '', commit = ''] = place.split(' ');
  const contexts = Map.groupBy(statusesOf(repo, commit), ({ context }) => context.toLowerCase());
  const flags = builds.flatMap(({ json }) => json.flags.map(({ name }) => `coverage (${name.toLowerCase()})`));
  const missing = ['coverage', ...new Set(flags)].flatMap((context) =>
    contexts.has(context) ? [] : [`no status "${context}"`],
  );
  const wrong = [...contexts].flatMap(([context, statuses]) =>
    [...checkLast(context, statuses, { builds, ...shows }), ...checkOrder(context, statuses, builds)].map(
      (what) => `${context}: ${what}`,
    ),
  );
  return [...missing, ...wrong].map((what) => `${place}: ${what}`);
}

function checkLast(
  context: string,
  statuses: readonly StatusRecord[],
  { builds, shownError, sumsUp }: Shows & { readonly builds: readonly SeenBuild[] },
): readonly string[] {
  const last = statuses.at(-1);
  const owner = builds.find(({ json }) => json.id === buildOfUrl(last?.targetUrl));
  if (last === undefined || owner === undefined)
    return [`the last status leads to ${last?.targetUrl}, no build of the commit`];
  if (last.state === 'pending') return [`the last status is pending (build ${owner.json.id})`];
  const rival = builds.find(
    (build) => hasContext(build, context) && build !== owner && ownsBefore(build, owner, context),
  );
  if (rival !== undefined) return [`build ${owner.json.id} speaks last, but build ${rival.json.id} owns the context`];
  const said = verdictFor(owner, context);
  if (said === undefined) {
    const ended = last.state === 'success' && last.description === 'Not part of this build';
    return ended ? [] : [`"${last.description}" speaks of a flag that build ${owner.json.id} does not have`];
  }
  const isSum = sumsUp && context === 'coverage';
  const state = isSum ? owner.json.overall?.state : said.verdict.state;
  const expected = state === 'incomplete' ? shownError : state;
  const percent = percentIn(last.description ?? '');
  // Where several checks fail, there may be no room for the total.
  const needsNoPercent = state === 'incomplete' || said.percent === null || (isSum && percent === undefined);
  const isSaid = needsNoPercent || percent === percentOf(said.percent ?? 0);
  return last.state === expected && isSaid
    ? []
    : [`the last status is ${last.state} "${last.description}", the verdict is ${JSON.stringify(said)}`];
}

/**
 * No status may be older than the one before it. What has no percentage (incomplete, trouble) tells nothing of its
 * close.
 */
function checkOrder(
  context: string,
  statuses: readonly StatusRecord[],
  builds: readonly SeenBuild[],
): readonly string[] {
  const findings: string[] = [];
  let before: StatusRecord | undefined;
  let highest = -1;
  for (const status of statuses) {
    const statusOwner = builds.find(({ json }) => json.id === buildOfUrl(status.targetUrl));
    const former = before && builds.find(({ json }) => json.id === buildOfUrl(before?.targetUrl));
    if (statusOwner !== undefined && former !== undefined && statusOwner !== former) {
      // A flag that has not reported yet gives way, and comes back when it has; so does one that a later close no
      // longer carries, or that waits once more for a second attempt, whether or not anybody saw it pending.
      const waitsAgain = context !== 'coverage' && mayOpenAgain(former);
      if (ownsBefore(former, statusOwner, context) && !mayGiveWay(before, status) && !waitsAgain)
        findings.push(`${show(status)} came after ${show(before)}, whose build owns the context`);
      highest = -1;
    }
    // What is carried follows the base, so percentages against different bases tell nothing of their age.
    if (baseOf(status) !== baseOf(before)) highest = Math.min(highest, LOWEST_PERCENTAGE);
    // What sums up all checks names no base.
    const followsBase = statusOwner?.planned?.carryforward !== undefined && /\btotal /i.test(status.description ?? '');
    const rank = followsBase ? highest : rankOf(status, highest, mayOpenAgain(statusOwner));
    if (rank < highest) findings.push(`${show(status)} came after ${show(before)}: an older one over a newer`);
    highest = Math.max(rank, highest);
    before = status;
  }
  return findings;
}

/** The rank of 0 percent: before any percentage comes what says that none is there. */
const LOWEST_PERCENTAGE = 2;

/** Totals grow with each job, so of two percentages the lower is the older one. */
function rankOf({ state, description }: StatusRecord, highest: number, opensAgain: boolean): number {
  if (state === 'pending') return opensAgain ? highest : 0;
  const text = description ?? '';
  if (/^not reported|^did not report/.test(text)) return 1;
  // Which build it is carried from follows the base, which may be learned later.
  if (text.includes('carried from')) return highest;
  const percent = percentIn(text);
  return percent === undefined ? highest : LOWEST_PERCENTAGE + Number(percent);
}

/** The commit that a status compares with, as it names it; undefined: none. */
function baseOf(status: StatusRecord | undefined): string | undefined {
  return /\bbase ([0-9a-f]{7})\b/.exec(status?.description ?? '')?.[1];
}

/**
 * Rule 24 for a context: of a pull request's builds, or a push's, one that lacks the flag speaks after those that
 * report it.
 */
function ownsBefore(one: SeenBuild, other: SeenBuild, context: string): boolean {
  const isSameKind = (one.json.pull_request === null) === (other.json.pull_request === null);
  const [ourLack, theirLack] = [lacks(one, context), lacks(other, context)];
  return isSameKind && ourLack !== theirLack ? theirLack : hasPrecedence(one, other);
}

function lacks({ json }: SeenBuild, context: string): boolean {
  if (context === 'coverage') return false;
  const flag = json.flags.find(({ name }) => context === `coverage (${name.toLowerCase()})`);
  return flag === undefined || ['not-reported', 'incomplete'].includes(flag.verdict.rule);
}

/** `by`: the status that took the context over. */
function mayGiveWay(status: StatusRecord | undefined, by: StatusRecord): boolean {
  if (status === undefined) return false;
  // A trusted build has precedence over one whose claims the host has not confirmed yet (rule 29).
  if (isUnverified(status) && !isUnverified(by)) return true;
  if (status.context.toLowerCase() === 'coverage') return false;
  return status.state === 'pending' || /^not reported|^did not report/i.test(status.description ?? '');
}

function isUnverified({ description }: StatusRecord): boolean {
  return /^unverified:/i.test(description ?? '');
}

/** A second attempt makes final statuses pending once more (rule 12). */
function mayOpenAgain(build: SeenBuild | undefined): boolean {
  return build?.planned?.jobs.some(({ attempt }) => attempt > 1) ?? false;
}

function hasContext(build: SeenBuild, context: string): boolean {
  return verdictFor(build, context) !== undefined;
}

function verdictFor({ json }: SeenBuild, context: string) {
  if (context === 'coverage')
    return json.verdict === null ? undefined : { verdict: json.verdict, percent: json.covered_percent };
  const flag = json.flags.find(({ name }) => context === `coverage (${name.toLowerCase()})`);
  return flag && { verdict: flag.verdict, percent: flag.covered_percent };
}

function show(status: StatusRecord | undefined): string {
  return `${status?.state} "${status?.description}" of ${status?.targetUrl}`;
}
