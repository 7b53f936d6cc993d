import type { VNode } from 'preact';
import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { NoText, SourcePage } from '../use-cases/builds/read-source.ts';
import { renderPage } from './layout.tsx';
import { FactList, PageHeader, Pager, rateFacts } from './page-parts.tsx';
import type { SiteLinks } from './site-links.ts';

export type RenderSourcePage = (read: SourcePage, links: SiteLinks) => string;

/** One file of a build, line by line, with its text where the reader may see it (rule 30). */
export const renderSourcePage: RenderSourcePage = (read, links) => {
  const { build, repo, file } = read;
  const { totals } = file;
  const title = `build ${printable(build.number, 60)}`;
  return renderPage(
    `${printable(file.name, 300)} · ${printable(repo.name)}`,
    <>
      <PageHeader repo={repo} links={links} />
      <main>
        <h1>
          <code>{printable(file.name, 300)}</code>
        </h1>
        <p>
          {showPercent(totalPercent(totals))} in <a href={links.build(build.id)}>{title}</a> ·{' '}
          <a href={links.sourceFiles(build.id)}>all files</a>
        </p>
        <FactList facts={rateFacts(totals)} />
        {typeof read.text === 'string' && <p class="quiet">{WHY_NO_TEXT[read.text]}</p>}
        <Lines read={read} />
        <Pager paged={read} link={(page) => links.source(build.id, file.name, page)} />
      </main>
    </>,
  );
};

const WHY_NO_TEXT: Readonly<Record<NoText, string>> = {
  withheld: 'The text is not shown: a repo token reads numbers only.',
  absent: 'No upload brought the text of this file.',
};

function Lines({ read }: { readonly read: SourcePage }): VNode {
  const { file, offset, count, text } = read;
  return (
    <div class="scroll">
      <table class="source">
        <tbody>
          {Array.from({ length: count }, (_, index) => {
            const hits = file.hits[index] ?? -1;
            return (
              <tr class={hits < 0 ? '' : hits === 0 ? 'missed' : 'covered'}>
                <td class="number quiet">{offset + index + 1}</td>
                <td class="number">{hits < 0 ? '' : `${hits}×`}</td>
                <td>
                  <code>{typeof text === 'string' ? '' : (text[index] ?? '')}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
