import type { VNode } from 'preact';
import { isAccepted } from '../../../core/builds/acceptance.ts';
import { type CloseAttempts, findTask } from '../../../core/builds/due-tasks.ts';
import { isProvisional } from '../../../core/builds/provisional.ts';
import { totalPercent } from '../../../core/coverage/percent.ts';
import { printable } from '../../../core/printable.ts';
import { When } from '../../../platform/web/when.tsx';
import { refOf } from '../../../wording/build-name.ts';
import { describeAttempt } from '../../../wording/build-warnings.ts';
import { describeCause } from '../../../wording/change-words.ts';
import { allCovered, explainedBy, remedyWords } from '../../../wording/page-verdict.ts';
import { counted } from '../../../wording/phrases.ts';
import { explainVerdict } from '../../../wording/verdict-words.ts';
import { whyUnverified } from '../../../wording/why-unverified.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import type { BuildPlace } from './build-place.ts';

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
          ...verdictSteps(result, '#cover'),
          result.verdict.state === 'success' && flagStep(shown),
          provisionalStep(shown, result, { now: place.now }),
          carriedStep(shown, { now: place.now }),
          build.trust === 'run' &&
            `Unverified, since ${whyUnverified(build)}: it is no base, serves no badge and carries no flag.`,
          firstBuildStep(shown, result, place),
          reopenedStep(shown),
        ];
  const { supersededBy } = shown;
  return [
    ...steps,
    supersededBy && (
      <>
        Superseded by <a href={place.links.build(supersededBy.id)}>{refOf(supersededBy)}</a>, which announces for this
        commit.
      </>
    ),
  ].filter(isStep);
}

export function isStep(step: Maybe): step is Step {
  return step !== undefined && step !== false;
}

function setAsideWords(attempts: CloseAttempts): string {
  return `It is not tried again by itself. ${printable(describeAttempt(attempts), 500)}`;
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
      . This page follows by itself. <a href={place.links.build(build.id)}>Reload</a>
    </>
  );
}

/** `cover`: where the lines to cover are shown. */
export function verdictSteps(result: Result, cover: string): readonly Maybe[] {
  const { verdict, patch } = result;
  switch (verdict.state) {
    case 'success':
      return [patchStep(result), patch && allCovered(patch.totals)];
    case 'incomplete':
      return ['Run again what is missing; this build takes it in and closes again.'];
    case 'error':
      return ['Warnings say what to do.'];
    case 'failure':
      return failureSteps(result, cover);
  }
}

function failureSteps(result: Result, cover: string): readonly Maybe[] {
  const { verdict, cause, patch, totals } = result;
  // Who accepted it and why stands below the band.
  if (isAccepted(verdict)) return [patchStep(result)];
  const informational = verdict.informational === true;
  const explained = explainedBy(cause);
  const remedy = explained?.remedy;
  const words = remedy && remedyWords(remedy, { changed: patch?.totals ?? explained?.split?.changed, informational });
  // Then the cause says no more than the words above.
  const { missing, mainPart, split } = explained ?? {};
  const isPlain = explained !== undefined && missing === undefined && (mainPart === 'changed' || split === undefined);
  return [
    totalPercent(totals) === undefined && 'Look at the step that writes the report: no file with a relevant line came.',
    words && (
      <>
        {words.inChange && patch !== undefined ? <a href={cover}>{words.what}</a> : words.what}
        {words.rest}
      </>
    ),
    cause !== undefined && !isPlain && printable(describeCause(cause, verdict).sentence, 1_000),
    informational && 'This repo only informs, so the commit status is a success.',
    patchStep(result),
  ];
}

/** Where the change has a verdict of their own. */
function patchStep({ patch }: Result): Maybe {
  if (patch?.verdict === undefined || patch.verdict.state === 'success' || isAccepted(patch.verdict)) return undefined;
  return (
    <>
      <strong>Coverage of the change failed.</strong> {printable(explainVerdict(patch.verdict), 1_000)}
    </>
  );
}

function flagStep({ flags }: Shown): Maybe {
  const failing = flags.entries.filter(({ verdict }) => verdict.state === 'failure').length;
  if (failing === 0) return undefined;
  return (
    <>
      But <a href="#flags">{counted(failing, 'flag fails', 'flags fail')}</a>.
    </>
  );
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
      . The build is worked out again when it does.
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
      From the next one on, changes are judged.{' '}
      {maintains && <a href={links.ofRepo(repo, 'settings')}>Set a minimum</a>}
    </>
  );
}

function reopenedStep({ build }: Shown): Maybe {
  if (build.state === 'closed') return undefined;
  if (build.attempts?.setAside) return `It could not be closed again. ${setAsideWords(build.attempts)}`;
  return 'The result is being worked out again; until then this one holds.';
}
