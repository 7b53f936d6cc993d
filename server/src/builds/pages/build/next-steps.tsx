import type { VNode } from 'preact';
import type { FlagResult } from '../../../core/builds/build.ts';
import { type BuildCheck, checksOf } from '../../../core/builds/build-checks.ts';
import type { BuildView } from '../../../core/builds/build-summary.ts';
import { type CloseAttempts, findTask } from '../../../core/builds/due-tasks.ts';
import { isProvisional } from '../../../core/builds/provisional.ts';
import { totalPercent } from '../../../core/coverage/percent.ts';
import { printable } from '../../../core/printable.ts';
import { sortChecks, standingOf } from '../../../core/verdict/checks.ts';
import { reasonOf } from '../../../core/verdict/reason.ts';
import { When } from '../../../platform/web/when.tsx';
import { refOf } from '../../../wording/build-name.ts';
import { describeAttempt } from '../../../wording/build-warnings.ts';
import { whyMoved } from '../../../wording/change-words.ts';
import { checkName, needsOf } from '../../../wording/check-words.ts';
import { allCovered, explainedBy } from '../../../wording/page-verdict.ts';
import { checkRemedy } from '../../../wording/remedies.ts';
import { explainVerdict } from '../../../wording/verdict-words.ts';
import { whyUnverified } from '../../../wording/why-unverified.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import { type BuildPlace, placeOfCheck } from './build-place.ts';
import { Words } from './checks.tsx';

export interface BandOf {
  readonly shown: ShownBuildPage;
  readonly place: BuildPlace;
}

type Shown = BandOf['shown'];
type Result = NonNullable<Shown['build']['result']>;
export type Step = VNode | string;
type Maybe = Step | undefined | false;

/** What a reader can do, and what must be known to believe the verdict; the most useful first. */
export function nextSteps({ shown, place }: BandOf): readonly Step[] {
  const { build } = shown;
  const { result } = build;
  const steps: readonly Maybe[] =
    result === undefined
      ? [openStep(build, place)]
      : [
          ...verdictSteps(result, shown.flags.entries, (check) => linesOf(check, shown, place)),
          provisionalStep(shown, result, { now: place.now }),
          carriedStep(shown, { now: place.now }),
          unverifiedStep(build),
          firstBuildStep(shown, result, place),
          reopenedStep(shown),
        ];
  const { supersededBy } = shown;
  return [
    ...steps,
    supersededBy && (
      <>
        Replaced by <a href={place.links.build(supersededBy.id)}>{refOf(supersededBy)}</a>, which reports for this
        commit.
      </>
    ),
  ].filter(isStep);
}

/** What an unverified build does not do, and why it is one (rule 29). */
export function unverifiedStep(build: Pick<BuildView, 'trust' | 'runCheck' | 'vouchedRun'>): Maybe {
  if (build.trust !== 'run') return undefined;
  return `This run is unverified: ${whyUnverified(build)}. No later build is compared with it, and no badge shows it.`;
}

/** Those of the check that is selected are on this page. */
function linesOf(check: string, { toCover }: Shown, place: BandOf['place']): string {
  const wanted = check === 'total' || check === 'changes' ? 'all' : check;
  return wanted === toCover.selected ? '#cover' : placeOfCheck(place, wanted);
}

export function isStep(step: Maybe): step is Step {
  return step !== undefined && step !== false;
}

function setAsideWords(attempts: CloseAttempts): string {
  return `It won’t be retried automatically. ${printable(describeAttempt(attempts), 500)}`;
}

/** When a build without a result gets one. */
export function openStep(build: Shown['build'], place: BandOf['place']): Maybe {
  if (build.attempts?.setAside) return setAsideWords(build.attempts);
  const deadline = findTask(build.due, 'deadline');
  return (
    <>
      The closing step ends it
      {deadline && (
        <>
          ; without one it is closed <When at={deadline.at} now={place.now} />
        </>
      )}
      . This page updates itself. <a href={place.links.build(build.id)}>Reload</a>
    </>
  );
}

/** What is to be done about the checks of a result; `flags`: those that are known, failing ones first. */
export function verdictSteps(result: Result, flags: readonly FlagResult[], linkTo: LinkToCheck): readonly Maybe[] {
  const { verdict, patch } = result;
  const checks = sortChecks(checksOf({ ...result, flags }));
  const failing = checks.filter((check) => standingOf(check) === 'failing');
  if (verdict.state === 'error') return ['Warnings say what to do.'];
  if (verdict.state === 'incomplete')
    return ['Re-run the missing job. This page and the status update when it arrives.'];
  const [first] = failing.length > 0 ? failing : checks.filter((check) => standingOf(check) === 'would-fail');
  if (first === undefined) return [patch && allCovered(patch.totals)];
  if (first.kind === 'total') return totalSteps(result, { isAlone: failing.length < 2, href: linkTo('total') });
  if (failing.length > 1) return [sumStep(failing, result)];
  return oneStep(first, result, linkTo(first.id));
}

/** Where the lines of a check are shown. */
export type LinkToCheck = (check: string) => string;

function totalSteps(
  result: Result,
  { isAlone, href }: { readonly isAlone: boolean; readonly href: string },
): readonly Maybe[] {
  const { verdict, cause, patch, totals } = result;
  const informational = verdict.informational === true;
  const [total] = checksOf(result);
  const words = total && checkRemedy(total, result);
  // Then the cause says no more than the words above.
  const { missing, mainPart, split } = explainedBy(cause) ?? {};
  const isPlain = explainedBy(cause) && missing === undefined && (mainPart === 'changed' || split === undefined);
  return [
    totalPercent(totals) === undefined &&
      'Check the step that writes the report: no uploaded file has a relevant line.',
    words && (
      <>
        {words.inChange && patch !== undefined ? <a href={href}>{words.what}</a> : words.what}
        {isAlone ? words.rest : words.rest.replace(/ to pass\.$/, ' for the total to pass.')}
      </>
    ),
    cause !== undefined && !isPlain && printable(whyMoved(cause, verdict), 1_000),
    informational && 'Informational: the commit status is a success.',
  ];
}

/** For a check other than the total: the only one that fails, or the first that would. */
function oneStep(check: BuildCheck, result: Result, href: string): readonly Maybe[] {
  const { verdict, cause, kind } = check;
  const reason = reasonOf(verdict);
  if (reason.kind === 'invalid-file') return [fixStep(reason, href)];
  const words = checkRemedy(check, result);
  const { missing, mainPart } = explainedBy(cause) ?? {};
  const isPlain = cause === undefined || (missing === undefined && mainPart === 'changed');
  const where = kind === 'changes' ? ' in this change' : <> in {<Words phrase={[checkName(check)]} />}</>;
  const isHint = standingOf(check) === 'would-fail';
  return [
    words && (
      <>
        {isHint && 'It’s informational, so nothing is blocked. '}
        <a href={href}>{kind === 'changes' ? words.what : words.within}</a>
        {where}
        {isHint ? ' to clear it.' : ' to pass.'}
      </>
    ),
    !isPlain && printable(whyMoved(cause, verdict), 1_000),
    words === undefined && isPlain && printable(explainVerdict(verdict, cause), 1_000),
  ];
}

/** The note above says what is wrong there. */
function fixStep({ line }: { readonly line: number }, href: string): Maybe {
  return (
    <>
      <a href={`${href}#l${line}`}>Fix line {line}</a>. If this were merged, its rules couldn’t be read.
    </>
  );
}

/** Among several checks without the total: what covers the needs of each. */
function sumStep(failing: readonly BuildCheck[], { patch }: Result): Maybe {
  const needs = needsOf(failing);
  if (needs === undefined) return undefined;
  return <>{patch === undefined ? needs : <a href="#cover">{needs}</a>} to pass.</>;
}

interface At {
  readonly now: number;
}

function provisionalStep({ hostName }: Shown, result: Result, { now }: At): Maybe {
  if (!isProvisional(result)) return undefined;
  const { provisionalSince } = result;
  return (
    <>
      Provisional: {hostName ?? 'the git host'} has not answered about the base
      {provisionalSince !== undefined && (
        <>
          ; first asked <When at={provisionalSince} now={now} />
        </>
      )}
      . The build is recalculated when it does.
    </>
  );
}

/** Rule 16. */
function carriedStep({ flags }: Shown, { now }: At): Maybe {
  const carried = flags.entries.flatMap((flag) => flag.carried ?? []);
  const [first] = carried;
  if (first === undefined) return undefined;
  if (carried.length > 1) return `${carried.length} flags are carried: no job of this build reported them.`;
  return (
    <>
      The flag {printable(first.flag, 100)} is carried from {refOf(first)}, which was closed{' '}
      <When at={first.closedAt} now={now} />: no job of this build reported it.
    </>
  );
}

function firstBuildStep({ repo, maintains }: Shown, { verdict, base }: Result, { links }: BandOf['place']): Maybe {
  if (verdict.rule !== 'first-build' || base !== undefined) return undefined;
  return (
    <>
      From the next build on, changes are judged.{' '}
      {maintains && <a href={links.ofRepo(repo, 'settings')}>Set a minimum</a>}
    </>
  );
}

function reopenedStep({ build }: Shown): Maybe {
  if (build.state === 'closed') return undefined;
  if (build.attempts?.setAside) return `It could not be closed again. ${setAsideWords(build.attempts)}`;
  return 'Recalculating. The result below is the previous one.';
}
