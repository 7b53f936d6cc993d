import { FILE_PLACES } from '@coverage/shared/coverage-file';
import type { VNode } from 'preact';
import { Percent, Points, VerdictMark } from '../../builds/pages/build-words.tsx';
import { FolderMap } from '../../builds/pages/folder-map.tsx';
import { Spark } from '../../builds/pages/trend-chart.tsx';
import type { GroupResult } from '../../core/builds/group-result.ts';
import { missedOf } from '../../core/coverage/file-tree.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import type { GroupRule } from '../../core/repo/repo-rules.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, grouped } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import type { LinkQuery } from '../../platform/web/site-links.ts';
import { titleOf } from '../../wording/build-name.ts';
import { checkRule } from '../../wording/check-words.ts';
import { encodePart } from '../../wording/markdown.ts';
import { capitalize } from '../../wording/phrases.ts';
import { groupRuleWords } from '../../wording/rule-words.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import { GROUP_BUILDS, type ListedGroup, type ListedOwner, type ShownGroups } from '../show-groups.ts';

export type RenderGroupsPage = (shown: ShownGroups, by: 'group' | 'owner', page: PageContext) => Iterable<string>;

const columnsOf = (name: string): readonly Column[] => [
  { name, kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: `Last ${GROUP_BUILDS} builds` },
  { name: 'Change, points', kind: 'num' },
  { name: 'Missed', kind: 'num' },
  { name: 'Files', kind: 'num' },
  { name: 'Rule' },
  { name: 'Newest build' },
];

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
  const { groups, owners, newest } = shown;
  const { links } = page;
  yield <Heading shown={shown} by={by} page={page} />;
  yield* rulesSentences(newest?.result?.rules).map((sentence) => <p class="note">{sentence}</p>);
  yield* groups.flatMap((group) => (by === 'owner' ? [] : (emptyNote(group, shown, page) ?? [])));
  const isEmpty = by === 'owner' ? owners.length === 0 : groups.length === 0;
  if (isEmpty) {
    yield <Empty by={by} docs={links.docs('coverage-yml')} />;
    return;
  }
  if (by === 'owner') {
    const rows = mostMissedFirst(owners).map((owner) => ownerRow(owner, shown, page));
    yield* listTable({ label: 'Owners', columns: columnsOf('Owner'), rows });
  } else {
    yield <FolderMap rows={groups.map(mapRow)} link={({ name }) => groupLink(shown, name, page)} />;
    yield <MapLegend />;
    const rows = mostMissedFirst(groups).map((group) => groupRow(group, shown, page));
    yield* listTable({ label: 'Groups', columns: columnsOf('Group'), rows });
  }
  yield (
    <p class="quiet small after">
      {by === 'owner'
        ? 'By CODEOWNERS at the base of the build. A file with two owners counts for both, so the rows don’t add up ' +
          'to the total. This list mentions and notifies nobody.'
        : 'A file can be in several groups or in none, so groups need not add up to the total.'}{' '}
      <a href={links.ofRepo(shown.repo, 'rules')}>Rules</a>
    </p>
  );
  if (by === 'owner') yield <MinimumHint owners={owners} docs={links.docs('coverage-yml')} />;
}

function Heading(props: {
  readonly shown: ShownGroups;
  readonly by: 'group' | 'owner';
  readonly page: PageContext;
}): VNode {
  const { shown, by, page } = props;
  const { repo, newest, branch, groups, owners } = shown;
  const { links } = page;
  return (
    <div class="head">
      <h1>{by === 'owner' ? 'Owners' : 'Groups'}</h1>
      {newest && (
        <span class="quiet">
          of <a href={links.build(newest.id)}>{titleOf(newest, links.terms(repo))}</a> on {printable(branch ?? '', 100)}
        </span>
      )}
      <nav class="seg end" aria-label="Group by">
        <a href={links.ofRepo(repo, 'groups')} aria-current={by === 'group' ? 'true' : undefined}>
          Groups
          <Count of={groups.length} />
        </a>{' '}
        <a href={links.ofRepo(repo, 'groups', { by: 'owner' })} aria-current={by === 'owner' ? 'true' : undefined}>
          Owners
          <Count of={owners.length} />
        </a>
        {newest?.commit !== undefined && (
          <>
            {' '}
            <a href={links.tree(repo, newest.commit)}>Folders</a>
          </>
        )}
      </nav>
    </div>
  );
}

/** How an owner gets a rule, with the one that misses most and has none as the example. */
function MinimumHint({ owners, docs }: { readonly owners: readonly ListedOwner[]; readonly docs: string }) {
  const hasNoCheck = ({ owner, group }: ListedOwner) => owner !== undefined && group?.verdict === undefined;
  const example = mostMissedFirst(owners).find(hasNoCheck)?.owner;
  if (example === undefined) return null;
  const quoted = `'${printable(example, 100).replaceAll("'", "''")}'`;
  return (
    <section>
      <p class="note">
        <b>Give an owner a minimum</b> in <code>{FILE_PLACES[0]}</code>:{' '}
        <code>{`groups: [{ owner: ${quoted}, total: { minimum: 70 } }]`}</code>. It becomes a check on each pull request
        that touches one of the owner’s files. <a href={docs}>Documentation</a>
      </p>
    </section>
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

/** Its check passes, so nothing else says that its patterns are out of date. */
function emptyNote({ name, rule, emptySince }: ListedGroup, { repo }: ShownGroups, { links }: PageContext) {
  if (emptySince === undefined) return undefined;
  const patterns = rule?.files.kind === 'paths' ? ` (${printable(rule.files.patterns.join(', '), 200)})` : '';
  return (
    <p class="note">
      Group <b>{printable(name, 60)}</b>
      {patterns} has matched no file since{' '}
      <a href={links.build(emptySince.id)}>{titleOf(emptySince, links.terms(repo))}</a>. Correct its paths in{' '}
      <code>{FILE_PLACES[0]}</code>, or remove it.
    </p>
  );
}

function Empty({ by, docs }: { readonly by: 'group' | 'owner'; readonly docs: string }): VNode {
  return (
    <p class="empty">
      {by === 'owner' ? 'No owners are counted. Set ' : 'No groups yet. Name them under '}
      <code>{by === 'owner' ? 'owners: true' : 'groups:'}</code> in <code>{FILE_PLACES[0]}</code>.{' '}
      <a href={docs}>How to do that</a>
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

function groupRow(group: ListedGroup, shown: ShownGroups, page: PageContext): VNode {
  const { id, name, rule } = group;
  return (
    <Row>
      <Cell class="main">
        <a href={groupLink(shown, id, page)}>{printable(name, 100)}</a>
        {rule?.files.kind === 'paths' && <span class="sub path">{somePatterns(rule.files.patterns)}</span>}
      </Cell>
      <NumberCells of={group} />
      <RuleCells group={group} rule={rule} />
    </Row>
  );
}

/** Patterns of a group that its row has room for. */
const PATTERNS = 2;

function somePatterns(patterns: readonly string[]): string {
  const more = patterns.length - PATTERNS;
  const shown = patterns.slice(0, PATTERNS).map((pattern) => printable(pattern, 60));
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function ownerRow(one: ListedOwner, shown: ShownGroups, page: PageContext): VNode {
  const { owner, group, rule } = one;
  const name = owner === undefined ? 'No owner' : <code>{printable(owner, 100)}</code>;
  return (
    <Row>
      <Cell class="main">{group === undefined ? name : <a href={groupLink(shown, group.id, page)}>{name}</a>}</Cell>
      <NumberCells of={one} />
      <RuleCells group={group} rule={rule} />
    </Row>
  );
}

function NumberCells({ of }: { readonly of: ListedGroup | ListedOwner }): VNode {
  const { totals, files, points } = of;
  const change = points.length > 1 ? changeOf(points.at(-1)?.totals, points[0]?.totals) : undefined;
  return (
    <>
      <Cell class="num lead">
        <Percent totals={totals} />
      </Cell>
      <Cell class="barcell">
        <Spark points={points} label={`last ${points.length} builds`} />
      </Cell>
      <Cell class="num" label="change">
        {change !== undefined && <Points change={change} />}
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

/** What the file asks of it, and whether the newest build passes by it. */
function RuleCells(props: { readonly group: GroupResult | undefined; readonly rule: GroupRule | undefined }): VNode {
  const { group, rule } = props;
  const verdict = group?.verdict;
  const known = rule === undefined ? [] : groupRuleWords(rule).map(capitalize);
  const [first = verdict && checkRule({ verdict }), ...others] = known;
  return (
    <>
      <Cell class="nowrap small" label={first ? 'rule' : undefined}>
        {[first, ...others.map((words) => <span class="sub">{words}</span>)]}
      </Cell>
      <Cell class="nowrap">
        {verdict === undefined ? (
          <span class="quiet">no rule</span>
        ) : (
          <VerdictMark of={verdict} words={verdict.rule === 'untouched' ? 'Not touched' : undefined} />
        )}
      </Cell>
    </>
  );
}
