import type { VNode } from 'preact';
import type { Landing } from '../domain/builds/build-facts.ts';
import type { BuildView } from '../domain/builds/build-summary.ts';
import { isProvisional } from '../domain/builds/provisional.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ShownBuild } from '../use-cases/builds/show-build.ts';
import { describeBaseRule } from '../wording/base-rule.ts';
import { describeStanding } from '../wording/base-standing.ts';
import { readWarnings } from '../wording/build-warnings.ts';
import { explainVerdict } from '../wording/verdict-words.ts';
import { deliveryTable, directionOf, flagTable, jobTable } from './build-tables.tsx';
import { causeTable, changedFiles, patchTable } from './change-tables.tsx';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';
import { type Fact, FactList, rateFacts, WarningList } from './page-parts.tsx';
import { repoCrumbs, repoTabs } from './page-top.tsx';
import type { Part } from './render-parts.tsx';
import type { PageLinks, SiteLinks } from './site-links.ts';

type Result = NonNullable<BuildView['result']>;

export type RenderBuildPage = (shown: ShownBuild, page: PageContext) => Iterable<string>;

/** The page of one build: what its statuses link to (rule 24). */
export const renderBuildPage: RenderBuildPage = (shown, page) => {
  const { links } = page;
  const { build, repo } = shown;
  const frame = {
    title: `Build ${printable(build.number, 60)} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, links, { name: printable(build.number, 60), href: links.build(build.id) }),
    tabs: repoTabs({ repo, current: undefined }, links),
  };
  return renderPage(page, frame, mainParts(shown, links));
};

const OPEN = 'This build is open: it waits for jobs, or for the request that closes it. There is no result yet.';
const SET_ASIDE =
  'This build was set aside: it could not be closed, and is not tried again by itself. Why is said below.';

function* mainParts(shown: ShownBuild, links: SiteLinks): Generator<Part> {
  const { build } = shown;
  const { result } = build;
  yield (
    <>
      <h1>Build {printable(build.number, 60)}</h1>
      <Summary build={build} />
      <FactList facts={factsOf(build, links)} />
    </>
  );
  yield <WarningList sentences={readWarnings({ ...shown, jobs: shown.jobs.entries, deliveries: shown.parked })} />;
  if (result) {
    yield* flagTable({ shown, links });
    const place = { buildId: build.id, links };
    if (result.cause) yield* causeTable(result.cause);
    if (result.patch) yield* patchTable(result.patch, place);
    yield* changedFiles(result, place);
  }
  yield* jobTable({ shown, links });
  yield* deliveryTable({ shown });
}

function Summary({ build }: { readonly build: BuildView }): VNode {
  const { result } = build;
  if (result === undefined) return <p class="verdict">{build.attempts?.setAside ? SET_ASIDE : OPEN}</p>;
  const change = changeOf(result.totals, result.baseTotals);
  return (
    <>
      <p>
        <span class="total">{showPercent(totalPercent(result.totals))}</span>{' '}
        {change && result.verdict.state !== 'incomplete' && (
          <span class={directionOf(change)}>{showChange(change)}</span>
        )}
      </p>
      <p class={`verdict ${result.verdict.state}`}>
        <strong>{result.verdict.state}</strong> by rule <code>{result.verdict.rule}</code>:{' '}
        {explainVerdict(result.verdict, result.cause)}
      </p>
      {isProvisional(result) && <p class="quiet">{waitsFor(result)}</p>}
      {build.state === 'open' && (
        <p class="quiet">{build.attempts?.setAside ? SET_ASIDE : 'The result is being worked out again.'}</p>
      )}
    </>
  );
}

/** A provisional verdict says so, and since when it waits. */
function waitsFor({ provisionalSince }: Result): string {
  const since = provisionalSince === undefined ? '' : `, since ${new Date(provisionalSince).toISOString()}`;
  return (
    `Provisional: the provider has not answered about the base${since}. The build is worked out again when it ` +
    'does.'
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
      <code>{printable(landed.branch, 200)}</code> as <code>{printable(landed.commit, 64)}</code>: {LANDED[landed.how]}
    </>
  );
}

function factsOf(build: BuildView, links: SiteLinks): readonly Fact[] {
  const { result } = build;
  return [
    ...(result ? rateFacts(result.totals) : []),
    ['Files', result && <a href={links.sourceFiles(build.id)}>{result.files}</a>],
    ['Total', result && 'covered lines and branches together, of all relevant lines and branches together'],
    ['Compared with', result && <Base result={result} links={links} />],
    ['As a base', printable(describeStanding(build), 500)],
    ['Counts for', build.landed && <Landed landed={build.landed} />],
    ['Commit', build.commit && <code>{printable(build.commit)}</code>],
    ['Tested at', build.testedCommit && <code>{printable(build.testedCommit)}</code>],
    ['Branch', build.branch && <code>{printable(build.branch, 1_000)}</code>],
    ['Pull request', build.pullRequest === undefined ? undefined : `#${build.pullRequest}`],
    ['Message', build.message && printable(build.message.split(/\r?\n/, 1)[0] ?? '')],
    [
      'CI run',
      build.buildUrl && (
        <a href={build.buildUrl} rel="nofollow noopener">
          {printable(build.buildUrl)}
        </a>
      ),
    ],
    ['Closed', result && `${new Date(result.closedAt).toISOString()} by ${result.closedBy}`],
  ];
}

function Base({ result, links }: { readonly result: Result; readonly links: PageLinks }): VNode {
  const { base } = result;
  if (base === undefined) return <>no earlier build: this is the first</>;
  return (
    <>
      <a href={links.build(base.buildId)}>build {printable(base.number, 60)}</a>, {describeBaseRule(base)}
    </>
  );
}
