import { Failure } from '../failure.ts';
import { COUNTED_AS, type Counts, counted, type OverQuota } from '../sentences.ts';
import type { Timestamp } from '../time.ts';
import type { JobFacts } from './job.ts';
import { type Quota, secondsLeftOf, type UnverifiedLimits } from './job-limits.ts';

const WITH_TOKEN = 'Nothing was stored. Uploads with the token of the repo are not counted here.';

/** What the records of an upload take in a store, however small it is. */
const MIN_BYTES = 4_096;

/** What an unverified upload counts for. `address`: the sender, as a key. */
export function quotasOf(
  { facts, repoId, address }: { readonly facts: JobFacts; readonly repoId: number; readonly address: string },
  limits: UnverifiedLimits,
): readonly Quota[] {
  const { vouchedRun, pullRequest } = facts;
  const keys: Readonly<Record<keyof UnverifiedLimits, string | undefined>> = {
    run: vouchedRun && `${repoId} ${vouchedRun.id}`,
    pull: pullRequest === undefined ? undefined : `${repoId} ${pullRequest}`,
    address,
    repo: String(repoId),
  };
  return (['run', 'pull', 'address', 'repo'] as const).flatMap((of) =>
    keys[of] === undefined || limits[of] === 0 ? [] : [{ of, key: `${of} ${keys[of]}`, limit: limits[of] }],
  );
}

/** How much of its quotas an upload takes: as sent, or as stored where that is more, since few bytes unpack to many. */
export function weightOf(upload: {
  readonly bytes: number;
  readonly report: { readonly length: number };
  readonly sources: readonly { readonly bytes: { readonly length: number } }[];
}): number {
  const stored = upload.sources.reduce((sum, { bytes }) => sum + bytes.length, upload.report.length);
  return Math.max(upload.bytes, stored, MIN_BYTES);
}

const VARIABLES: Readonly<Record<keyof UnverifiedLimits, string>> = {
  run: 'MAX_UNVERIFIED_RUN_BYTES',
  pull: 'MAX_UNVERIFIED_PULL_BYTES',
  address: 'MAX_UNVERIFIED_ADDRESS_BYTES',
  repo: 'MAX_UNVERIFIED_REPO_BYTES',
};

/** Why an upload of this many bytes is not accepted beside those `used` today. */
export function refuseOver({ of, limit }: Quota, seen: { used: number; bytes: number; at: Timestamp }): Failure {
  const { used, bytes, at } = seen;
  const over = { of, used, bytes, limit, variable: VARIABLES[of] };
  if (bytes > limit) return new Failure('payload-too-large', unverifiedTooLarge(over));
  const retryAfter = secondsLeftOf(at);
  return new Failure('over-limit', unverifiedOverBytes({ ...over, retryAfter }), { retryAfter });
}

function unverifiedOverBytes({
  of,
  used,
  bytes,
  limit,
  variable,
  retryAfter,
}: OverQuota & Counts<'retryAfter'>): string {
  return (
    `Uploads without a token from ${COUNTED_AS[of]} had ${counted(used, 'byte')} today (UTC), as sent or as ` +
    `stored, and this one has ${bytes}; the limit is ${limit} a day (${variable}). ${WITH_TOKEN} Send smaller ` +
    `reports, or send it again in ${retryAfter} s.`
  );
}

function unverifiedTooLarge({ of, bytes, limit, variable }: Omit<OverQuota, 'used'>): string {
  return (
    `This upload without a token has ${counted(bytes, 'byte')}, as sent or as stored; uploads from ` +
    `${COUNTED_AS[of]} may have ${limit} a day (${variable}). ${WITH_TOKEN} Send smaller reports.`
  );
}
