import type { VNode } from 'preact';
import { ImportedTag, judgedAt, judgedOf, Points, VerdictIcon, verdictLook } from '../../builds/pages/build-words.tsx';
import { pointPercent, TrendChart } from '../../builds/pages/trend-chart.tsx';
import { ALL_DAYS } from '../../builds/trend.ts';
import { HISTORY_SOURCES, percentOfBuild } from '../../core/builds/imported.ts';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { changeOf, showChange, showPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { Cell, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { countOf } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { showMoment, When } from '../../platform/web/when.tsx';
import { shortCommit } from '../../wording/build-name.ts';
import type { RepoOverview } from '../show-repo.ts';
import type { TrendPage } from '../show-trend-page.ts';

/** What a trend may cover. */
export const PERIODS = [
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: 365, name: '1 year' },
  { days: ALL_DAYS, name: 'All' },
] as const;

/** Which branch, flag and period are looked at; a form, so that each has an address. */
export function TrendForm({ shown, page }: { readonly shown: RepoOverview; readonly page: PageContext }): VNode {
  const { repo, asked, flag, flags, days } = shown;
  const address = (change: number): string =>
    page.links.ofRepo(repo, '', { branch: asked, flag: flag?.name, days: change });
  return (
    <form class="filter" action={page.links.repo(repo)}>
      <BranchChoice shown={shown} />
      {(flags.length > 0 || flag !== undefined) && (
        <Choice name="flag" label="Flag" chosen={flag?.name} choices={flags} none="all" />
      )}
      <input type="hidden" name="days" value={days} />
      <button type="submit">Show</button>
      <PeriodNav days={days} address={address} />
    </form>
  );
}

export function BranchChoice({ shown }: { readonly shown: RepoOverview }): VNode {
  const { asked, branches, defaultBranch = 'default' } = shown;
  const choices = branches.filter((branch) => branch !== defaultBranch);
  return <Choice name="branch" label="Branch" chosen={asked} choices={choices} none={`${defaultBranch} (default)`} />;
}

export function PeriodNav(props: { readonly days: number; readonly address: (days: number) => string }): VNode {
  return (
    <nav class="seg end" aria-label="Period">
      {PERIODS.map(({ days, name }) => (
        <a href={props.address(days)} {...(days === props.days && { 'aria-current': 'true' as const })}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** A select whose chosen value is among its choices. `none`: what stands for no choice. */
export function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly choices: readonly string[];
  readonly none?: string;
}): VNode {
  const { name, label, chosen, choices, none } = props;
  const all = chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices];
  return (
    <label>
      {label}{' '}
      <select name={name} data-submit>
        {none !== undefined && <option value="">{none}</option>}
        {all.map((choice) => (
          <option value={choice} selected={choice === chosen}>
            {printable(choice, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The number, how it went, and the builds behind it as a table. */
export function* heroParts(shown: RepoOverview, page: PageContext): Generator<Part> {
  const { branch, points } = shown;
  yield { tags: '<section class="hero" aria-label="Coverage">' };
  yield <HeroNumber shown={shown} page={page} />;
  if (points.length === 0) {
    yield (
      <p class="empty">
        No build of {printable(branch ?? '', 100)} {whyNone(shown.days)}
      </p>
    );
  } else {
    yield <TrendFigure shown={shown} page={page} />;
    yield { tags: '<details class="aside" id="trend"><summary>Show as a list</summary><div>' };
    yield* trendList(shown, page, whatOf(shown));
    yield { tags: '</div></details>' };
  }
  yield { tags: '</section>' };
}

/** The end of a sentence about builds that are not there. */
export function whyNone(days: number): string {
  return days === ALL_DAYS ? 'yet.' : `in these ${days} days. A longer period may have some.`;
}

function whatOf({ flag, branch }: RepoOverview): string {
  return `Coverage of ${printable(flag?.name ?? branch ?? '', 100)}`;
}

/** The chart with its legend. `overlays`: lines beside it; undefined: none are chosen here. */
export function TrendFigure(props: {
  readonly shown: RepoOverview;
  readonly overlays?: TrendPage['overlays'];
  readonly releases?: TrendPage['releases'];
  /** What a build of the trend is called; undefined: its commit says enough. */
  readonly titles?: ReadonlyMap<number, string>;
  readonly page: PageContext;
}): VNode {
  const { shown, overlays, releases = [], titles, page } = props;
  const { branch, points, period, flag, repo, days, asked } = shown;
  const label =
    `${whatOf(shown)} from ${showMoment(period.from)} to ${showMoment(period.to)}: ` +
    `${showPercent(pointPercent(points[0]))} to ${showPercent(pointPercent(points.at(-1)))}`;
  const query = { branch, flag: flag?.name, days };
  return (
    <figure>
      <TrendChart
        points={points}
        overlays={overlays?.map((one) => one.points)}
        releases={releases.map(({ name, build }) => ({ name: printable(name, 20), at: build.createdAt }))}
        period={period}
        label={label}
        nameOf={(point) => ({
          href: page.links.build(point.buildId),
          name: namePoint(point, titles?.get(point.buildId)),
        })}
      />
      <figcaption class="legend">
        <span class="lg-ok">passed build</span>
        <span class="lg-fail">failed build</span>
        {points.some(({ imported }) => imported !== undefined) && <span class="lg-was">imported</span>}
        {releases.length > 0 && <span class="lg-release">release</span>}
        {overlays?.map(({ name, points: own }, at) => (
          <span class="lg-over">
            <svg aria-hidden="true">
              <path class={`curve over over-${at + 1}`} d="M0 6H32" />
            </svg>{' '}
            {printable(name, 60)} {own.length > 0 && showPercent(pointPercent(own.at(-1)))}
          </span>
        ))}
        {overlays === undefined && (
          <a href={page.links.ofRepo(repo, 'trend', { branch: asked, days })}>Compare flags and groups</a>
        )}
        <a href={page.links.ofRepo(repo, 'trend.csv', query)}>CSV</a>
        <a href={page.links.ofRepo(repo, 'trend.json', query)}>JSON</a>
      </figcaption>
    </figure>
  );
}

/** `731a78f: 85.30%, +0.12 points, 18 November 2026, 09:14 UTC` */
export function namePoint(point: TrendPoint, title?: string): string {
  const { commit, totals, baseTotals, at, imported } = point;
  const change = changeOf(totals, baseTotals);
  const moved = change === undefined || change.numerator === 0n ? [] : [showChange(change)];
  const { word } = verdictLook(judgedAt(point));
  const standing = imported === undefined ? word.toLowerCase() : `from ${HISTORY_SOURCES[imported.from]}`;
  const parts = [showPercent(pointPercent(point)), ...moved, standing, showMoment(at)];
  const named = title === undefined ? '' : `, ${title}`;
  return `${commit === undefined ? 'no commit' : shortCommit(commit)}${named}: ${parts.join(', ')}`;
}

function HeroNumber({ shown, page }: { readonly shown: RepoOverview; readonly page: PageContext }): VNode {
  const { newest, flag, points, days } = shown;
  const totals = flag === undefined ? newest?.result?.totals : flag.result?.totals;
  const percent = percentOfBuild(totals, flag === undefined ? newest?.imported : undefined);
  return (
    <div>
      <p class="total">
        {percent === undefined ? <span class="quiet">—</span> : showPercent(percent).slice(0, -1)}
        {percent !== undefined && <span class="unit">%</span>}
      </p>
      <PeriodChange points={points} days={days} />
      <dl class="facts">
        <Fact name="Lines">{totals && countOf(totals.coveredLines, totals.relevantLines)}</Fact>
        <Fact name="Branches">{totals && countOf(totals.coveredBranches, totals.branches)}</Fact>
        <Fact name="Last build">
          {newest && (
            <span class={`v ${verdictLook(judgedOf(newest)).icon}`}>
              <VerdictIcon of={judgedOf(newest)} />{' '}
              <a class="ref" href={page.links.build(newest.id)}>
                {newest.commit === undefined ? 'no commit' : shortCommit(newest.commit)}
              </a>
            </span>
          )}
        </Fact>
        <Fact name="Built">{newest && <When at={newest.createdAt} now={page.now} />}</Fact>
      </dl>
    </div>
  );
}

/** How far a trend moved. */
export function PeriodChange(props: { readonly points: readonly TrendPoint[]; readonly days: number }): VNode | null {
  const { points, days } = props;
  const change = changeOf(points.at(-1)?.totals, points[0]?.totals);
  if (change === undefined || points.length < 2) return null;
  return (
    <p class="change">
      <Points change={change} unit /> <span class="quiet">{periodWords(days)}</span>
    </p>
  );
}

export function periodWords(days: number): string {
  return days === ALL_DAYS ? 'since the first build' : `in ${days} days`;
}

export function Fact(props: { readonly name: string; readonly children: VNode | string | undefined }): VNode | null {
  if (props.children === undefined) return null;
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** The points as a table, newest first. */
function* trendList({ points }: RepoOverview, page: PageContext, what: string): Generator<Part> {
  const rows = mapRows(points.toReversed(), (point) => {
    const change = changeOf(point.totals, point.baseTotals);
    return (
      <Row>
        <Cell class="main">
          <VerdictIcon of={judgedAt(point)} />{' '}
          <a class="ref" href={page.links.build(point.buildId)}>
            {point.commit === undefined ? 'no commit' : shortCommit(point.commit)}
          </a>{' '}
          {point.kind === 'carried' && <span class="tag carried">carried</span>}
          {point.imported && <ImportedTag imported={point.imported} />}
        </Cell>
        <Cell class="num lead">{showPercent(pointPercent(point))}</Cell>
        <Cell class="num" label="change">
          {change && <Points change={change} />}
        </Cell>
        <Cell class="when">
          <When at={point.at} now={page.now} />
        </Cell>
      </Row>
    );
  });
  const columns = [
    { name: 'Build', kind: 'grow' },
    { name: 'Coverage', kind: 'num' },
    { name: 'Change, points', kind: 'num' },
    { name: 'Built' },
  ] as const;
  yield* listTable({ label: what, columns, rows, dense: true });
}
