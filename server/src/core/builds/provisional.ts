import { ACCESS_DENIED_BACKOFF, CHANGES_BACKOFF, nextDelay, PROVIDER_BACKOFF } from '../backoff.ts';
import { judgesChanges } from '../repo/effective-settings.ts';
import type { Timestamp } from '../time.ts';
import type { IgnoredParts } from '../verdict/ignored-parts.ts';
import type { Build, BuildResult } from './build.ts';

/** How long a final status waits for the second evaluation (rules.md "Base build", last paragraph), in ms. */
const HOLD_BACK = 60_000;

/** The result of a close that lacked facts of the provider. */
export function markProvisional(result: BuildResult, earlier: BuildResult | undefined, at: Timestamp): BuildResult {
  const provisionalSince = earlier?.provisionalSince ?? at;
  return { ...result, provisionalSince, verdict: { ...result.verdict, provisional: true } };
}

/** Whether the provider has still to say what the verdict depends on. */
export function isProvisional({
  verdict,
  provisionalSince,
}: Pick<BuildResult, 'verdict' | 'provisionalSince'>): boolean {
  return verdict.provisional || provisionalSince !== undefined;
}

/**
 * What becomes of a provisional verdict: held back, its final statuses are not posted yet; `revisitAt`: when it is
 * evaluated again, after growing delays, until that is given up; then it stays as it is, and says so.
 */
export function planProvisional(
  { provisionalSince }: Pick<BuildResult, 'provisionalSince'>,
  now: Timestamp,
  /** Nothing could be announced there either: no status is held back. */
  accessDenied = false,
): { readonly holdBack: boolean; readonly revisitAt: Timestamp | undefined } {
  if (provisionalSince === undefined) return { holdBack: false, revisitAt: undefined };
  const pause = nextDelay(provisionalSince, now, accessDenied ? ACCESS_DENIED_BACKOFF : PROVIDER_BACKOFF);
  if (pause === undefined) return { holdBack: false, revisitAt: undefined };
  const holdBack = !accessDenied && now - provisionalSince < HOLD_BACK;
  return { holdBack, revisitAt: holdBack ? Math.min(now + pause, provisionalSince + HOLD_BACK) : now + pause };
}

/**
 * Whether builds that have this one as their base, or wait for it, would see another one after this close (rule 20).
 */
export function changesAsBase(before: Build, result: BuildResult): boolean {
  const was = before.result;
  if (before.trust === 'run') return false;
  if (was === undefined) return result.verdict.state !== 'error';
  const shown = ({ totals, verdict, flags }: BuildResult): string =>
    JSON.stringify([
      totals,
      verdict.state === 'incomplete',
      verdict.state === 'error',
      flags.map(({ name, kind, totals: ofFlag }) => [name, kind, ofFlag]),
    ]);
  return shown(was) !== shown(result);
}

/** What of a repo or a build is decided by what changed, so that a verdict without it is provisional. */
type DecidedByChanges = Parameters<typeof judgesChanges>[0] & IgnoredParts;

/**
 * Whether a verdict may change once the provider says what changed. A build without jobs is judged by that alone.
 */
export function isDecidedByChanges(settings: DecidedByChanges, jobs: number): boolean {
  const { ignoreRemovedCode, ignoreUntouchedFiles, ignoreUnstableLines } = settings;
  const ignores = ignoreRemovedCode || ignoreUntouchedFiles || ignoreUnstableLines;
  return judgesChanges(settings) || ignores || jobs === 0;
}

/** When to ask again for what changed, if nothing is decided by it; undefined: no more. */
export function planUnknownChanges(since: Timestamp | undefined, now: Timestamp): Timestamp | undefined {
  const pause = since === undefined ? undefined : nextDelay(since, now, CHANGES_BACKOFF);
  return pause === undefined ? undefined : now + pause;
}
