import type { VNode } from 'preact';
import { missedOf, type TreeRow } from '../../core/coverage/file-tree.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { countOf, grouped, Pager } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import type { LinkQuery, SiteLinks } from '../../platform/web/site-links.ts';
import type { BrowsedFiles } from '../browse-files.ts';
import { type BuildRevision, buildEyebrow, buildFrame } from './build-head.tsx';
import { type AskedFiles, FilesFilter } from './files-filter.tsx';
import { FolderMap } from './folder-map.tsx';

type ShownFiles = BrowsedFiles & BuildRevision & { readonly asked: AskedFiles };

/** The files of a build, folder by folder or in another order. */
export const renderFilesPage = (shown: ShownFiles, page: PageContext): Iterable<string> => {
  const frame = buildFrame({ ...shown, current: 'Files', title: 'Files' }, page);
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: ShownFiles, { links }: PageContext): Generator<Part> {
  const { rows, asked } = shown;
  yield buildEyebrow(shown, links);
  yield <FilesHead shown={shown} links={links} />;
  yield <FilesFilter asked={asked} flags={shown.flags} action={links.tree(shown.repo, shown.revision, asked.folder)} />;
  if (rows.length === 0) {
    yield <p class="empty">{shown.build.result === undefined ? NO_RESULT : 'No files match.'}</p>;
    return;
  }
  yield { tags: '<section class="tight">' };
  if (asked.sort === 'path' && asked.query === '' && shown.page === 1)
    yield <FolderMap rows={rows} link={(row) => rowLink(row, shown, links)} />;
  yield* listTable({
    label: 'Files',
    dense: true,
    columns: columnsOf(shown, links),
    rows: [...mapRows(rows, (row) => <FileRow row={row} shown={shown} links={links} />), <TotalRow shown={shown} />],
  });
  yield (
    <p class="quiet small after">
      Missed counts lines and branches.
      {asked.sort === 'path' && ' A folder’s numbers are sums of its files. Folders with one child folder are joined.'}
      {asked.flag !== undefined &&
        ` Files that ${printable(asked.flag, 60)} measured, with the numbers of the whole build.`}
      {shown.cut && ' Only the first files are listed.'}
    </p>
  );
  yield <Pager paged={shown} link={(page) => treeLink(shown, links, { page: page === 1 ? undefined : page })} />;
  yield { tags: '</section>' };
}

const NO_RESULT = 'Files appear here when the build is finished.';

function FilesHead({ shown, links }: { readonly shown: ShownFiles; readonly links: SiteLinks }): VNode {
  const { repo, revision, asked, files, sums } = shown;
  const folders = asked.folder.split('/').filter((folder) => folder !== '');
  return (
    <div class="head">
      <h1>
        {folders.length === 0 ? 'Files' : <a href={links.tree(repo, revision)}>Files</a>}
        {folders.map((folder, index) => (
          <>
            <span class="dir"> / </span>
            <a class="dir" href={links.tree(repo, revision, `${folders.slice(0, index + 1).join('/')}/`)}>
              {printable(folder, 100)}
            </a>
          </>
        ))}
      </h1>
      <span class="quiet">
        {files === 1 ? '1 file' : `${grouped(files)} files`}
        {files > 0 && `, ${describeTotals(sums.totals)}`}
      </span>
    </div>
  );
}

function describeTotals(totals: CoverageTotals): string {
  const percent = showPercent(totalPercent(totals));
  const branches = totals.branches === 0 ? '' : ` and ${grouped(totals.branches)} branches`;
  return `${percent} of ${grouped(totals.relevantLines)} lines${branches}`;
}

function treeLink({ repo, revision, asked }: ShownFiles, links: SiteLinks, change: LinkQuery): string {
  const { folder, query, show, flag, sort } = asked;
  const kept = {
    q: query === '' ? undefined : query,
    show: show === 'all' ? undefined : show,
    flag,
    sort: sort === 'path' ? undefined : sort,
  };
  return links.tree(repo, revision, folder, { ...kept, ...change });
}

function columnsOf(shown: ShownFiles, links: SiteLinks): readonly Column[] {
  const { sort } = shown.asked;
  const by = (value: typeof sort, name: string, order: 'ascending' | 'descending') => ({
    name: sort === value ? `${name} ${order === 'ascending' ? '↑' : '↓'}` : name,
    href: treeLink(shown, links, { sort: value === 'path' ? undefined : value }),
    ...(sort === value && { sort: order }),
  });
  return [
    { ...by('path', 'Path', 'ascending'), kind: 'grow' },
    { name: '' },
    { ...by('lowest', 'Coverage', 'ascending'), kind: 'num' },
    { ...by('drop', 'Change, points', 'ascending'), kind: 'num' },
    { name: 'Lines', kind: 'num' },
    { name: 'Branches', kind: 'num' },
    { ...by('missed', 'Missed', 'descending'), kind: 'num' },
  ];
}

function rowLink({ kind, name }: TreeRow, { repo, revision }: ShownFiles, links: SiteLinks): string {
  return kind === 'folder' ? links.tree(repo, revision, name) : links.file(repo, revision, name);
}

function FileRow(props: { readonly row: TreeRow; readonly shown: ShownFiles; readonly links: SiteLinks }): VNode {
  const { row, shown, links } = props;
  const { kinds, build } = shown;
  const isFolder = row.kind === 'folder';
  const kind = kinds.get(row.name);
  const isNew = row.base === undefined && build.result?.base !== undefined;
  return (
    <Row>
      <Cell class="main">
        <span class={row.depth === 0 ? 'tree' : `d${row.depth} tree`}>
          <Icon name={isFolder ? 'folder' : 'document'} />
          <a class="path" href={rowLink(row, shown, links)}>
            {printable(row.label, 300)}
          </a>{' '}
          {kind === 'changed' && <span class="tag">changed</span>}
          {kind === 'added' && <span class="tag">new</span>}
        </span>
      </Cell>
      <NumberCells totals={row.totals} base={row.base} isNew={isNew} />
    </Row>
  );
}

function TotalRow({ shown: { sums, asked, build } }: { readonly shown: ShownFiles }): VNode {
  // Files that are gone have a share in the whole change, and no row.
  const isWhole = asked.folder === '' && asked.query === '' && asked.show === 'all' && asked.flag === undefined;
  return (
    <Row class="sum">
      <Cell class="main">
        <b>Total</b>
      </Cell>
      <NumberCells
        totals={sums.totals}
        base={isWhole ? (build.result?.baseTotals ?? sums.base) : sums.base}
        isNew={false}
      />
    </Row>
  );
}

function NumberCells(props: {
  readonly totals: CoverageTotals;
  readonly base: CoverageTotals | undefined;
  readonly isNew: boolean;
}): VNode {
  const { totals, base, isNew } = props;
  const percent = totalPercent(totals);
  return (
    <>
      <Cell class="barcell">{percent !== undefined && <Bar totals={totals} />}</Cell>
      <Cell class="num lead">{percent === undefined ? '—' : showPercent(percent)}</Cell>
      <Cell class="num" label="change">
        {isNew ? <span class="quiet">new</span> : <TotalsChange totals={totals} base={base} />}
      </Cell>
      <Cell class="num" label="lines">
        {counted(totals.coveredLines, totals.relevantLines)}
      </Cell>
      <Cell class="num" label="branches">
        {counted(totals.coveredBranches, totals.branches)}
      </Cell>
      <Cell class="num" label="missed">
        {grouped(missedOf(totals))}
      </Cell>
    </>
  );
}

export function TotalsChange(props: {
  readonly totals: CoverageTotals;
  readonly base: CoverageTotals | undefined;
}): VNode {
  const change = changeOf(props.totals, props.base);
  if (change === undefined) return <span class="quiet">—</span>;
  const direction = change.numerator < 0n ? 'down' : change.numerator > 0n ? 'up' : 'quiet';
  return <span class={direction}>{showChange(change, true)}</span>;
}

export function Bar({ totals }: { readonly totals: CoverageTotals }): VNode {
  const share = Number(showPercent(totalPercent(totals)).slice(0, -1));
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="c" width={share} height="8" />
    </svg>
  );
}

function counted(covered: number, all: number): VNode | string {
  return all === 0 ? <span class="quiet">none</span> : countOf(covered, all);
}
