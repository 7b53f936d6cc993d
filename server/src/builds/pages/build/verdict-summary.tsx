import type { ComponentChild, VNode } from 'preact';
import { overallOf } from '../../../core/builds/build-checks.ts';
import type { BuildSummary, BuildView } from '../../../core/builds/build-summary.ts';
import { percentOfBuild } from '../../../core/builds/imported.ts';
import { isProvisional } from '../../../core/builds/provisional.ts';
import { showChange, showPercent, totalPercent } from '../../../core/coverage/percent.ts';
import { judgedChange } from '../../../core/verdict/reason.ts';
import { Icon } from '../../../platform/web/icons.tsx';
import { grouped } from '../../../platform/web/page-parts.tsx';
import type { Part } from '../../../platform/web/render-parts.tsx';
import { refOf } from '../../../wording/build-name.ts';
import { lookOfOverall, overallPhrase, type Phrase, WAITING } from '../../../wording/check-words.ts';
import { importedSentence } from '../../../wording/imported-words.ts';
import type { VerdictLook } from '../../../wording/page-verdict.ts';
import { arrivedOf } from '../../../wording/phrases.ts';
import type { BuildPlace } from './build-place.ts';
import { type ChecksOf, checkParts, Words } from './checks.tsx';
import { directionOf, Meter } from './shown-numbers.tsx';

type Result = NonNullable<BuildView['result']>;

export type Fact = readonly [name: string, value: ComponentChild];

export interface SummaryOf extends Pick<ChecksOf, 'flags' | 'jobsPage' | 'selected'> {
  readonly build: BuildView;
  readonly place: BuildPlace;
  /** What to do and what to know, the most useful first. */
  readonly steps: readonly ComponentChild[];
  readonly facts: readonly Fact[];
  /** Another one when the page would say something else. */
  readonly mark: string;
  readonly supersededBy?: BuildSummary | undefined;
}

const LOOKS: Readonly<Record<VerdictLook, string>> = {
  ok: 'is-ok',
  fail: 'is-fail',
  incomplete: 'is-part',
  would: 'is-part',
};

/** Number, change, verdict, and what would pass: the first that is read of a build; then what its checks say. */
export function* verdictParts(shown: SummaryOf): Generator<Part> {
  const { result, imported } = shown.build;
  const look = result === undefined || imported !== undefined ? '' : LOOKS[lookOfOverall(overallOf(result))];
  yield { tags: `<section class="composite ${look}" aria-label="Verdict">` };
  yield <Band {...shown} look={look} />;
  if (result !== undefined && imported === undefined) yield* checkParts(shown, result);
  yield { tags: '</section>' };
}

function Band(shown: SummaryOf & { readonly look: string }): VNode {
  const { build, place, steps, facts, mark, supersededBy, look } = shown;
  return (
    <div class={`verdict ${look}`} {...pollOf(build, place.links.mark(build.id), mark)}>
      <div>
        <Numbers build={build} />
        <Tags build={build} supersededBy={supersededBy} />
      </div>
      <div>
        <Says build={build} />
        {steps.map((step, index) => (
          <p class={index === 0 ? 'todo' : 'also'}>{step}</p>
        ))}
        <dl class="facts">
          {facts.map(([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** A page that will say something else asks when it does. */
function pollOf(build: BuildView, address: string, mark: string) {
  return isAwaited(build) ? { 'data-poll': address, 'data-mark': mark } : {};
}

/** Whether its page will say something else without anybody's doing. */
export function isAwaited({ state, result, attempts }: BuildView): boolean {
  const isFinal = state === 'closed' && result !== undefined && !isProvisional(result);
  return !isFinal && !attempts?.setAside;
}

function Numbers({ build: { result, jobs, imported } }: { readonly build: BuildView }): VNode {
  if (result === undefined) return <NoNumber why={`${grouped(jobs)} ${jobs === 1 ? 'job' : 'jobs'} so far`} />;
  const percent = percentOfBuild(result.totals, imported);
  if (percent === undefined) return <NoNumber why="no relevant lines" />;
  // Rule 13: never a drop where something did not report.
  if (result.verdict.state === 'incomplete' || result.verdict.state === 'error')
    return <NoNumber why={`${showPercent(percent)} of what arrived`} />;
  return (
    <>
      <p class="total">
        {showPercent(percent).slice(0, -1)}
        <span class="unit">%</span>
      </p>
      {imported === undefined && <Change result={result} />}
      <Meter totals={result.totals} baseTotals={result.baseTotals} />
    </>
  );
}

function NoNumber({ why }: { readonly why: string }): VNode {
  return (
    <>
      <p class="total quiet">—</p>
      <p class="change">
        <span class="quiet">{why}</span>
      </p>
    </>
  );
}

function Change({ result }: { readonly result: Result }): VNode {
  const change = judgedChange(result);
  const before = result.baseTotals && totalPercent(result.baseTotals);
  if (change === undefined || before === undefined)
    return (
      <p class="change">
        <span class="quiet">nothing to compare with</span>
      </p>
    );
  const isSame = change.numerator === 0n;
  return (
    <p class="change">
      {!isSame && <span class={directionOf(change)}>{showChange(change)}</span>}{' '}
      <span class="quiet">
        {isSame && 'unchanged '}from {showPercent(before)}
      </span>
    </p>
  );
}

function Tags({ build, supersededBy }: Pick<SummaryOf, 'build' | 'supersededBy'>): VNode | null {
  const tags = [
    ...(build.result && isProvisional(build.result) ? ['provisional'] : []),
    ...(supersededBy === undefined ? [] : [`replaced by ${refOf(supersededBy)}`]),
    ...(build.trust === 'run' ? ['unverified'] : []),
    ...(build.excludedAsBase === undefined ? [] : ['not a base']),
  ];
  if (tags.length === 0) return null;
  return (
    <p class="tags">
      {tags.map((tag) => (
        <span class="tag warn">{tag}</span>
      ))}
    </p>
  );
}

function Says({ build }: { readonly build: BuildView }): VNode {
  const { result, attempts } = build;
  if (result === undefined && attempts?.setAside)
    return <Sentence look="fail" phrase={['This build couldn’t be finished.']} />;
  if (result === undefined) return <Sentence look="pending" phrase={[waitsFor(build)]} />;
  // Nobody judged it here: it has no verdict's shape.
  if (build.imported !== undefined) return <p class="says">{importedSentence(build.imported)}</p>;
  const base = result.base === undefined ? 'the base' : refOf(result.base);
  const phrase = overallPhrase(result, base, isProvisional(result) ? 'as far as is known' : '');
  return <Sentence look={lookOfOverall(overallOf(result))} phrase={phrase} />;
}

function waitsFor({ expectedJobs }: BuildView): string {
  return expectedJobs === undefined ? WAITING : `Waiting for jobs: ${arrivedOf(expectedJobs)} are in.`;
}

function Sentence({ look, phrase }: { readonly look: VerdictLook | 'pending'; readonly phrase: Phrase }): VNode {
  return (
    <p class={`says ${look}`}>
      <Icon name={look} />
      <span>
        <Words phrase={phrase} />
      </span>
    </p>
  );
}
