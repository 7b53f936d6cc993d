import type { VNode } from 'preact';
import type { RulesFile } from '../../../core/builds/judged-rules.ts';
import { showChange } from '../../../core/coverage/percent.ts';
import { printable } from '../../../core/printable.ts';
import { judgedChange } from '../../../core/verdict/reason.ts';
import type { Part } from '../../../platform/web/render-parts.tsx';
import { When } from '../../../platform/web/when.tsx';
import { describeBaseRule, describeStanding } from '../../../wording/base-words.ts';
import { refOf, shortCommit } from '../../../wording/build-name.ts';
import { readWarnings } from '../../../wording/build-warnings.ts';
import { describeCause } from '../../../wording/change-words.ts';
import { counted } from '../../../wording/phrases.ts';
import { explainVerdict } from '../../../wording/verdict-words.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import { announcements } from './announcements.tsx';
import type { BuildPlace } from './build-place.ts';
import { Causes } from './causes.tsx';
import { ChangedLines, rates } from './changed-lines.tsx';
import { GitData } from './git-data.tsx';
import type { Section } from './sections.tsx';
import { Base } from './verdict-band.tsx';

type Result = NonNullable<ShownBuildPage['build']['result']>;

/** Can it be trusted: the base and its rule, causes, announcements, times, warnings. Folded unless it must be read. */
export function howWorkedOut(shown: ShownBuildPage, place: BuildPlace): Section {
  const warnings = readWarnings({ ...shown, jobs: shown.jobs.entries, deliveries: shown.parked });
  return {
    id: 'how',
    name: 'How this was calculated',
    hasHeading: true,
    parts: howParts(shown, { place, warnings }),
  };
}

interface Told {
  readonly place: BuildPlace;
  readonly warnings: readonly string[];
}

function* howParts(shown: ShownBuildPage, { place, warnings }: Told): Generator<Part> {
  const { build } = shown;
  const { result } = build;
  yield { tags: `<details class="more"${mustBeRead(shown) ? ' open' : ''}>` };
  yield (
    <summary>
      <h2>How this was calculated</h2>
      <span class="quiet">{gistOf(shown, warnings.length)}</span>
    </summary>
  );
  yield { tags: '<div>' };
  yield warnings.length > 0 && <Warnings sentences={warnings} />;
  yield result && <VerdictAndBase result={result} place={place} />;
  yield (
    <p>
      <span class="quiet">For other builds:</span> {printable(describeStanding(build), 500)}
    </p>
  );
  yield result && <WhereItWent result={result} />;
  yield* announcements(shown, place);
  yield <Times shown={shown} place={place} />;
  yield <GitData shown={shown} place={place} />;
  yield result?.base && (
    <p>
      <a href={place.links.compare(place.repo, String(result.base.buildId), String(build.id))}>
        Compare the whole of both builds
      </a>
    </p>
  );
  yield result && (
    <p>
      <span class="quiet">The whole report for other tools:</span>{' '}
      <a href={place.links.report(build.id, 'lcov.info')}>LCOV</a>,{' '}
      <a href={place.links.report(build.id, 'cobertura.xml')}>Cobertura</a>
    </p>
  );
  yield { tags: '</div></details>' };
}

/** Whether an announcement was given up, or a warning says why there is no number. */
function mustBeRead({ build, parked }: ShownBuildPage): boolean {
  const { result, attempts } = build;
  if (parked.length > 0 || attempts?.setAside) return true;
  if (result === undefined) return false;
  return (
    result.verdict.state === 'error' || result.warnings.some((one) => typeof one === 'object' && DECIDING.has(one.kind))
  );
}

const DECIDING: ReadonlySet<string> = new Set(['nothing-relevant', 'cannot-merge', 'access-denied']);

function gistOf({ build, deliveries, parked }: ShownBuildPage, warnings: number): string {
  const { result } = build;
  const own = deliveries.filter(({ statusOwner }) => statusOwner.buildId === build.id);
  const arrived = own.filter(({ delivered, wanted }) => delivered?.version === wanted.version).length;
  return [
    ...(result === undefined
      ? []
      : [
          result.base === undefined
            ? 'no base'
            : `compared with ${refOf(result.base)}, ${printable(describeBaseRule(result.base), 100)}`,
        ]),
    ...(result?.rules?.file === undefined ? [] : [rulesOf(result.rules.file)]),
    ...(own.length === 0 ? [] : [`${arrived} of ${counted(own.length, 'message')} delivered`]),
    ...(parked.length === 0 ? [] : [`${parked.length} failed`]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ].join(' · ');
}

/** `rules from coverage.yml at 19d1ccb` */
function rulesOf({ path, commit }: RulesFile): string {
  const name = printable(path.slice(path.lastIndexOf('/') + 1), 60);
  return `rules from ${name}${commit === undefined ? '' : ` at ${shortCommit(commit)}`}`;
}

function Warnings({ sentences }: { readonly sentences: readonly string[] }): VNode {
  return (
    <>
      <h3>Warnings</h3>
      {sentences.map((sentence) => (
        <p class="note warn">{printable(sentence, 1_000)}</p>
      ))}
    </>
  );
}

function VerdictAndBase({ result, place }: { readonly result: Result; readonly place: BuildPlace }): VNode {
  const { base, verdict, cause, patch, totals } = result;
  return (
    <>
      <h3>Verdict</h3>
      <p>
        By rule <code>{verdict.rule}</code>: {printable(explainVerdict(verdict, cause), 2_000)}
      </p>
      {patch?.verdict && (
        <p>
          Changed lines, by rule <code>{patch.verdict.rule}</code>: {printable(explainVerdict(patch.verdict), 1_000)}
        </p>
      )}
      <p>{rates(totals)}. The total is all covered lines and branches, divided by all relevant ones.</p>
      {patch && <ChangedLines patch={patch} />}
      <h3>Base</h3>
      {base === undefined ? (
        <p>There is no earlier build to compare with.</p>
      ) : (
        <p>
          Compared with <Base base={base} place={place} /> (rule <code>{base.rule}</code>
          {base.branch !== undefined && (
            <>
              , on <span class="ref">{printable(base.branch, 200)}</span>
            </>
          )}
          ).
        </p>
      )}
    </>
  );
}

/** The verdict's own sentence says the cause in words. */
function WhereItWent({ result }: { readonly result: Result }): VNode | null {
  const { cause, verdict } = result;
  const change = judgedChange(result);
  if (cause === undefined) return null;
  const { parts } = describeCause(cause, verdict);
  if (parts.length === 0) return null;
  return (
    <>
      <h3>
        {change === undefined || change.numerator === 0n
          ? 'What moved the total'
          : `Where the ${showChange(change).slice(1)} ${change.numerator < 0n ? 'went' : 'came from'}`}
      </h3>
      <Causes parts={parts} total={change && showChange(change, true)} />
    </>
  );
}

const CLOSED_BY: Readonly<Record<Result['closedBy'], string>> = {
  webhook: 'by the closing step',
  job: 'by its only job',
  deadline: 'by its deadline, since no closing step came',
  provider: 'by the end of its run',
};

function Times({
  shown: { build },
  place: { now },
}: {
  readonly shown: ShownBuildPage;
  readonly place: BuildPlace;
}): VNode {
  const { result } = build;
  return (
    <>
      <h3>Times</h3>
      <dl class="pairs">
        <dt>First job arrived</dt>
        <dd>
          <When at={build.createdAt} now={now} />
        </dd>
        {build.jobs > 1 && (
          <>
            <dt>Last job arrived</dt>
            <dd>
              <When at={build.lastJobAt} now={now} />
            </dd>
          </>
        )}
        {result && (
          <>
            <dt>Closed</dt>
            <dd>
              <When at={result.closedAt} now={now} />, {CLOSED_BY[result.closedBy]}
              {result.closeCount > 1 && `, for the ${ordinal(result.closeCount)} time`}
            </dd>
          </>
        )}
        {build.buildUrl !== undefined && (
          <>
            <dt>Run</dt>
            <dd>
              <a href={build.buildUrl} rel="nofollow noopener">
                {printable(build.buildUrl)}
              </a>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

const ORDINALS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ORDINAL_RULES = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(count: number): string {
  return `${count}${ORDINALS[ORDINAL_RULES.select(count)] ?? 'th'}`;
}
