import type { VNode } from 'preact';
import { type ListedFlags, SPARK } from '../../builds/list-flags.ts';
import { Percent, Points } from '../../builds/pages/build-words.tsx';
import { Spark } from '../../builds/pages/trend-chart.tsx';
import { nameContext } from '../../core/announce/contexts.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, countOf, Pager } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { showAge, When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { Choice } from './repo-hero.tsx';

const COLUMNS: readonly Column[] = [
  { name: 'Flag', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: `${SPARK.days} days` },
  { name: `${SPARK.days} days, points`, kind: 'num' },
  { name: 'Lines', kind: 'num' },
  { name: 'Branches', kind: 'num' },
  { name: 'Last report' },
  { name: 'Commit status' },
];

/** All flags of a branch's newest build. */
export const renderFlagsPage = (listed: ListedFlags, page: PageContext): Iterable<string> => {
  const { repo, maintains, newest } = listed;
  const frame = {
    title: `Flags · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Flags', href: page.links.ofRepo(repo, 'flags') }),
    tabs: repoTabs({ repo, current: 'Flags', commit: newest?.commit, maintains }, page.links),
  };
  return renderPage(page, frame, mainParts(listed, page));
};

function* mainParts(listed: ListedFlags, page: PageContext): Generator<Part> {
  const { repo, asked, branch, branches, newest, flags, maintains } = listed;
  const address = page.links.ofRepo(repo, 'flags');
  const standard = asked === undefined ? (branch ?? 'default') : 'default';
  yield (
    <div class="head">
      <h1>Flags</h1>
      {newest && (
        <span class="quiet">
          of <a href={page.links.build(newest.id)}>{titleOf(newest, page.links.terms(repo))}</a> on{' '}
          {printable(branch ?? '', 100)}
        </span>
      )}
      <form class="filter end" action={address}>
        <Choice
          name="branch"
          label="Branch"
          chosen={asked}
          choices={branches.filter((name) => name !== standard)}
          none={asked === undefined ? `${standard} (default)` : 'default branch'}
        />
        <button type="submit">Show</button>
      </form>
    </div>
  );
  yield { tags: '<section class="tight">' };
  if (flags.length === 0) yield <NoFlags />;
  else {
    yield* listTable({
      label: `Flags on ${printable(branch ?? '', 100)}`,
      columns: COLUMNS,
      rows: rowsOf(listed, page),
    });
    yield <Pager paged={listed} link={(to) => page.links.ofRepo(repo, 'flags', { branch: asked, page: to })} />;
  }
  yield { tags: '</section>' };
  yield (
    <p class="quiet small after">
      A flag is a part of your tests with its own number.{' '}
      {maintains && (
        <>
          The flags that a build must have are set under{' '}
          <a href={page.links.ofRepo(repo, 'settings/builds')}>Settings</a>.
        </>
      )}
    </p>
  );
}

function NoFlags(): VNode {
  return (
    <p class="empty">
      No flags yet. A job that is uploaded with <code>flag-name: unit</code> (or <code>flag_name</code> in its JSON)
      gets a number and a commit status of its own, and appears here.
    </p>
  );
}

type Listed = ListedFlags['flags'][number];

function* rowsOf(listed: ListedFlags, page: PageContext): Generator<VNode> {
  const ended = listed.flags.filter(({ result }) => result.kind === 'missing');
  for (const flag of listed.flags) if (flag.result.kind !== 'missing') yield flagRow(flag, listed, page);
  if (ended.length === 0) return;
  yield (
    <Row class="group">
      <th role="rowheader" scope="rowgroup" colSpan={COLUMNS.length}>
        Not in the newest build
        <Count of={ended.length} />
      </th>
    </Row>
  );
  for (const flag of ended) yield flagRow(flag, listed, page);
}

function flagRow({ result, points }: Listed, { repo, asked, newest, names }: ListedFlags, page: PageContext): VNode {
  const { name, carried, lastSeen, kind } = result;
  const totals = result.totals ?? lastSeen?.totals;
  const change = points.length > 1 ? changeOf(points.at(-1)?.totals, points[0]?.totals) : undefined;
  const reported = points.findLast((point) => point.kind === 'uploaded')?.at;
  const at = carried?.closedAt ?? (kind === 'uploaded' ? newest?.createdAt : reported);
  return (
    <Row>
      <Cell class="main">
        <a href={page.links.ofRepo(repo, '', { branch: asked, flag: name })}>{printable(name, 100)}</a>{' '}
        {carried !== undefined && (
          <span class="tag carried">
            carried{carried.commit !== undefined && ` from ${shortCommit(carried.commit)}`},{' '}
            {showAge(carried.closedAt, page.now)}
          </span>
        )}
      </Cell>
      <Cell class={kind === 'missing' ? 'num lead quiet' : 'num lead'}>
        <Percent totals={totals} />
      </Cell>
      <Cell class="barcell">
        <Spark points={points} label={`${SPARK.days} days`} />
      </Cell>
      <Cell class="num" label={`${SPARK.days} days`}>
        {change === undefined ? null : <Points change={change} />}
      </Cell>
      <Cell class="num" label="lines">
        {totals ? countOf(totals.coveredLines, totals.relevantLines) : null}
      </Cell>
      <Cell class="num" label="branches">
        {totals ? countOf(totals.coveredBranches, totals.branches) : null}
      </Cell>
      <Cell class="when">{at === undefined ? null : <When at={at} now={page.now} />}</Cell>
      <Cell label="status">
        {names === undefined ? <span class="quiet">none</span> : <code>{nameContext(names, { flag: name })}</code>}
      </Cell>
    </Row>
  );
}
