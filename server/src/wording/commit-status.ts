import type { CommitStatusState, StatusContent } from '../domain/announce/delivery.ts';
import type { BuildResult, FlagResult, OpenedContext } from '../domain/builds/build.ts';
import { isProvisional } from '../domain/builds/provisional.ts';
import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import type { ChangeCause } from '../domain/verdict/change-cause.ts';
import type { FlagVerdict } from '../domain/verdict/verdict.ts';
import { describeCause } from './change-words.ts';
import { describeStatus, type StatusParts } from './status-description.ts';

/** What a build's own context shows after a close: besides the verdict how the base was chosen (rule 19). */
export function buildStatus(result: BuildResult, targetUrl: string): StatusContent {
  const { verdict, cause, base } = result;
  return verdictStatus({ verdict, provisional: isProvisional(result), base }, cause, targetUrl);
}

/** What a flag's context shows after a close (rules 17 and 22). */
export function flagStatus(flag: FlagResult, result: BuildResult, targetUrl: string): StatusContent {
  const { verdict, carried, cause } = flag;
  const parts = { verdict, provisional: isProvisional(result), carriedFrom: carried?.number };
  return verdictStatus(parts, cause, targetUrl);
}

/** What caused the change is worth more than what would pass. */
function verdictStatus(parts: StatusParts, cause: ChangeCause | undefined, targetUrl: string): StatusContent {
  const { clause, remedy } = cause === undefined ? {} : describeCause(cause);
  return content(stateOf(parts.verdict), describeStatus({ ...parts, extras: [clause, remedy] }), targetUrl);
}

/**
 * What the context of the changed lines shows. Where they are not known it is a success that says so: it never hangs.
 */
export function patchStatus({ patch }: BuildResult, targetUrl: string): StatusContent {
  if (patch === undefined)
    return content('success', 'changed lines unknown: no diff of this change could be had', targetUrl);
  const { totals, complete, verdict } = patch;
  const extras = complete ? [] : ['not every changed file is known'];
  if (verdict !== undefined) return content(stateOf(verdict), describeStatus({ verdict, extras }), targetUrl);
  const percent = totalPercent(totals);
  const summary = percent === undefined ? 'no changed line is relevant' : `${showPercent(percent)} of changed lines`;
  return content('success', [summary, ...extras].join('; '), targetUrl);
}

/** Pending, at a parallel build's first job (rule 23). */
export function pendingStatus({ flag, patch }: Omit<OpenedContext, 'context'>, targetUrl: string): StatusContent {
  const ofBuild = 'Waiting for the jobs of this build';
  const description = flag === undefined || patch === true ? ofBuild : 'Waiting for this flag to report';
  return content('pending', description, targetUrl);
}

/**
 * Still pending: the verdict is known but for what the provider says of the base (rules.md "Base build", last
 * paragraph).
 */
export function heldBackStatus(targetUrl: string): StatusContent {
  return content('pending', "Waiting for the provider's answer about the base", targetUrl);
}

/** For a build that could not be merged several times in a row, so that no check waits for it. */
export function troubleStatus(targetUrl: string, setAside?: true): StatusContent {
  const next = setAside ? 'it was set aside until rerun_build asks for it' : 'it is tried again';
  return content('error', `The jobs could not be merged; ${next}. The build's page has the reason`, targetUrl);
}

/** Ends a context that was opened and that the close has nothing to say about. */
export function endedStatus(targetUrl: string): StatusContent {
  return content('success', 'not reported in this build', targetUrl);
}

/** What is informational never fails at the provider; its text and our pages say what it would be. */
function stateOf({ state, informational }: Pick<FlagVerdict, 'state' | 'informational'>): CommitStatusState {
  if (informational === true) return 'success';
  return state === 'incomplete' ? 'error' : state;
}

function content(state: CommitStatusState, description: string, targetUrl: string): StatusContent {
  return { kind: 'status', state, description, targetUrl };
}
