import { branchPercent, linePercent, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ListedFiles } from '../use-cases/builds/list-source-files.ts';
import { Table } from './build-tables.tsx';
import { renderPage } from './layout.tsx';
import { PageHeader, Pager, rate } from './page-parts.tsx';
import type { SiteLinks } from './site-links.ts';

export type RenderSourceFilesPage = (listed: ListedFiles, links: SiteLinks) => string;

/** The files of a build's merged report, in order of name. */
export const renderSourceFilesPage: RenderSourceFilesPage = (listed, links) => {
  const { build, repo, files } = listed;
  const number = printable(build.number, 60);
  return renderPage(
    `${printable(repo.name)} · files of build ${number}`,
    <>
      <PageHeader repo={repo} links={links} />
      <main>
        <h1>
          Files of <a href={links.build(build.id)}>build {number}</a>
        </h1>
        {files.length === 0 ? (
          <p class="quiet">{build.result === undefined ? 'This build has no result yet.' : 'No files here.'}</p>
        ) : (
          <Table columns={['File', 'Coverage', 'Lines', 'Branches']}>
            {files.map(({ name, totals }) => (
              <tr>
                <td>
                  <a href={links.source(build.id, name)}>
                    <code>{printable(name, 300)}</code>
                  </a>
                </td>
                <td class="number">{showPercent(totalPercent(totals))}</td>
                <td class="number">{rate(totals.coveredLines, totals.relevantLines, linePercent(totals))}</td>
                <td class="number">
                  {totals.branches > 0 ? rate(totals.coveredBranches, totals.branches, branchPercent(totals)) : '—'}
                </td>
              </tr>
            ))}
          </Table>
        )}
        <Pager paged={listed} link={(page) => links.sourceFiles(build.id, page)} />
      </main>
    </>,
  );
};
