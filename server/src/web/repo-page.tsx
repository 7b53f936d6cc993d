import type { VNode } from 'preact';
import { branchOf } from '../domain/builds/base-build.ts';
import type { BuildSummary } from '../domain/builds/build-summary.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ListedBuilds } from '../use-cases/builds/list-builds.ts';
import { tableParts } from './build-tables.tsx';
import { mapRows, type Part, renderPage } from './layout.tsx';
import { PageHeader, Pager, WarningList } from './page-parts.tsx';
import type { SiteLinks } from './site-links.ts';

export type RenderRepoPage = (listed: ListedBuilds, links: SiteLinks) => Iterable<string>;

/** The page of a repo: its builds, newest first, of all branches or of one. */
export const renderRepoPage: RenderRepoPage = (listed, links) => {
  const { repo } = listed;
  const title = `${printable(repo.name)} · builds`;
  return renderPage(title, <PageHeader repo={repo} links={links} />, mainParts(listed, links));
};

function* mainParts(listed: ListedBuilds, links: SiteLinks): Generator<Part> {
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
  if (builds.length === 0) yield <p class="quiet">No builds here.</p>;
  else {
    const columns = ['Build', 'Coverage', 'Change', 'Verdict', 'Branch', 'Commit', 'Created (UTC)'];
    const rows = mapRows(builds, (build) => <BuildRow build={build} listed={listed} links={links} />);
    yield* tableParts({ columns, rows });
  }
  yield <Pager paged={listed} link={(page) => links.repo(repo, { branch, page })} />;
}

interface RowProps {
  readonly build: BuildSummary;
  readonly listed: ListedBuilds;
  readonly links: SiteLinks;
}

function BuildRow({ build, listed, links }: RowProps): VNode {
  const { result } = build;
  const change = changeOf(result?.totals, result?.baseTotals);
  return (
    <tr>
      <td>
        <a href={links.build(build.id)}>{printable(build.number, 60)}</a>{' '}
        {listed.bases.has(build.id) && <BaseMark build={build} />}
      </td>
      <td class="number">{result ? showPercent(totalPercent(result.totals)) : '—'}</td>
      <td class="number">{change && result?.verdict.state !== 'incomplete' ? showChange(change) : '—'}</td>
      <td>{result ? result.verdict.state : 'open'}</td>
      <td>
        <Place build={build} listed={listed} links={links} />
      </td>
      <td>
        <code>{printable(build.commit?.slice(0, 10) ?? '')}</code>{' '}
        {printable(build.message?.split(/\r?\n/, 1)[0] ?? '', 80)}
      </td>
      <td class="number">{new Date(build.createdAt).toISOString().slice(0, 16).replace('T', ' ')}</td>
    </tr>
  );
}

/** Which builds are what others are compared with (rule 18). */
function BaseMark({ build }: { readonly build: BuildSummary }): VNode {
  return (
    <span
      class="mark"
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
