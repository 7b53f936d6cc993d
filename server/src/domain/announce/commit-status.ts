import { shortBaseRule } from '../build/base-build.ts';
import type { BuildResult, FlagResult, OpenedContext } from '../build/build.ts';
import { type Ratio, showPercent, subtractRatios, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import type { CommitStatusState, StatusContent } from './delivery.ts';
import { statusText } from './printable.ts';

/** GitHub's limit, ours everywhere (rule 24). */
export const MAX_DESCRIPTION = 140;

/** What a status shows of a verdict. */
type Judged = Pick<FlagVerdict, 'state' | 'summary' | 'informational'>;

/**
 * What a build's own context shows after a close: the verdict in few words, how the base was chosen (rule 19), and where that still has
 * room what caused the change and what would pass.
 */
export function buildStatus(result: BuildResult, targetUrl: string): StatusContent {
  const { verdict, cause } = result;
  const description = describe(verdict, { provisional: isProvisional(result), note: baseNote(result) });
  return content(stateOf(verdict), [cause?.clause, cause?.remedy].reduce(addWhereItFits, description), targetUrl);
}

/** Named only where the verdict does not name it already: there is little room. */
function baseNote({ base, verdict }: BuildResult): string | undefined {
  if (base === undefined) return undefined;
  const build = `build ${base.number}`;
  return `base: ${verdict.summary.includes(build) ? '' : `${build}, `}${shortBaseRule(base)}`;
}

/** What a flag's context shows after a close (rules 17 and 22). */
export function flagStatus(flag: FlagResult, result: BuildResult, targetUrl: string): StatusContent {
  const carried = flag.carried ? `; carried from build ${flag.carried.number}` : '';
  return content(stateOf(flag.verdict), describe(flag.verdict, { provisional: isProvisional(result) }) + carried, targetUrl);
}

/** What the context of the changed lines shows. Where nobody knows them it is a success that says so: it never hangs. */
export function patchStatus({ patch }: BuildResult, targetUrl: string): StatusContent {
  if (patch === undefined) return content('success', 'changed lines unknown: no diff of this change could be had', targetUrl);
  const { verdict, totals, complete } = patch;
  const percent = totalPercent(totals);
  const numbers = percent === undefined ? 'no changed line is relevant' : `${showPercent(percent)} of changed lines`;
  const description = verdict === undefined ? numbers : describe(verdict, { provisional: false });
  const whole = complete ? description : addWhereItFits(description, 'not every changed file is known');
  return content(verdict === undefined ? 'success' : stateOf(verdict), whole, targetUrl);
}

/** Pending, at a parallel build's first job (rule 23). */
export function pendingStatus({ flag, patch }: Omit<OpenedContext, 'context'>, targetUrl: string): StatusContent {
  const ofBuild = 'Waiting for the jobs of this build';
  const description = flag === undefined || patch === true ? ofBuild : 'Waiting for this flag to report';
  return content('pending', description, targetUrl);
}

/** Still pending: the verdict is known but for what the provider says of the base (rules.md "Base build", last paragraph). */
export function heldBackStatus(targetUrl: string): StatusContent {
  return content('pending', "Waiting for the provider's answer about the base", targetUrl);
}

/** For a build that could not be merged several times in a row: nobody should wait for it. */
export function troubleStatus(targetUrl: string): StatusContent {
  return content('error', "The jobs could not be merged; it is tried again. The server's log has the reason", targetUrl);
}

/** Ends a context that was opened and that the close has nothing to say about. */
export function endedStatus(targetUrl: string): StatusContent {
  return content('success', 'not reported in this build', targetUrl);
}

/** Whether the provider has still to say what the verdict depends on. */
export function isProvisional({ verdict, provisionalSince }: BuildResult): boolean {
  return verdict.provisional || provisionalSince !== undefined;
}

/** The change against the base in percentage points, exact; undefined where either has no percentage. */
export function changeOf(totals: CoverageTotals | undefined, baseTotals: CoverageTotals | undefined): Ratio | undefined {
  const percent = totals && totalPercent(totals);
  const before = baseTotals && totalPercent(baseTotals);
  return percent && before ? subtractRatios(percent, before) : undefined;
}

/** What is informational never fails at the provider; its text and our pages say what it would be. */
function stateOf({ state, informational }: Judged): CommitStatusState {
  if (informational === true) return 'success';
  return state === 'incomplete' ? 'error' : state;
}

/** The verdict in few words with its marks, which are never cut: the summary makes room for them. */
function describe(verdict: Judged, say: { readonly provisional: boolean; readonly note?: string | undefined }): string {
  const marks = [
    ...(verdict.informational === true && verdict.state !== 'success' ? ['informational'] : []),
    ...(say.provisional ? ['provisional'] : []),
  ];
  const notes = [...marks, ...(say.note === undefined ? [] : [say.note])];
  const room = MAX_DESCRIPTION - marks.join('; ').length - ' ()'.length;
  const summary = marks.length === 0 ? verdict.summary : statusText(verdict.summary, room);
  return notes.length === 0 ? summary : `${summary} (${notes.join('; ')})`;
}

function addWhereItFits(description: string, clause: string | undefined): string {
  const longer = `${description}; ${clause}`;
  return clause === undefined || [...longer].length > MAX_DESCRIPTION ? description : longer;
}

function content(state: CommitStatusState, description: string, targetUrl: string): StatusContent {
  return { kind: 'status', state, description: statusText(description, MAX_DESCRIPTION), targetUrl };
}
