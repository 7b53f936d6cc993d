import type { VNode } from 'preact';
import { branchPercent, linePercent, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ListedFiles } from '../use-cases/builds/list-source-files.ts';
import { tableParts } from './build-tables.tsx';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';
import { Pager, rate } from './page-parts.tsx';
import { repoCrumbs, repoTabs } from './page-top.tsx';
import { mapRows, type Part } from './render-parts.tsx';
import type { SiteLinks } from './site-links.ts';

export type RenderSourceFilesPage = (listed: ListedFiles, page: PageContext) => Iterable<string>;

/** The files of a build's merged report, in order of name. */
export const renderSourceFilesPage: RenderSourceFilesPage = (listed, page) => {
  const { links } = page;
  const { build, repo } = listed;
  const crumb = { name: printable(build.number, 60), href: links.build(build.id) };
  const frame = {
    title: `Files · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, links, crumb, { name: 'files' }),
    tabs: repoTabs({ repo, current: 'Files' }, links),
  };
  return renderPage(page, frame, mainParts(listed, links));
};

function* mainParts(listed: ListedFiles, links: SiteLinks): Generator<Part> {
  const { build, files } = listed;
  yield (
    <h1>
      Files of <a href={links.build(build.id)}>build {printable(build.number, 60)}</a>
    </h1>
  );
  if (files.length === 0)
    yield <p class="quiet">{build.result === undefined ? 'This build has no result yet.' : 'No files here.'}</p>;
  else yield* tableParts({ columns: ['File', 'Coverage', 'Lines', 'Branches'], rows: fileRows(listed, links) });
  yield <Pager paged={listed} link={(page) => links.sourceFiles(build.id, page)} />;
}

function fileRows({ build, files }: ListedFiles, links: SiteLinks): Iterable<VNode> {
  return mapRows(files, ({ name, totals }) => (
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
  ));
}
