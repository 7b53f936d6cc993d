import type { VNode } from 'preact';
import { ImportedTag, judgedAt, OverallTag, Points, VerdictIcon } from '../../builds/pages/build-words.tsx';
import { pointPercent } from '../../builds/pages/trend-chart.tsx';
import { ALL_DAYS } from '../../builds/trend.ts';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { changeOf, showPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, foldedTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { counted, isoDay } from '../../wording/phrases.ts';
import { MAX_OVERLAYS, type OverlayChoice, type TrendPage } from '../show-trend-page.ts';
import { BranchChoice, PeriodNav, TrendFigure, whyNone } from './repo-hero.tsx';

export type RenderTrendPage = (shown: TrendPage, page: PageContext) => Iterable<string>;

/** Flags and groups that are offered at once; the others are in a fold. */
const OFFERED = 6;

/** When coverage moved, and in which build: the branch, with flags and groups beside it. */
export const renderTrendPage: RenderTrendPage = (shown, page) => {
  const { repo, newest, maintains, refused } = shown.overview;
  const crumbs = repoCrumbs(repo, page.links, { name: 'Trend', href: page.links.ofRepo(repo, 'trend') });
  const tabs = { repo, current: 'Overview', commit: newest?.commit, maintains, refusedUploads: refused } as const;
  const frame = { title: `Trend · ${printable(repo.name)}`, crumbs, tabs: repoTabs(tabs, page.links) };
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: TrendPage, page: PageContext): Generator<Part> {
  const { overview, overlays, releases, builds } = shown;
  const { repo, points, days, branch, period } = overview;
  const terms = page.links.terms(repo);
  const titles = new Map([...builds].map(([id, build]) => [id, titleOf(build, terms)]));
  yield (
    <div class="head">
      <h1>Trend</h1>
      <span class="quiet">
        of {printable(branch ?? 'the default branch', 100)},{' '}
        {days === ALL_DAYS ? `since ${isoDay(period.from)}` : `the last ${days} days`}
      </span>
    </div>
  );
  yield <ChoiceForm shown={shown} page={page} />;
  if (points.length === 0) {
    yield <p class="empty">No builds {whyNone(days)}</p>;
    return;
  }
  yield { tags: '<section class="tight" aria-label="Trend">' };
  yield <TrendFigure shown={overview} overlays={overlays} releases={releases} titles={titles} page={page} />;
  yield (
    <p class="quiet small after">
      Each dot is a link to its build. {counted(points.length, 'build')} {points.length === 1 ? 'is' : 'are'} drawn.
      Over a long period, one dot stands for several days.
    </p>
  );
  yield { tags: '</section><section id="list"><div class="head"><h2>As a list</h2>' };
  yield <span class="quiet">newest first</span>;
  yield { tags: '</div>' };
  yield* foldedTable({
    label: `Builds of ${printable(branch ?? '', 100)}`,
    columns: COLUMNS.filter(({ name }) => name !== 'Release' || releases.length > 0),
    items: points.toReversed(),
    row: (point) => <PointRow point={point} shown={shown} page={page} />,
    dense: true,
  });
  yield { tags: '</section>' };
}

const COLUMNS: readonly Column[] = [
  { name: 'Build', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Release' },
  { name: 'Built' },
];

function PointRow(props: { readonly point: TrendPoint; readonly shown: TrendPage; readonly page: PageContext }): VNode {
  const { point, shown, page } = props;
  const { builds, releases, overview } = shown;
  const { buildId, commit, totals, baseTotals, imported, at } = point;
  const build = builds.get(buildId);
  const ref = commit === undefined ? 'no commit' : shortCommit(commit);
  const change = changeOf(totals, baseTotals);
  const released = releases.filter((one) => commit !== undefined && one.build.commit === commit);
  return (
    <Row>
      <Cell class="main">
        <VerdictIcon of={judgedAt(point)} />{' '}
        <a href={page.links.build(buildId)}>{build ? titleOf(build, page.links.terms(overview.repo)) : ref}</a>{' '}
        {build && <OverallTag build={build} />} {imported && <ImportedTag imported={imported} />}
        {build && <span class="ref quiet">{ref}</span>}
      </Cell>
      <Cell class="num lead">{showPercent(pointPercent(point))}</Cell>
      <Cell class="num" label="change">
        {change && <Points change={change} />}
      </Cell>
      {releases.length > 0 && (
        <Cell label={released.length === 0 ? undefined : 'release'}>
          {released.map(({ name, build: own }) => (
            <a href={page.links.build(own.id)}>{printable(name, 40)}</a>
          ))}
        </Cell>
      )}
      <Cell class="when">
        <When at={at} now={page.now} />
      </Cell>
    </Row>
  );
}

function ChoiceForm({ shown, page }: { readonly shown: TrendPage; readonly page: PageContext }): VNode {
  const { overview, choices, overlays } = shown;
  const { repo, days, asked } = overview;
  const chosen = new Set(overlays.map(({ id }) => id));
  const sorted = choices.toSorted((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)));
  const [offered, others] = [sorted.slice(0, OFFERED), sorted.slice(OFFERED)];
  const boxes = (some: readonly OverlayChoice[]) => some.map((one) => <Box choice={one} on={chosen.has(one.id)} />);
  return (
    <form class="filter" action={page.links.ofRepo(repo, 'trend')}>
      <BranchChoice shown={overview} />
      {choices.length > 0 && (
        <fieldset class="picks">
          <legend>Compare with up to {MAX_OVERLAYS}</legend>
          {boxes(offered)}
          {others.length > 0 && (
            <details class="aside">
              <summary>{others.length} more</summary>
              <div class="picks">{boxes(others)}</div>
            </details>
          )}
        </fieldset>
      )}
      <input type="hidden" name="days" value={days} />
      <button type="submit">Show</button>
      <PeriodNav
        days={days}
        address={(change) =>
          [
            page.links.ofRepo(repo, 'trend', { branch: asked, days: change }),
            ...[...chosen].map(encodeURIComponent),
          ].join('&with=')
        }
      />
    </form>
  );
}

function Box({ choice, on }: { readonly choice: OverlayChoice; readonly on: boolean }): VNode {
  const { id, kind, name } = choice;
  return (
    <label class="choice">
      <input type="checkbox" name="with" value={id} checked={on} />{' '}
      <span>{kind === 'flag' ? <code>{printable(name, 60)}</code> : printable(name, 60)}</span>
    </label>
  );
}
