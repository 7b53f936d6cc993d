import type { VNode } from 'preact';
import { branchOf } from '../domain/builds/base-build.ts';
import type { BuildSummary } from '../domain/builds/build-summary.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { Timestamp } from '../domain/time.ts';
import type { ListedBuilds } from '../use-cases/builds/list-builds.ts';
import { renderPage } from './frame.tsx';
import { Cell, type Column, listTable, Row } from './list-table.tsx';
import type { PageContext } from './page-context.ts';
import { Pager, WarningList } from './page-parts.tsx';
import { repoCrumbs, repoTabs } from './page-top.tsx';
import { mapRows, type Part } from './render-parts.tsx';
import type { SiteLinks } from './site-links.ts';
import { When } from './when.tsx';

export type RenderRepoPage = (listed: ListedBuilds, page: PageContext) => Iterable<string>;

const COLUMNS: readonly Column[] = [
  { name: 'Build', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change', kind: 'num' },
  { name: 'Verdict' },
  { name: 'Branch' },
  { name: 'Commit' },
  { name: 'Built' },
];

/** The page of a repo: its builds, newest first, of all branches or of one. */
export const renderRepoPage: RenderRepoPage = (listed, page) => {
  const { links } = page;
  const { repo } = listed;
  const frame = {
    title: printable(repo.name),
    crumbs: repoCrumbs(repo, links),
    tabs: repoTabs({ repo, current: 'Overview' }, links),
  };
  return renderPage(page, frame, mainParts(listed, page));
};

function* mainParts(listed: ListedBuilds, { links, now }: PageContext): Generator<Part> {
  const { repo, branch, builds, warnings } = listed;
  yield (
    <>
      <h1>Builds{branch === undefined ? '' : ` on ${printable(branch)}`}</h1>
      {branch !== undefined && (
        <p>
          <a href={links.repo(repo)}>all branches</a>
        </p>
      )}
      <WarningList sentences={warnings} />
    </>
  );
  if (builds.length === 0) yield <p class="empty">No builds here.</p>;
  else {
    const rows = mapRows(builds, (build) => <BuildRow build={build} listed={listed} links={links} now={now} />);
    yield* listTable({ label: 'Builds', columns: COLUMNS, rows });
  }
  yield <Pager paged={listed} link={(page) => links.repo(repo, { branch, page })} />;
}

interface RowProps {
  readonly build: BuildSummary;
  readonly listed: ListedBuilds;
  readonly links: SiteLinks;
}

function BuildRow({ build, listed, links, now }: RowProps & { readonly now: Timestamp }): VNode {
  const { result } = build;
  const change = changeOf(result?.totals, result?.baseTotals);
  return (
    <Row>
      <Cell class="main">
        <a href={links.build(build.id)}>{printable(build.number, 60)}</a>{' '}
        {listed.bases.has(build.id) && <BaseMark build={build} />}
        <span class="sub">{printable(build.message?.split(/\r?\n/, 1)[0] ?? '', 80)}</span>
      </Cell>
      <Cell class="num lead">{result ? showPercent(totalPercent(result.totals)) : '—'}</Cell>
      <Cell class="num" label="change">
        {change && result?.verdict.state !== 'incomplete' ? showChange(change) : '—'}
      </Cell>
      <Cell>{result ? result.verdict.state : 'open'}</Cell>
      <Cell label="branch">
        <Place build={build} listed={listed} links={links} />
      </Cell>
      <Cell label="commit">
        <span class="ref">{printable(build.commit?.slice(0, 10) ?? '')}</span>
      </Cell>
      <Cell class="when">
        <When at={build.createdAt} now={now} />
      </Cell>
    </Row>
  );
}

/** Which builds are what others are compared with (rule 18). */
function BaseMark({ build }: { readonly build: BuildSummary }): VNode {
  return (
    <span
      class="tag"
      title={
        `The newest base of ${printable(branchOf(build) ?? '', 100)}: builds measured against it are compared ` +
        'with this one'
      }
    >
      base
    </span>
  );
}

/** Where a build belongs; a branch of its own leads to that branch's builds (rules.md "Branches"). */
function Place({ build, listed, links }: RowProps): VNode {
  const branch = branchOf(build);
  if (branch !== undefined && build.trust !== 'run')
    return <a href={links.repo(listed.repo, { branch })}>{printable(branch, 100)}</a>;
  const pull = build.pullRequest === undefined ? '' : ` #${build.pullRequest}`;
  return <>{printable(`${build.branch ?? ''}${pull}`, 120)}</>;
}
