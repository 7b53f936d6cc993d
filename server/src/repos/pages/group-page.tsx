import type { VNode } from 'preact';
import { Percent, Points, verdictLook } from '../../builds/pages/build-words.tsx';
import { FilesOrder } from '../../builds/pages/files-filter.tsx';
import { Bar, TotalsChange } from '../../builds/pages/files-page.tsx';
import { pointPercent, TrendChart } from '../../builds/pages/trend-chart.tsx';
import { missedOf, type TreeRow } from '../../core/coverage/file-tree.ts';
import { changeOf, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, countOf, grouped, Pager } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { titleOf } from '../../wording/build-name.ts';
import { explainVerdict } from '../../wording/verdict-words.ts';
import type { GroupOfBuild, ShownGroup } from '../show-groups.ts';
import { groupLink } from './groups-page.tsx';
import { Fact, namePoint, PeriodChange, PeriodNav, periodWords, whyNone } from './repo-hero.tsx';
import { RuleSource } from './setting-rules.tsx';
import { Snippet } from './snippets.tsx';

export type RenderGroupPage = (shown: ShownGroup, page: PageContext) => Iterable<string>;

const COLUMNS: readonly Column[] = [
  { name: 'Build', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Built' },
];

/** One group: how it went, its paths, and its badge. */
export const renderGroupPage: RenderGroupPage = (shown, page) => {
  const { repo, maintains, newest, group } = shown;
  const { links } = page;
  const groups = { name: 'Groups', href: links.ofRepo(repo, 'groups') };
  const own = { name: printable(group.name, 60), href: groupLink(shown, group.id, page) };
  const frame = {
    title: `${printable(group.name, 60)} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, links, groups, own),
    tabs: repoTabs({ repo, current: 'Groups', commit: newest?.commit, maintains }, links),
  };
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: ShownGroup, page: PageContext): Generator<Part> {
  const { repo, group, builds, asked } = shown;
  const { name, id } = group;
  yield (
    <div class="head">
      <h1>{printable(name, 100)}</h1>
      <span class="kind">group</span>
      <PeriodNav days={asked.days} address={(days) => groupLink(shown, id, page, { ...filesQuery(asked), days })} />
    </div>
  );
  yield { tags: '<section class="hero" aria-label="Coverage">' };
  yield <GroupNumber shown={shown} page={page} />;
  yield <GroupTrend shown={shown} page={page} />;
  yield { tags: '</section>' };
  yield <GroupRules shown={shown} page={page} />;
  yield* fileParts(shown, page);
  yield { tags: '<section id="results"><div class="head"><h2>Results</h2>' };
  yield <span class="quiet">this group in the newest builds</span>;
  yield { tags: '</div>' };
  yield* listTable({ label: `Results of ${printable(name, 60)}`, columns: COLUMNS, rows: rowsOf(builds, page, repo) });
  yield { tags: '</section>' };
  // In Markdown it is in brackets.
  const label = printable(name, 60).replaceAll(/[[\]]/g, '');
  yield (
    <section>
      <h2>Badge</h2>
      <Snippet text={`![${label}](${page.site.origin}${page.links.badge(repo, { group: id })})`} />
    </section>
  );
}

function GroupNumber({ shown, page }: { readonly shown: ShownGroup; readonly page: PageContext }): VNode {
  const { group, newest, repo, points, asked } = shown;
  const { totals, verdict, cause, files } = group;
  const percent = totalPercent(totals);
  return (
    <div>
      <p class="total">
        {percent === undefined ? <span class="quiet">—</span> : showPercent(percent).slice(0, -1)}
        {percent !== undefined && <span class="unit">%</span>}
      </p>
      <PeriodChange points={points} days={asked.days} />
      <dl class="facts">
        <Fact name="Lines">{countOf(totals.coveredLines, totals.relevantLines)}</Fact>
        <Fact name="Branches">{countOf(totals.coveredBranches, totals.branches)}</Fact>
        <Fact name="Missed">{grouped(missedOf(totals))}</Fact>
        <Fact name="Files">{grouped(files)}</Fact>
        <Fact name="Newest build">
          {newest && <a href={page.links.build(newest.id)}>{titleOf(newest, page.links.terms(repo))}</a>}
        </Fact>
      </dl>
      {verdict !== undefined && <p class="quiet small after">{printable(explainVerdict(verdict, cause), 600)}</p>}
    </div>
  );
}

function GroupTrend({ shown, page }: { readonly shown: ShownGroup; readonly page: PageContext }): VNode {
  const { points, period, asked } = shown;
  if (points.length === 0) return <p class="empty">No build has this group {whyNone(asked.days)}</p>;
  const [from, to] = [points[0], points.at(-1)].map((point) => showPercent(pointPercent(point)));
  return (
    <figure>
      <TrendChart
        points={points}
        period={period}
        label={`Coverage of ${printable(shown.group.name, 100)} ${periodWords(asked.days)}: ${from} to ${to}`}
        nameOf={(point) => ({ href: page.links.build(point.buildId), name: namePoint(point) })}
      />
      <figcaption class="legend">
        <span class="lg-ok">passed</span>
        <span class="lg-fail">failed</span>
      </figcaption>
    </figure>
  );
}

/** Its paths and limits, as the file says them. */
function GroupRules({ shown, page }: { readonly shown: ShownGroup; readonly page: PageContext }): VNode | null {
  const { repo, rules: said, newest } = shown;
  if (said.length === 0) return null;
  const link = page.links.ofRepo(repo, 'rules');
  return (
    <section>
      <div class="head">
        <h2>Rules</h2>
        <span class="quiet">the last pattern that matches decides</span>
      </div>
      <dl class="pairs">
        {said.map((rule) => (
          <>
            <dt>{printable(rule.key, 60)}</dt>
            <dd>
              <code>{printable(rule.value, 400)}</code>{' '}
              <span class="quiet small">
                <RuleSource rule={rule} file={newest?.result?.rules?.file} link={link} />
              </span>
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}

const FILE_COLUMNS: readonly Column[] = [
  { name: 'File', kind: 'grow' },
  { name: '' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Missed', kind: 'num' },
];

function* fileParts(shown: ShownGroup, page: PageContext): Generator<Part> {
  const { files, group, asked } = shown;
  const address = groupLink(shown, group.id, page);
  yield { tags: '<section id="files">' };
  yield (
    <div class="head">
      <h2>
        Files
        <Count of={group.files} />
      </h2>
      {files !== undefined && <FilesOrder asked={asked} days={asked.days} action={`${address}#files`} />}
    </div>
  );
  if (files === undefined) {
    yield <p class="empty">The files of this group are no longer known. The next build will list them.</p>;
  } else if (files.rows.length === 0) {
    yield <p class="empty">No files match.</p>;
  } else {
    const rows = mapRows(files.rows, (row) => <FileRow row={row} shown={shown} page={page} />);
    yield* listTable({ label: `Files of ${printable(group.name, 60)}`, columns: FILE_COLUMNS, rows, dense: true });
    const query = { ...filesQuery(asked), days: asked.days };
    yield (
      <Pager paged={files} link={(number) => `${groupLink(shown, group.id, page, { ...query, page: number })}#files`} />
    );
  }
  yield { tags: '</section>' };
}

function filesQuery({ query, sort }: ShownGroup['asked']) {
  return { q: query === '' ? undefined : query, sort };
}

function FileRow(props: { readonly row: TreeRow; readonly shown: ShownGroup; readonly page: PageContext }): VNode {
  const { row, shown, page } = props;
  const { name, totals, base } = row;
  const { commit } = shown.newest ?? {};
  const percent = totalPercent(totals);
  return (
    <Row>
      <Cell class="main">
        {commit === undefined ? (
          printable(name, 300)
        ) : (
          <a class="path" href={page.links.file(shown.repo, commit, name)}>
            {printable(name, 300)}
          </a>
        )}
      </Cell>
      <Cell class="barcell">{percent !== undefined && <Bar totals={totals} />}</Cell>
      <Cell class="num lead">{percent === undefined ? '—' : showPercent(percent)}</Cell>
      <Cell class="num" label="change">
        <TotalsChange totals={totals} base={base} />
      </Cell>
      <Cell class="num" label="missed">
        {grouped(missedOf(totals))}
      </Cell>
    </Row>
  );
}

/** A mark where the patterns became others: numbers before keep those of their time. */
function* rowsOf(builds: readonly GroupOfBuild[], page: PageContext, repo: ShownGroup['repo']): Generator<VNode> {
  for (const [index, { build, group }] of builds.entries()) {
    const before = builds[index + 1]?.group.digest;
    const look = group.verdict && verdictLook(group.verdict);
    const change = changeOf(group.totals, group.baseTotals);
    yield (
      <Row>
        <Cell class="main">
          {look && <Icon name={look.icon} label={`${look.word}:`} />}{' '}
          <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>{' '}
          {!group.touched && <span class="tag">not touched</span>}{' '}
          {before !== undefined && before !== group.digest && <span class="tag">other paths from this build on</span>}
        </Cell>
        <Cell class="num lead">
          <Percent totals={group.totals} />
        </Cell>
        <Cell class="num" label="change">
          {change === undefined ? null : <Points change={change} />}
        </Cell>
        <Cell class="when">
          <When at={build.createdAt} now={page.now} />
        </Cell>
      </Row>
    );
  }
}
