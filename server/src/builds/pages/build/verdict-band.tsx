import type { VNode } from 'preact';
import type { Landing } from '../../../core/builds/build-facts.ts';
import type { Imported } from '../../../core/builds/imported.ts';
import { showPercent, totalPercent } from '../../../core/coverage/percent.ts';
import type { CoverageTotals } from '../../../core/coverage/totals.ts';
import { printable } from '../../../core/printable.ts';
import { countOf } from '../../../platform/web/page-parts.tsx';
import type { Part } from '../../../platform/web/render-parts.tsx';
import { When } from '../../../platform/web/when.tsx';
import { describeBaseRule } from '../../../wording/base-words.ts';
import { refOf, shortCommit } from '../../../wording/build-name.ts';
import { shownThere } from '../../../wording/imported-words.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import type { BuildPlace } from './build-place.ts';
import { type BandOf, nextSteps } from './next-steps.tsx';
import { counts } from './shown-numbers.tsx';
import { type Fact, verdictParts } from './verdict-summary.tsx';

type Result = NonNullable<ShownBuildPage['build']['result']>;

/** Is it good, and what is to be done. */
export function verdictBand({ shown, place }: BandOf): Iterable<Part> {
  const { build, mark, supersededBy, flags, jobs, toCover } = shown;
  const { selected } = toCover;
  const facts = build.result === undefined ? pendingFacts(shown, place) : resultFacts(shown, build.result, place);
  const steps = nextSteps({ shown, place });
  return verdictParts({ build, flags, jobsPage: jobs.page, selected, place, steps, facts, mark, supersededBy });
}

/** What arrived, and what has not. */
function pendingFacts({ build, jobs, awaited }: ShownBuildPage, { now }: BuildPlace): readonly Fact[] {
  const flags = [...new Set(jobs.entries.flatMap(({ facts }) => facts.flag ?? []))];
  const arrived = flags.length === 0 ? '' : `${names(flags)}, `;
  return [
    [
      'Received',
      build.jobs === 0 ? (
        <span class="quiet">nothing yet</span>
      ) : (
        <>
          {arrived}
          <When at={build.lastJobAt} now={now} />
        </>
      ),
    ],
    ...(awaited.length === 0 ? [] : [['Not yet', names(awaited)] as const]),
  ];
}

const MAX_NAMES = 5;

function names(flags: readonly string[]): string {
  const shown = flags.slice(0, MAX_NAMES).map((flag) => printable(flag, 60));
  return flags.length > MAX_NAMES ? `${shown.join(', ')} and ${flags.length - MAX_NAMES} more` : shown.join(', ');
}

function resultFacts({ build }: ShownBuildPage, result: Result, place: BuildPlace): readonly Fact[] {
  const { totals, patch, base } = result;
  if (build.imported !== undefined) return importedFacts(build.imported, totals, place);
  const changed = patch && totalPercent(patch.totals);
  return [
    ...(patch === undefined || (patch.verdict && changed !== undefined)
      ? []
      : [['Changed lines', <ChangedLines patch={patch} changed={changed} />] as const]),
    ['All lines', countOf(totals.coveredLines, totals.relevantLines)],
    ...(totals.branches === 0 ? [] : [['All branches', countOf(totals.coveredBranches, totals.branches)] as const]),
    [
      'Compared with',
      base === undefined ? <span class="quiet">no earlier build</span> : <Base base={base} place={place} />,
    ],
    ...(build.landed === undefined ? [] : [['Counts for', <Landed landed={build.landed} />] as const]),
  ];
}

function importedFacts(imported: Imported, totals: CoverageTotals, { now }: BuildPlace): readonly Fact[] {
  const there = shownThere(imported, totals);
  const { relevantLines, coveredLines } = totals;
  return [
    ...(relevantLines === 0 ? [] : [['All lines', countOf(coveredLines, relevantLines)] as const]),
    ...(totals.branches === 0 ? [] : [['All branches', countOf(totals.coveredBranches, totals.branches)] as const]),
    ...(there === undefined ? [] : [['Shown there', there] as const]),
    ['Imported', <When at={imported.at} now={now} />],
  ];
}

function ChangedLines(props: {
  readonly patch: NonNullable<Result['patch']>;
  readonly changed: ReturnType<typeof totalPercent>;
}): VNode {
  const { patch, changed } = props;
  if (changed === undefined) {
    const none = patch.complete ? 'none is relevant' : 'none is known';
    return <span class="quiet">{patch.notMeasured === undefined ? none : 'not measured'}</span>;
  }
  return (
    <>
      {showPercent(changed)} <span class="quiet">{counts(patch.totals)}</span>
    </>
  );
}

export function Base(props: { readonly base: NonNullable<Result['base']>; readonly place: BuildPlace }): VNode {
  const { base, place } = props;
  return (
    <>
      <a class="ref" href={place.links.build(base.buildId)}>
        {refOf(base)}
      </a>
      {', '}
      <span class="quiet">{printable(describeBaseRule(base), 300)}</span>
    </>
  );
}

const LANDED: Record<Landing['how'], string> = {
  'merge-queue': 'its merge queue landed it there',
  'same-commit': 'its commit is on that branch',
  'same-tree': 'the commit there has the tree that was tested here',
};

function Landed({ landed }: { readonly landed: Landing }): VNode {
  return (
    <>
      <span class="ref">{printable(landed.branch, 200)}</span> as{' '}
      <span class="ref" title={printable(landed.commit, 64)}>
        {shortCommit(landed.commit)}
      </span>
      : <span class="quiet">{LANDED[landed.how]}</span>
    </>
  );
}
