import type { VNode } from 'preact';
import { Percent, Points, verdictLook } from '../../builds/pages/build-words.tsx';
import { Spark } from '../../builds/pages/trend-chart.tsx';
import { missedOf } from '../../core/coverage/file-tree.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { grouped } from '../../platform/web/counts.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { titleOf } from '../../wording/build-name.ts';
import { explainVerdict } from '../../wording/verdict-words.ts';
import type { GroupOfBuild, ShownGroup } from '../show-groups.ts';
import { groupLink } from './groups-page.tsx';

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
  const { repo, group, builds, newest, points } = shown;
  const { links, site } = page;
  const { totals, verdict, cause, files, id, name } = group;
  // In Markdown it stands in brackets.
  const label = printable(name, 60).replaceAll(/[[\]]/g, '');
  yield (
    <div class="head">
      <h1>{printable(name, 100)}</h1>
      <span class="quiet">
        {grouped(files)} {files === 1 ? 'file' : 'files'}, {grouped(missedOf(totals))} lines and branches missed
      </span>
    </div>
  );
  yield (
    <p class="lead">
      <Percent totals={totals} /> <Spark points={points.get(id) ?? []} days={0} />
    </p>
  );
  if (verdict !== undefined) yield <p>{printable(explainVerdict(verdict, cause), 600)}</p>;
  yield <h2>Results</h2>;
  yield* listTable({ label: `Results of ${printable(name, 60)}`, columns: COLUMNS, rows: rowsOf(builds, page, repo) });
  const value = (newest?.result?.rules?.values ?? []).filter(({ key }) => key.startsWith(`groups.${id}.`));
  if (value.length > 0) {
    yield (
      <section>
        <h2>Rules</h2>
        <dl class="pairs">
          {value.map(({ key, value: said }) => (
            <>
              <dt>{printable(key.slice(`groups.${id}.`.length), 60)}</dt>
              <dd>
                <code>{printable(said, 400)}</code>
              </dd>
            </>
          ))}
        </dl>
        <p class="quiet small after">
          The last pattern that fits decides. <a href={links.ofRepo(repo, 'rules')}>Where each comes from</a>
        </p>
      </section>
    );
  }
  yield (
    <section>
      <h2>Badge</h2>
      <pre class="all fit">
        <code>{`![${label}](${site.origin}${links.badge(repo, { group: id })})`}</code>
      </pre>
    </section>
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
          {before !== undefined && before !== group.digest && <span class="tag">other paths from here on</span>}
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
