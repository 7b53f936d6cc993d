import { shortBaseRule } from '../build/base-build.ts';
import type { BuildResult, FlagResult } from '../build/build.ts';
import { type Ratio, subtractRatios, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { CommitStatusState, StatusContent } from './delivery.ts';
import { printable } from './printable.ts';

/** GitHub's limit, ours everywhere (rule 24). */
export const MAX_DESCRIPTION = 140;

/** `coverage` for a build, `coverage (<flag>)` for a flag; the word is the server's setting (rule 22). */
export function contextName(word: string, flag: string | undefined): string {
  return flag === undefined ? word : `${word} (${printable(flag, 100)})`;
}

/** What a build's own context shows after a close: the verdict in few words, then how the base was chosen (rule 19). */
export function buildStatus(result: BuildResult, targetUrl: string): StatusContent {
  return content(statusState(result.verdict), result.verdict.summary + baseNote(result), targetUrl);
}

/** Named only where the verdict does not name it already: there is little room. */
function baseNote({ base, verdict }: BuildResult): string {
  if (base === undefined) return '';
  const build = `build ${base.number}`;
  return ` (base: ${verdict.summary.includes(build) ? '' : `${build}, `}${shortBaseRule(base)})`;
}

/** What a flag's context shows after a close (rules 17 and 22). */
export function flagStatus(flag: FlagResult, targetUrl: string): StatusContent {
  const carried = flag.carried ? `; carried from build ${flag.carried.number}` : '';
  return content(statusState(flag.verdict), flag.verdict.summary + carried, targetUrl);
}

/** Pending, at a parallel build's first job (rule 23). */
export function pendingStatus(flag: string | undefined, targetUrl: string): StatusContent {
  const description = flag === undefined ? 'Waiting for the jobs of this build' : 'Waiting for this flag to report';
  return content('pending', description, targetUrl);
}

/** For a build that could not be merged several times in a row: nobody should wait for it. */
export function troubleStatus(targetUrl: string): StatusContent {
  return content('error', "The jobs could not be merged; it is tried again. The server's log has the reason", targetUrl);
}

/** Ends a context that was opened and that the close has nothing to say about. */
export function endedStatus(targetUrl: string): StatusContent {
  return content('success', 'not reported in this build', targetUrl);
}

/** The change against the base in percentage points, exact; undefined where either has no percentage. */
export function changeOf(totals: CoverageTotals | undefined, baseTotals: CoverageTotals | undefined): Ratio | undefined {
  const percent = totals && totalPercent(totals);
  const before = baseTotals && totalPercent(baseTotals);
  return percent && before ? subtractRatios(percent, before) : undefined;
}

function statusState(verdict: Pick<Verdict, 'state'>): CommitStatusState {
  return verdict.state === 'incomplete' ? 'error' : verdict.state;
}

function content(state: CommitStatusState, description: string, targetUrl: string): StatusContent {
  return { kind: 'status', state, description: printable(description, MAX_DESCRIPTION), targetUrl };
}
