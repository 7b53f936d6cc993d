import type { JobEncoding } from '../job-bodies.ts';
import type { PlannedBuild } from './plan-builds.ts';
import type { PlannedJob } from './plan-jobs.ts';
import type { Random } from './random.ts';
import type { RoundSize } from './round-size.ts';

/** One request, to be repeated until it is answered. */
export type PlannedRequest = RequestPlace &
  (
    | { readonly kind: 'upload'; readonly job: PlannedJob; readonly encoding: JobEncoding }
    | { readonly kind: 'close'; readonly named: boolean; readonly last: boolean }
    | { readonly kind: 'rerun' }
  );

interface RequestPlace {
  readonly name: string;
  readonly build: PlannedBuild;
  /** Milliseconds after the beginning; not before all of `after` are answered. */
  readonly at: number;
  /** Names of requests that stand before it in the plan. */
  readonly after: readonly string[];
  /** Sent twice at once, to two instances where there are two. */
  readonly twice: boolean;
}

const ENCODINGS: readonly JobEncoding[] = ['E1', 'E3', 'E4', 'E6', 'E6-gzip'];

interface Telling {
  readonly random: Random;
  readonly build: PlannedBuild;
  readonly begin: number;
  /** Milliseconds in which its jobs come, except for late ones. */
  readonly length: number;
  readonly spread: number;
  /** The request that opens the build which this one follows. */
  readonly follows: PlannedRequest | undefined;
}

/** All requests for all builds, mixed, ordered by their times; what one waits for always stands before it. */
export function planRequests(
  random: Random,
  builds: readonly PlannedBuild[],
  { spread, over }: Pick<RoundSize, 'spread' | 'over'>,
): readonly PlannedRequest[] {
  const all: PlannedRequest[] = [];
  const ofRepos = Map.groupBy(builds, ({ repo }) => repo);
  for (const build of builds) {
    const ofRepo = ofRepos.get(build.repo) ?? [];
    // In a long round a repo's builds come one after the other, in a short one all at once.
    const turn = Math.round(((over - spread) * ofRepo.indexOf(build)) / ofRepo.length);
    const follows = all.find((request) => request.build.commit === build.follows && request.kind === 'upload');
    const begin = Math.max(turn + random.int(0, Math.round(spread / 2)), (follows?.at ?? 0) + 1);
    const length = random.int(Math.round(spread / 10), Math.round(spread * 0.3));
    all.push(...requestsOf({ random, build, begin, length, spread, follows }));
  }
  return all.sort((a, b) => a.at - b.at);
}

function requestsOf(telling: Telling): readonly PlannedRequest[] {
  const { random, build, begin } = telling;
  const closes = build.kind === 'single' ? [] : earlyCloses(telling);
  const first = closes.find(({ at }) => at > begin);
  const uploads = random.shuffle(build.jobs).flatMap((job, index) => uploadsOf(telling, { job, first, index }));
  const ending = closes.length > 0 && random.chance(0.75) ? [lastClose(telling, uploads)] : [];
  const reruns = first !== undefined && build.number !== undefined && random.chance(0.3) ? [rerun(telling, first)] : [];
  return [...uploads, ...closes, ...ending, ...reruns];
}

/** None, or some that come before, between and after the jobs. Without any the build is left to its deadline. */
function earlyCloses(telling: Telling): readonly PlannedRequest[] {
  const { random, build, begin, length, follows } = telling;
  if (build.kind === 'parallel' && random.chance(0.2)) return [];
  const early = build.kind === 'parallel' ? 300 : 0;
  const earliest = Math.max(begin - early, follows === undefined ? 0 : follows.at + 1);
  return Array.from({ length: random.int(1, 3) }, (_, index) => ({
    ...placeOf(telling, `close ${index}`),
    kind: 'close' as const,
    at: random.int(earliest, begin + length),
    named: build.kind === 'parallel',
    last: false,
    twice: random.chance(0.3),
  }));
}

/** The same upload may come twice at once, and once more later; some wait until their build was closed. */
function uploadsOf(
  telling: Telling,
  {
    job,
    first,
    index,
  }: { readonly job: PlannedJob; readonly first: PlannedRequest | undefined; readonly index: number },
): readonly PlannedRequest[] {
  const { random, begin, length, spread, follows } = telling;
  const isLate = first !== undefined && index > 0 && random.chance(0.2);
  const upload = (name: string, from: number, until: number) => ({
    ...placeOf(telling, name),
    kind: 'upload' as const,
    job,
    encoding: random.pick(ENCODINGS),
    at: random.int(from, until),
    after: [...(follows ? [follows.name] : []), ...(isLate ? [first.name] : [])],
    twice: random.chance(0.15),
  });
  const earliest = isLate ? Math.max(first.at + 1, begin + length) : begin;
  const once = upload(`job ${job.lines}`, earliest, earliest + length);
  const again = upload(`job ${job.lines} again`, once.at, once.at + Math.round(spread / 3));
  return random.chance(0.12) ? [once, again] : [once];
}

/** When every job is answered: its result must hold them all. */
function lastClose(telling: Telling, before: readonly PlannedRequest[]): PlannedRequest {
  const named = telling.build.kind === 'parallel';
  const at = Math.max(...before.map((request) => request.at)) + 1;
  const after = before.map(({ name }) => name);
  return {
    ...placeOf(telling, 'last close'),
    kind: 'close',
    at,
    after,
    named,
    last: true,
    twice: telling.random.chance(0.2),
  };
}

function rerun(telling: Telling, first: PlannedRequest): PlannedRequest {
  const { random, spread } = telling;
  const at = first.at + random.int(1, Math.round(spread / 3));
  return { ...placeOf(telling, 'rerun'), kind: 'rerun', at, after: [first.name], twice: random.chance(0.2) };
}

function placeOf({ build, follows }: Telling, what: string) {
  return { name: `b${build.index} ${what}`, build, after: follows === undefined ? [] : [follows.name] };
}
