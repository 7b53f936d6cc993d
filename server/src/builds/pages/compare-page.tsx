import type { VNode } from 'preact';
import type { FileChange } from '../../core/builds/build.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { type Caller, mayAdminister } from '../../core/repo/caller.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, foldedTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, countOf } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { partsOf } from '../../wording/change-words.ts';
import { counted } from '../../wording/phrases.ts';
import type { ComparedBuilds, ComparedFlag, ComparedSide } from '../compare-builds.ts';
import type { FileToCover, LinesToCover } from '../read-lines-to-cover.ts';
import type { BuildPlace } from './build/build-place.ts';
import { Causes } from './build/causes.tsx';
import { NewlyMissed } from './build/changed-files.tsx';
import { FilePath } from './build/file-names.tsx';
import { fileArticles, LOST } from './build/lines-to-cover.tsx';
import { ChangeCell, directionOf, percentText } from './build/shown-numbers.tsx';

/** What was asked for; nothing is compared until both names are there. */
export interface ComparePicker {
  readonly repo: Repo;
  readonly caller: Caller;
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** Offered as names. */
  readonly branches: readonly string[];
}

interface Shown {
  readonly picker: ComparePicker;
  readonly compared?: ComparedBuilds | undefined;
  readonly lines?: LinesToCover | undefined;
}

/** What moved from one build of a repo to another. */
export const renderComparePage = ({ picker, compared, lines }: Shown, page: PageContext): Iterable<string> => {
  const { repo, caller } = picker;
  const names = compared === undefined ? '' : `${nameOf(compared.base)} → ${nameOf(compared.head)} · `;
  const frame = {
    title: `${names}Compare · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Compare', href: page.links.ofRepo(repo, 'compare') }),
    tabs: repoTabs(
      { repo, current: undefined, commit: compared?.head.build.commit, maintains: mayAdminister(caller, repo) },
      page.links,
    ),
  };
  return renderPage(page, frame, mainParts({ picker, compared, lines }, page));
};

function nameOf({ name }: ComparedSide): string {
  return shortCommit(name);
}

function* mainParts({ picker, compared, lines }: Shown, page: PageContext): Generator<Part> {
  yield <h1>Compare builds</h1>;
  yield <Picker picker={picker} page={page} />;
  if (compared === undefined) return;
  yield <Sides compared={compared} page={page} />;
  yield* causeParts(compared);
  yield* partsOfBuilds(compared);
  yield* fileParts(compared, page);
  if (lines !== undefined) yield* lineParts(lines, placeOf(compared, page));
}

function Picker({ picker, page: { links } }: { readonly picker: ComparePicker; readonly page: PageContext }): VNode {
  const { repo, base, head, branches } = picker;
  return (
    <form class="picker" action={links.ofRepo(repo, 'compare')}>
      <label>
        Base
        <input name="base" value={base} list="refs" required />
      </label>
      <label>
        Compared
        <input name="head" value={head} list="refs" required />
      </label>
      <datalist id="refs">
        {branches.map((branch) => (
          <option value={branch} />
        ))}
      </datalist>
      <button type="submit" class="primary">
        Compare
      </button>
      {base !== undefined && head !== undefined && (
        <a class="btn" href={links.compare(repo, head, base)}>
          Swap
        </a>
      )}
      <span class="quiet small">A branch, tag, commit or the number in the URL of a build</span>
    </form>
  );
}

function Sides({ compared, page }: { readonly compared: ComparedBuilds; readonly page: PageContext }): VNode {
  const { base, head } = compared;
  const change = changeOf(head.totals, base.totals);
  const direction = change === undefined ? '' : directionOf(change);
  return (
    <section class="sides" aria-label="Totals">
      <Side label="Base" side={base} compared={compared} page={page} />
      <p class="arrow" aria-hidden="true">
        →
      </p>
      <Side label="Compared" side={head} compared={compared} page={page} />
      <div class={`delta ${direction}`}>
        <p class="quiet small">Change</p>
        <p class="total">{change === undefined ? '—' : change.numerator === 0n ? '0' : showChange(change, true)}</p>
        <p>{change?.numerator === 0n ? 'unchanged' : 'points'}</p>
      </div>
    </section>
  );
}

function Side(props: {
  readonly label: string;
  readonly side: ComparedSide;
  readonly compared: ComparedBuilds;
  readonly page: PageContext;
}): VNode {
  const { label, side, compared, page } = props;
  const { build, totals, name } = side;
  const percent = totalPercent(totals);
  return (
    <div class="side">
      <p class="quiet small">{label}</p>
      <p class="total">
        {percent === undefined ? '—' : showPercent(percent).slice(0, -1)}
        {percent !== undefined && <span class="unit">%</span>}
      </p>
      <p>
        <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(compared.repo))}</a>
      </p>
      <p class="quiet small">
        {printable(nameOf(side), 100)}
        {build.commit !== undefined && shortCommit(build.commit) !== nameOf(side) && (
          <>
            {' · '}
            <span class="ref">{shortCommit(build.commit)}</span>
          </>
        )}
        {' · '}
        <When at={build.createdAt} now={page.now} />
        {name !== String(build.id) && build.result?.verdict.state === 'incomplete' && ' · incomplete'}
      </p>
    </div>
  );
}

function* causeParts({ split, base, head, isDiffKnown }: ComparedBuilds): Generator<Part> {
  const parts = split === undefined ? [] : partsOf(split);
  const change = changeOf(head.totals, base.totals);
  if (parts.length > 0) {
    yield { tags: '<section><div class="head"><h2>Where the change comes from</h2></div>' };
    yield <Causes parts={parts} total={change && showChange(change, true)} />;
    yield { tags: '</section>' };
  }
  if (!isDiffKnown)
    yield (
      <p class="small quiet after">
        The lines that changed between these two commits are unknown. Files whose text is the same in both are compared
        line by line, others by their totals.
      </p>
    );
}

const PART_COLUMNS: readonly Column[] = [
  { name: 'Flag or group', kind: 'grow' },
  { name: 'Base', kind: 'num' },
  { name: 'Compared', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Lines', kind: 'num' },
];

function* partsOfBuilds({ flags, groups }: ComparedBuilds): Generator<Part> {
  const items = [
    ...flags.map((flag) => ({ ...flag, kind: 'flag' as const })),
    ...groups.map((group) => ({ ...group, kind: 'group' as const })),
  ];
  if (items.length === 0) return;
  const title = groups.length === 0 ? 'Flags' : 'Flags and groups';
  yield { tags: `<section><div class="head"><h2>${title}</h2></div>` };
  yield* foldedTable({ label: title, columns: PART_COLUMNS, items, row: partRow });
  yield { tags: '</section>' };
}

function partRow({ name, kind, totals, baseTotals }: ComparedFlag & { readonly kind: 'flag' | 'group' }): VNode {
  return (
    <Row>
      <Cell class="main">
        {kind === 'flag' ? <code>{printable(name, 200)}</code> : printable(name, 200)} <span class="kind">{kind}</span>
      </Cell>
      <Cell class="num" label="before">
        {percentText(baseTotals)}
      </Cell>
      <Cell class="num lead">{percentText(totals)}</Cell>
      <ChangeCell totals={totals} baseTotals={baseTotals} fresh={baseTotals === undefined} />
      <Cell class="num" label="lines">
        {totals === undefined ? '' : countOf(totals.coveredLines, totals.relevantLines)}
      </Cell>
    </Row>
  );
}

const FILE_COLUMNS: readonly Column[] = [
  { name: 'File', kind: 'grow' },
  { name: 'Base', kind: 'num' },
  { name: 'Compared', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
];

/** For files that one side alone has; the JSON has more. */
const MAX_ONE_SIDED = 50;

function* fileParts(compared: ComparedBuilds, page: PageContext): Generator<Part> {
  const place = placeOf(compared, page);
  const known = new Map(compared.files.map((file) => [file.name, file]));
  const { lost, gained, files } = compared;
  for (const [title, { rows, total }] of [
    ['Lost', lost],
    ['Gained', gained],
  ] as const) {
    const isLost = title === 'Lost';
    yield* listParts(title, total, {
      columns: isLost ? [...FILE_COLUMNS, { name: 'Newly missed' }] : FILE_COLUMNS,
      rows: rows.map(({ name, totals, base }) => (
        <FileRow
          change={{ name, totals, baseTotals: base }}
          place={place}
          missed={isLost ? <NewlyMissed change={known.get(name)} place={place} /> : undefined}
        />
      )),
      left: total - rows.length,
      more: `${place.files}?sort=${isLost ? 'drop' : 'gain'}`,
    });
  }
  for (const [title, kinds] of ONE_SIDED) {
    const own = files.filter(({ kind }) => kinds.includes(kind));
    const shown = own.slice(0, MAX_ONE_SIDED);
    const rows = shown.map((change) => <FileRow change={change} place={place} missed={undefined} />);
    yield* listParts(title, own.length, { columns: FILE_COLUMNS, rows, left: own.length - shown.length });
  }
}

const ONE_SIDED: readonly (readonly [string, readonly FileChange['kind'][]])[] = [
  ['Only in the compared build', ['added', 'newly-measured']],
  ['Only in the base', ['removed', 'no-longer-measured']],
];

function* listParts(
  title: string,
  total: number,
  list: {
    readonly columns: readonly Column[];
    readonly rows: readonly VNode[];
    readonly left: number;
    readonly more?: string;
  },
): Generator<Part> {
  const { columns, rows, left, more } = list;
  if (total === 0) return;
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>
        {title}
        <Count of={total} />
      </h2>
    </div>
  );
  yield* foldedTable({ label: title, columns, items: rows, row: (one) => one });
  if (left > 0)
    yield (
      <p class="small after">
        {counted(left, 'more file')}
        {more !== undefined && (
          <>
            {': '}
            <a href={more}>the files of the compared build →</a>
          </>
        )}
      </p>
    );
  yield { tags: '</section>' };
}

function* lineParts(lines: LinesToCover, place: BuildPlace): Generator<Part> {
  const { files, left } = lines;
  const note = ({ rows }: FileToCover) =>
    counted(rows.filter((row) => row.kind === 'line' && row.toCover).length, 'newly missed line');
  const isMarked = files.some(({ rows, texts }) => texts && rows.some((row) => row.kind === 'line' && row.lost));
  yield { tags: '<section id="lines">' };
  yield (
    <div class="head">
      <h2>Lines</h2>
      <span class="quiet">
        newly missed, in the files that moved most{isMarked && ` · ${LOST} was covered in the base`}
      </span>
      <span class="end quiet small keys">
        <kbd>n</kbd> next · <kbd>p</kbd> previous
      </span>
    </div>
  );
  yield* fileArticles(lines, { place, host: undefined, note });
  yield left > 0 && (
    <p class="small after">
      {counted(left, 'more file')}: <a href={`${place.files}?sort=drop`}>the files of the compared build →</a>
    </p>
  );
  yield { tags: '</section>' };
}

/** Lines are those of the compared build. */
function placeOf({ repo, head: { build } }: ComparedBuilds, { links, now }: PageContext): BuildPlace {
  const file = (name: string, line?: number | string) => links.file(repo, build.id, name, line);
  return { build, repo, links, now, file, files: links.tree(repo, build.id) };
}

function FileRow(props: {
  readonly change: Pick<FileChange, 'name' | 'totals' | 'baseTotals'>;
  readonly place: BuildPlace;
  readonly missed: VNode | undefined;
}): VNode {
  const { change, place, missed } = props;
  const { name, totals, baseTotals } = change;
  return (
    <Row>
      <Cell class="main">
        <FilePath name={name} href={totals === undefined ? undefined : place.file(name)} />
      </Cell>
      <Cell class="num" label="before">
        {percentText(baseTotals)}
      </Cell>
      <Cell class="num lead">{percentText(totals)}</Cell>
      <ChangeCell totals={totals} baseTotals={baseTotals} fresh={baseTotals === undefined} />
      {missed !== undefined && (
        <Cell class="wide" label="newly missed">
          {missed}
        </Cell>
      )}
    </Row>
  );
}
