import { FILE_PLACES } from '@coverage/shared/coverage-file';
import type { VNode } from 'preact';
import { Percent, Points, verdictLook } from '../../builds/pages/build-words.tsx';
import { FolderMap } from '../../builds/pages/folder-map.tsx';
import { Spark } from '../../builds/pages/trend-chart.tsx';
import type { ComposedOwner } from '../../core/builds/compose-groups.ts';
import type { GroupResult } from '../../core/builds/group-result.ts';
import { missedOf } from '../../core/coverage/file-tree.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { countOf, grouped } from '../../platform/web/counts.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import type { LinkQuery } from '../../platform/web/site-links.ts';
import { titleOf } from '../../wording/build-name.ts';
import { checkRule } from '../../wording/check-words.ts';
import { encodePart } from '../../wording/markdown.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import { GROUP_BUILDS, type ShownGroups } from '../show-groups.ts';

export type RenderGroupsPage = (shown: ShownGroups, by: 'group' | 'owner', page: PageContext) => Iterable<string>;

const COVERAGE: Column = { name: 'Coverage', kind: 'num' };
const SIZES: readonly Column[] = [
  { name: 'Lines', kind: 'num' },
  { name: 'Missed', kind: 'num' },
  { name: 'Files', kind: 'num' },
];
const OF_GROUP: readonly Column[] = [
  { name: 'Group', kind: 'grow' },
  COVERAGE,
  { name: `Last ${GROUP_BUILDS} builds` },
  { name: 'Change, points', kind: 'num' },
  ...SIZES,
  { name: 'Newest build' },
];
const OF_OWNER: readonly Column[] = [{ name: 'Owner', kind: 'grow' }, COVERAGE, ...SIZES];

/** Where the missed lines are, and whose they are: the groups of the newest build, or its owners. */
export const renderGroupsPage: RenderGroupsPage = (shown, by, page) => {
  const { repo, maintains, newest } = shown;
  const frame = {
    title: `${by === 'owner' ? 'Owners' : 'Groups'} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Groups', href: page.links.ofRepo(repo, 'groups') }),
    tabs: repoTabs({ repo, current: 'Groups', commit: newest?.commit, maintains }, page.links),
  };
  return renderPage(page, frame, mainParts(shown, by, page));
};

function* mainParts(shown: ShownGroups, by: 'group' | 'owner', page: PageContext): Generator<Part> {
  const { repo, newest, branch } = shown;
  const { links } = page;
  const { groups = [], owners = [], rules } = newest?.result ?? {};
  const address = links.ofRepo(repo, 'groups');
  yield (
    <div class="head">
      <h1>{by === 'owner' ? 'Owners' : 'Groups'}</h1>
      {newest && (
        <span class="quiet">
          of <a href={links.build(newest.id)}>{titleOf(newest, links.terms(repo))}</a> on {printable(branch ?? '', 100)}
        </span>
      )}
      <nav class="seg end" aria-label="Group by">
        <a href={address} aria-current={by === 'group' ? 'true' : undefined}>
          Groups
          <Count of={groups.length} />
        </a>{' '}
        <a href={links.ofRepo(repo, 'groups', { by: 'owner' })} aria-current={by === 'owner' ? 'true' : undefined}>
          Owners
          <Count of={owners.length} />
        </a>
      </nav>
    </div>
  );
  yield* rulesSentences(rules).map((sentence) => <p class="note">{sentence}</p>);
  const isEmpty = by === 'owner' ? owners.length === 0 : groups.length === 0;
  if (isEmpty) {
    yield <Empty by={by} docs={links.docs('coverage-yml')} />;
    return;
  }
  if (by === 'owner') {
    const rows = mostMissedFirst(owners).map(ownerRow);
    yield* listTable({ label: 'Owners', columns: OF_OWNER, rows });
  } else {
    yield <FolderMap rows={groups.map(mapRow)} link={({ name }) => groupLink(shown, name, page)} />;
    yield <MapLegend />;
    const rows = mostMissedFirst(groups).map((group) => groupRow(group, shown, page));
    yield* listTable({ label: 'Groups', columns: OF_GROUP, rows });
  }
  yield (
    <p class="quiet small after">
      {by === 'owner'
        ? 'By CODEOWNERS at the base of the build. A file with two owners counts for both.'
        : 'A file can be in several groups or in none, so groups need not add up to the total.'}{' '}
      <a href={links.ofRepo(repo, 'rules')}>Rules</a>
    </p>
  );
}

function mostMissedFirst<One extends Pick<GroupResult, 'totals'>>(all: readonly One[]): readonly One[] {
  return all.toSorted((a, b) => missedOf(b.totals) - missedOf(a.totals));
}

function MapLegend(): VNode {
  return (
    <p class="legend">
      <span class="lg-covered">covered</span>
      <span class="lg-missed">missed</span>
      <span>the wider, the more lines</span>
    </p>
  );
}

function Empty({ by, docs }: { readonly by: 'group' | 'owner'; readonly docs: string }): VNode {
  return (
    <p class="empty">
      {by === 'owner' ? 'No owners are counted. Set ' : 'No groups yet. Name them under '}
      <code>{by === 'owner' ? 'owners: true' : 'groups:'}</code> in <code>{FILE_PLACES[0]}</code>:{' '}
      <a href={docs}>how</a>.
    </p>
  );
}

export function groupLink(
  { repo }: Pick<ShownGroups, 'repo'>,
  id: string,
  { links }: PageContext,
  query: LinkQuery = {},
): string {
  return links.ofRepo(repo, `groups/${encodePart(id)}`, query);
}

/** `name` leads to the group; what is shown is its own. */
function mapRow({ id, name, totals, baseTotals }: GroupResult) {
  return { kind: 'folder' as const, name: id, label: name, depth: 0, totals, base: baseTotals };
}

function groupRow(group: GroupResult, shown: ShownGroups, page: PageContext): VNode {
  const { id, name, totals, verdict, files } = group;
  const points = shown.points.get(id) ?? [];
  const change = points.length > 1 ? changeOf(points.at(-1)?.totals, points[0]?.totals) : undefined;
  const look = verdict && verdictLook(verdict);
  return (
    <Row>
      <Cell class="main">
        <a href={groupLink(shown, id, page)}>{printable(name, 100)}</a>
      </Cell>
      <Cell class="num lead">
        <Percent totals={totals} />
      </Cell>
      <Cell class="barcell">
        <Spark points={points} label={`last ${points.length} builds`} />
      </Cell>
      <Cell class="num" label="change">
        {change !== undefined && <Points change={change} />}
      </Cell>
      <SizeCells totals={totals} files={files} />
      <Cell class="nowrap">
        {look === undefined || verdict === undefined ? (
          <span class="quiet">no rule</span>
        ) : (
          <>
            <Icon name={look.icon} label={`${look.word}:`} /> {verdict.rule === 'untouched' ? 'Not touched' : look.word}
            <span class="sub">{verdict.rule === 'untouched' ? null : checkRule({ verdict })}</span>
          </>
        )}
      </Cell>
    </Row>
  );
}

function ownerRow({ owner, totals, files }: ComposedOwner): VNode {
  return (
    <Row>
      <Cell class="main">{owner === undefined ? 'No owner' : <code>{printable(owner, 100)}</code>}</Cell>
      <Cell class="num lead">
        <Percent totals={totals} />
      </Cell>
      <SizeCells totals={totals} files={files} />
    </Row>
  );
}

function SizeCells({ totals, files }: Pick<GroupResult, 'totals' | 'files'>): VNode {
  return (
    <>
      <Cell class="num" label="lines">
        {countOf(totals.coveredLines, totals.relevantLines)}
      </Cell>
      <Cell class="num" label="missed">
        {grouped(missedOf(totals))}
      </Cell>
      <Cell class="num" label="files">
        {grouped(files)}
      </Cell>
    </>
  );
}
