import type { CommitStatusState, StatusContent } from '../core/announce/delivery.ts';
import { isAccepted } from '../core/builds/acceptance.ts';
import type { Build, BuildResult, FlagResult, NamedGroup, OpenedContext } from '../core/builds/build.ts';
import { checksOf } from '../core/builds/build-checks.ts';
import { filesWithLostLines } from '../core/builds/file-changes.ts';
import { isProvisional } from '../core/builds/provisional.ts';
import { showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { printable, statusText } from '../core/printable.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import { standingOf } from '../core/verdict/checks.ts';
import type { ChangeCause, FlagVerdict } from '../core/verdict/verdict.ts';
import { type CauseWords, describeCause, isCausedByChange, isLoss, patchRemedy } from './change-words.ts';
import { needsOf } from './check-words.ts';
import { counted } from './phrases.ts';
import { noneMeasured, ofTheChange, patchCounts } from './reason-words.ts';
import { describeStatus, type StatusParts } from './status-description.ts';
import { acceptedWords } from './verdict-words.ts';

/** Where a status leads, and how many code points its text may have. */
export interface StatusFrame {
  readonly url: string;
  readonly room: number;
}

/** Code points that the text of a status may have, by its host. */
type StatusRoom = Pick<HostTerms, 'maxDescription'>;

const UNVERIFIED = 'Unverified: ';

/** The frame of a build's statuses: an unverified one's have to say so (rule 29). */
export function frameOf({ trust }: Pick<Build, 'trust'>, url: string, { maxDescription }: StatusRoom): StatusFrame {
  return { url, room: maxDescription - (trust === 'run' ? UNVERIFIED.length : 0) };
}

/** A status of this build, as it is posted. */
export function signedStatus(
  { trust }: Pick<Build, 'trust'>,
  status: StatusContent,
  { maxDescription }: StatusRoom,
): StatusContent {
  if (trust !== 'run') return status;
  return { ...status, description: statusText(UNVERIFIED + status.description, maxDescription) };
}

/** What a build's own context shows after a close: besides the verdict how the base was chosen (rule 19). */
export function buildStatus(result: BuildResult, { url: targetUrl, room }: StatusFrame): StatusContent {
  const { verdict, base } = result;
  if (isAccepted(verdict)) return acceptedStatus(result, result, { url: targetUrl, room });
  const extras = saidBesidesBuild(result);
  const rules =
    result.rules?.broken === undefined ? undefined : 'coverage.yml has errors, so the last valid rules hold';
  return verdictStatus({ verdict, provisional: isProvisional(result), base, rules, extras, room }, targetUrl);
}

/** The cause is the total's, and says nothing of what else may decide. */
function saidBesidesBuild(result: BuildResult): NonNullable<StatusParts['extras']> {
  const { verdict, cause } = result;
  if (verdict.rule === 'invalid-file') return [];
  if (verdict.rule === 'elsewhere') {
    const place = firstLost(result);
    return place === undefined ? [] : [[`${place.isOnly ? 'lost' : 'first lost'} at ${place.at}`]];
  }
  if (verdict.rule !== 'group') return saidBesides(verdict, cause, result);
  const failing = checksOf(result).filter((check) => standingOf(check) === 'failing');
  const needs = needsOf(failing.filter(({ group }) => group !== undefined && group.hasStatus !== true));
  return needs === undefined ? [] : [[`${needs} to pass`]];
}

/** Whose lines were lost is known of the build alone. */
const NOTHING_KNOWN = { patch: undefined, fileChanges: [] };

/** What a flag's context shows after a close (rules 17 and 22). */
export function flagStatus(
  flag: FlagResult,
  result: BuildResult,
  { url: targetUrl, room }: StatusFrame,
): StatusContent {
  const { verdict, cause, baseTotals, looksPastBase, kind } = flag;
  if (isAccepted(verdict)) return acceptedStatus(result, flag, { url: targetUrl, room });
  const isOfBase = baseTotals !== undefined && kind === 'uploaded' && looksPastBase !== true;
  const base = isOfBase ? result.base : undefined;
  const extras = saidBesides(verdict, cause, NOTHING_KNOWN);
  const parts = { verdict, provisional: isProvisional(result), base, looksPastBase, extras, room };
  return verdictStatus(parts, targetUrl);
}

/** What a group's context shows after a close. One that the repo's file names no longer is gone, and fails nothing. */
export function groupStatus({ id }: NamedGroup, result: BuildResult, frame: StatusFrame): StatusContent {
  const group = result.groups?.find((one) => one.id === id);
  if (group?.verdict === undefined) return content('success', 'this group is gone from coverage.yml', frame.url);
  const { verdict, cause, baseTotals } = group;
  if (isAccepted(verdict)) return acceptedStatus(result, group, frame);
  const base = baseTotals === undefined ? undefined : result.base;
  const extras = saidBesides(verdict, cause, NOTHING_KNOWN);
  return verdictStatus({ verdict, provisional: isProvisional(result), base, extras, room: frame.room }, frame.url);
}

/** A failure that a maintainer accepted is a success that says who and why. */
function acceptedStatus(
  { acceptance }: BuildResult,
  { totals }: { readonly totals: CoverageTotals | undefined },
  { url, room }: StatusFrame,
): StatusContent {
  const percent = showPercent(totals && totalPercent(totals));
  const words = acceptance === undefined ? 'accepted' : acceptedWords(acceptance);
  return content('success', statusText(`${percent}, ${words}`, room), url);
}

function verdictStatus(parts: StatusParts, targetUrl: string): StatusContent {
  return content(stateOf(parts.verdict), describeStatus(parts), targetUrl);
}

/**
 * Where the change came from, and what would pass, which is worth more unless a line can be named. Where the changed
 * lines caused it, how much of them is covered says more than how many are not.
 */
function saidBesides(
  verdict: FlagVerdict,
  cause: ChangeCause | undefined,
  result: Pick<BuildResult, 'patch' | 'fileChanges'>,
): NonNullable<StatusParts['extras']> {
  if (verdict.state === 'incomplete') return [];
  const words: Partial<CauseWords> = cause === undefined ? {} : describeCause(cause, verdict);
  const { clause, shortClause, remedy, shortRemedy } = words;
  const { patch } = result;
  const percent = patch && isCausedByChange(cause) ? totalPercent(patch.totals) : undefined;
  const why = percent === undefined ? clause : ofTheChange(percent);
  const place = isLoss(cause) ? firstLost({ ...result, verdict }) : undefined;
  const withPlace = place && `${why} (${place.isOnly ? '' : 'first '}${place.at})`;
  const atPlace = place && `${place.isOnly ? 'lost' : 'first lost'} at ${place.at}`;
  const withRemedy = (words: string | undefined) => [
    [words, remedy],
    [words, shortRemedy],
  ];
  const choices = [
    ...withRemedy(withPlace),
    [withPlace],
    ...withRemedy(atPlace),
    ...withRemedy(why),
    ...withRemedy(shortClause),
  ];
  return chooseWords([...choices, [remedy], [why], [shortClause]]);
}

/** `src/a.ts:7`, the first place that did not change and is missed now. */
function firstLost(
  result: Parameters<typeof filesWithLostLines>[0],
): { readonly at: string; readonly isOnly: boolean } | undefined {
  const lost = filesWithLostLines(result);
  const [first] = lost;
  const { newlyMissed = [], newlyMissedRanges = 0, newlyPartly = [], newlyPartlyLines = 0 } = first ?? {};
  const line = newlyMissed[0]?.[0] ?? newlyPartly[0];
  if (first === undefined || line === undefined) return undefined;
  const isOnly = lost.length === 1 && newlyMissedRanges + newlyPartlyLines === 1;
  return { at: `${printable(first.name, MAX_PLACE)}:${line}`, isOnly };
}

/** A longer name says nothing in the little room of a status. */
const MAX_PLACE = 50;

/** Those of which every part is known. */
function chooseWords(choices: readonly (readonly (string | undefined)[])[]): NonNullable<StatusParts['extras']> {
  return choices.flatMap((words) => {
    const known = words.filter((one) => one !== undefined);
    return known.length === words.length ? [known] : [];
  });
}

/**
 * What the context of the changed lines shows. Where they are not known it is a success that says so: it never hangs.
 */
export function patchStatus(result: BuildResult, { url: targetUrl, room }: StatusFrame): StatusContent {
  const { patch } = result;
  if (patch?.verdict && isAccepted(patch.verdict)) return acceptedStatus(result, patch, { url: targetUrl, room });
  if (patch === undefined) return content('success', 'the change is not known: no diff of it could be had', targetUrl);
  const { totals, complete, verdict, notMeasured } = patch;
  const percent = totalPercent(totals);
  const unknown = [
    ...(notMeasured === undefined || percent === undefined
      ? []
      : [`${counted(notMeasured.lines, 'changed line')} not measured`]),
    ...(complete ? [] : ['not every changed file is known']),
  ];
  if (verdict !== undefined) {
    const remedy = patchRemedy(verdict);
    const extras = chooseWords([[remedy, ...unknown], [remedy], unknown]);
    return content(stateOf(verdict), describeStatus({ verdict, extras, room }), targetUrl);
  }
  const none = notMeasured === undefined ? 'no changed lines with code' : noneMeasured(notMeasured.lines);
  const summary = percent === undefined ? none : `${ofTheChange(percent)} (${patchCounts(totals)})`;
  return content('success', [summary, ...unknown].join('; '), targetUrl);
}

/** Pending, at a parallel build's first job (rule 23). */
export function pendingStatus({ flag, patch }: Omit<OpenedContext, 'context'>, targetUrl: string): StatusContent {
  const description =
    flag === undefined || patch === true ? 'Waiting for jobs' : `Waiting for flag \`${printable(flag, MAX_PLACE)}\``;
  return content('pending', description, targetUrl);
}

/**
 * Still pending: the verdict is known except for what the provider says of the base (rules.md "Base build", last
 * paragraph).
 */
export function heldBackStatus(targetUrl: string): StatusContent {
  return content('pending', "Waiting for the provider's answer about the base", targetUrl);
}

/** For a build that could not be merged several times in a row, so that no check waits for it. */
export function troubleStatus(targetUrl: string, setAside?: true): StatusContent {
  const next = setAside ? 'it needs an administrator to re-run it' : 'it is tried again';
  return content('error', `The jobs could not be merged; ${next}. The build's page has the reason`, targetUrl);
}

/** For a fork's build whose commit is the repo's own too: nothing of it may look like the repo's word (rule 29). */
export function copiedHeadStatus(targetUrl: string): StatusContent {
  return content('error', 'no upload with a token yet', targetUrl);
}

/** Ends a context that was opened and that the close has nothing to say about. */
export function endedStatus(targetUrl: string): StatusContent {
  return content('success', 'Not part of this build', targetUrl);
}

/** What is informational never fails at the provider; its text and our pages say what it would be. */
export function stateOf({ state, informational }: Pick<FlagVerdict, 'state' | 'informational'>): CommitStatusState {
  if (informational === true) return 'success';
  return state === 'incomplete' ? 'error' : state;
}

function content(state: CommitStatusState, description: string, targetUrl: string): StatusContent {
  return { kind: 'status', state, description, targetUrl };
}
