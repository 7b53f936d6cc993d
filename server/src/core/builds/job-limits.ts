import { Failure } from '../failure.ts';
import { counted } from '../sentences.ts';
import type { Timestamp } from '../time.ts';

const DAY = 86_400_000;
/** Seconds after which a build may have closed. */
const BUILD_PAUSE = 60;

/** What bounds the new jobs of a repo; 0: nothing does. A repeat of an accepted job is never refused (rule 10). */
export interface JobLimits {
  /** Bytes of uploads as they were sent, in a day by UTC. */
  readonly bytesPerDay: number;
  /** Parallel builds that are open. */
  readonly openBuilds: number;
  /** Why no new job is taken at this moment. */
  readonly refusal: Failure | undefined;
  /** For an unverified upload (rule 29). */
  readonly quotas?: readonly Quota[];
}

/** Bytes that uploads of unverified runs may bring in a day by UTC (rule 29); 0: any number. */
export interface UnverifiedLimits {
  readonly run: number;
  readonly pull: number;
  readonly address: number;
  readonly repo: number;
}

/** One of these limits, and under which key its bytes are counted. */
export interface Quota {
  readonly key: string;
  readonly of: keyof UnverifiedLimits;
  readonly limit: number;
}

/** Days since 1970, by UTC. */
export function dayOf(at: Timestamp): number {
  return Math.floor(at / DAY);
}

/** Seconds until the next day begins, by UTC. */
export function secondsLeftOf(at: Timestamp): number {
  return Math.ceil(((dayOf(at) + 1) * DAY - at) / 1_000);
}

/** Why a new job is not taken, a Failure `over-limit`. `sentToday`: bytes before it. */
export function findRefusal(
  { limits, bytes, at }: { readonly limits: JobLimits; readonly bytes: number; readonly at: Timestamp },
  sentToday: number,
): Failure | undefined {
  const { bytesPerDay, refusal } = limits;
  if (refusal !== undefined || bytesPerDay === 0 || sentToday + bytes <= bytesPerDay) return refusal;
  const retryAfter = secondsLeftOf(at);
  const sentence =
    `This repo sent ${counted(sentToday, 'byte')} today (UTC), and this upload has ${bytes}; the limit of one repo ` +
    `is ${bytesPerDay} a day (MAX_REPO_BYTES_PER_DAY). Nothing was stored; send it again in ${retryAfter} s.`;
  return new Failure('over-limit', sentence, { retryAfter });
}

/** Throws a Failure `over-limit` for a job that would open a parallel build beside `open` others. */
export function refuseBuild({ openBuilds }: JobLimits, open: number): void {
  if (open < openBuilds) return;
  throw new Failure(
    'over-limit',
    `${counted(open, 'parallel build of this repo is', 'parallel builds of this repo are')} open, which is the ` +
      'limit (MAX_REPO_OPEN_BUILDS). Nothing was stored; close them (POST /webhook), or wait for their quiet period.',
    { retryAfter: BUILD_PAUSE },
  );
}
