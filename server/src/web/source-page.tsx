import type { VNode } from 'preact';
import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { NoText, SourcePage } from '../use-cases/builds/read-source.ts';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';
import { FactList, Pager, rateFacts } from './page-parts.tsx';
import { repoCrumbs, repoTabs } from './page-top.tsx';
import { type Part, rowParts } from './render-parts.tsx';
import type { SiteLinks } from './site-links.ts';

export type RenderSourcePage = (read: SourcePage, page: PageContext) => Iterable<string>;

/** One file of a build, line by line, with its text where the reader may see it (rule 30). */
export const renderSourcePage: RenderSourcePage = (read, page) => {
  const { links } = page;
  const { build, repo, file } = read;
  const crumb = { name: printable(build.number, 60), href: links.build(build.id) };
  const frame = {
    title: `${printable(file.name, 300)} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, links, crumb, { name: 'source' }),
    tabs: repoTabs({ repo, current: 'Files' }, links),
  };
  return renderPage(page, frame, mainParts(read, links));
};

function* mainParts(read: SourcePage, links: SiteLinks): Generator<Part> {
  const { build, file } = read;
  yield (
    <>
      <h1>
        <code>{printable(file.name, 300)}</code>
      </h1>
      <p>
        {showPercent(totalPercent(file.totals))} in{' '}
        <a href={links.build(build.id)}>{`build ${printable(build.number, 60)}`}</a> ·{' '}
        <a href={links.sourceFiles(build.id)}>all files</a>
      </p>
      <FactList facts={rateFacts(file.totals)} />
      {typeof read.text === 'string' && <p class="quiet">{WHY_NO_TEXT[read.text]}</p>}
    </>
  );
  yield* rowParts('<div class="scroll"><table class="source"><tbody>', lineRows(read), '</tbody></table></div>');
  yield <Pager paged={read} link={(page) => links.source(build.id, file.name, page)} />;
}

const WHY_NO_TEXT: Readonly<Record<NoText, string>> = {
  withheld: 'The text is not shown: a repo token reads numbers only.',
  absent: 'No upload brought the text of this file.',
};

function* lineRows({ file, offset, count, text }: SourcePage): Generator<VNode> {
  for (let index = 0; index < count; index += 1) {
    const hits = file.hits[index] ?? -1;
    yield (
      <tr class={hits < 0 ? '' : hits === 0 ? 'missed' : 'covered'}>
        <td class="number quiet">{offset + index + 1}</td>
        <td class="number">{hits < 0 ? '' : `${hits}×`}</td>
        <td>
          <code>{typeof text === 'string' ? '' : (text[index] ?? '')}</code>
        </td>
      </tr>
    );
  }
}
