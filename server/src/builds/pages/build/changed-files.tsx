import type { VNode } from 'preact';
import type { FileChange } from '../../../core/builds/build.ts';
import type { BuildView } from '../../../core/builds/build-summary.ts';
import { printable } from '../../../core/printable.ts';
import { Cell, type Column, foldedTable, listTable, Row } from '../../../platform/web/list-table.tsx';
import { grouped } from '../../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../../platform/web/render-parts.tsx';
import { describeNotMeasured } from '../../../wording/change-words.ts';
import { counted } from '../../../wording/phrases.ts';
import type { FlipsOfBuild } from '../../find-flips.ts';
import type { GainedFiles } from '../../find-gained.ts';
import type { BuildPlace } from './build-place.ts';
import type { ChangedFile, ChangeLists } from './change-lists.ts';
import { FilePath, MissingLines } from './file-names.tsx';
import { FlipTag } from './flip-marks.tsx';
import type { Section } from './sections.tsx';
import { ChangeCell, percentText } from './shown-numbers.tsx';

type Result = NonNullable<BuildView['result']>;

const COLUMNS: readonly Column[] = [
  { name: 'File', kind: 'grow' },
  { name: 'Changed lines', kind: 'num' },
  { name: 'Whole file', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Missing in this change' },
];

/** The files that the change touches. Undefined if there are none. */
export function changedFiles(result: Result, lists: ChangeLists, place: BuildPlace): Section | undefined {
  const { patch } = result;
  const { changed } = lists;
  if (changed.length === 0 && (patch?.unmeasuredCount ?? 0) === 0) return undefined;
  return {
    id: 'changed',
    name: 'Changed files',
    count: Math.max(changed.length, patch?.fileCount ?? 0) + (patch?.unmeasuredCount ?? 0),
    parts: changedParts(result, lists, place),
  };
}

function* changedParts({ patch }: Result, { changed, left }: ChangeLists, place: BuildPlace): Generator<Part> {
  if (changed.length > 0) {
    const row = (file: ChangedFile) => <ChangedRow file={file} hasPatch={patch !== undefined} place={place} />;
    yield* foldedTable({ label: 'Changed files', columns: COLUMNS, items: changed, row });
  }
  yield left > 0 && <p class="quiet small after">{counted(left, 'more file')} moved less.</p>;
  const notMeasured = patch && describeNotMeasured(patch);
  yield notMeasured !== undefined && <p class="quiet small after">{notMeasured}</p>;
  yield patch && patch.unmeasuredCount > 0 && <Unmeasured names={patch.unmeasured} count={patch.unmeasuredCount} />;
}

const REMOVED: ReadonlySet<FileChange['kind'] | undefined> = new Set(['removed', 'no-longer-measured'] as const);
const TAGS: Partial<Record<FileChange['kind'], string>> = {
  added: 'new',
  removed: 'no longer in reports',
  'newly-measured': 'new in reports',
  'no-longer-measured': 'no longer in reports',
};

interface RowOf {
  readonly file: ChangedFile;
  /** Without a diff, only the whole file's missed lines can be shown. */
  readonly hasPatch: boolean;
  readonly place: BuildPlace;
}

function ChangedRow({ file: { name, change, patch }, hasPatch, place }: RowOf): VNode {
  const isGone = REMOVED.has(change?.kind);
  const missing = isGone ? undefined : (patch ?? (hasPatch ? undefined : change));
  return (
    <Row>
      <NameCell name={name} kind={change?.kind} place={place} />
      <Cell class="num lead">{patch === undefined ? <span class="quiet">—</span> : percentText(patch.totals)}</Cell>
      <Cell class="num" label="file">
        {change === undefined ? <span class="quiet">—</span> : percentText(change.totals)}
      </Cell>
      <ChangeCell totals={change?.totals} baseTotals={change?.baseTotals} fresh={change?.kind === 'added'} />
      <Cell class="wide" label={missing?.uncovered.length ? 'missing' : undefined}>
        {missing === undefined || missing.uncoveredRanges + (patch?.partlyCoveredLines ?? 0) === 0 ? (
          <span class="quiet">{isGone ? '' : missingBranches(patch)}</span>
        ) : (
          <MissingLines
            name={name}
            ranges={missing.uncovered}
            more={missing.uncoveredRanges - missing.uncovered.length}
            branches={patch?.partlyCovered}
            branchLines={patch?.partlyCoveredLines}
            place={place}
          />
        )}
      </Cell>
    </Row>
  );
}

/** For a result that does not say which lines miss branches. */
function missingBranches(patch: ChangedFile['patch']): string {
  const missed = patch === undefined ? 0 : patch.totals.branches - patch.totals.coveredBranches;
  return missed === 0 ? 'nothing' : counted(missed, 'branch', 'branches');
}

function NameCell(props: {
  readonly name: string;
  readonly kind: FileChange['kind'] | undefined;
  readonly place: BuildPlace;
}): VNode {
  const { name, kind, place } = props;
  const tag = kind && TAGS[kind];
  return (
    <Cell class="main">
      <FilePath name={name} href={REMOVED.has(kind) ? undefined : place.file(name)} />{' '}
      {tag !== undefined && <span class="tag">{tag}</span>}
    </Cell>
  );
}

function Unmeasured({ names, count }: { readonly names: readonly string[]; readonly count: number }): VNode {
  return (
    <details class="aside after">
      <summary>
        {counted(count, 'changed file')} {count === 1 ? 'isn’t' : 'aren’t'} in any report
      </summary>
      <ul class="dots">
        {names.map((name) => (
          <li>
            <code>{printable(name, 300)}</code>
          </li>
        ))}
        {count > names.length && <li class="quiet">{grouped(count - names.length)} more</li>}
      </ul>
    </details>
  );
}

const ELSEWHERE: readonly Column[] = [
  { name: 'File', kind: 'grow' },
  { name: 'Whole file', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Newly missed' },
];

/** For files that lost coverage elsewhere; the page of all files has the others. */
const MAX_ELSEWHERE = 40;

/** Files that lost coverage though the change does not touch them. Undefined if there are none. */
export function lostElsewhere(
  { elsewhere }: ChangeLists,
  place: BuildPlace,
  flips: FlipsOfBuild | undefined,
): Section | undefined {
  if (elsewhere.length === 0) return undefined;
  return {
    id: 'elsewhere',
    name: 'Lost outside the change',
    count: elsewhere.length,
    aside: <span class="quiet">lines that the change does not touch</span>,
    parts: elsewhereParts(elsewhere, place, flips),
  };
}

function* elsewhereParts(
  elsewhere: readonly FileChange[],
  place: BuildPlace,
  flips: FlipsOfBuild | undefined,
): Generator<Part> {
  const row = (change: FileChange) => (
    <Row>
      <NameCell name={change.name} kind={change.kind} place={place} />
      <Cell class="num lead">{percentText(change.totals)}</Cell>
      <ChangeCell totals={change.totals} baseTotals={change.baseTotals} />
      <Cell class="wide" label="newly missed">
        <NewlyMissed change={change} place={place} /> <FlipTag file={change.name} flips={flips} place={place} />
      </Cell>
    </Row>
  );
  yield* foldedTable({
    label: 'Files that lost coverage outside the change',
    columns: ELSEWHERE,
    items: elsewhere.slice(0, MAX_ELSEWHERE),
    row,
  });
  yield elsewhere.length > MAX_ELSEWHERE && (
    <p class="small after">
      {counted(elsewhere.length - MAX_ELSEWHERE, 'more file')}:{' '}
      <a href={`${place.files}?show=lost&sort=drop`}>all files that lost coverage →</a>
    </p>
  );
}

/** The lines of a file that are missed now and were not before. `change`: undefined if it is not known. */
export function NewlyMissed(props: { readonly change: FileChange | undefined; readonly place: BuildPlace }): VNode {
  const { change, place } = props;
  const { name = '', newlyMissed, newlyMissedRanges = 0, newlyPartly, newlyPartlyLines = 0 } = change ?? {};
  if (newlyMissed === undefined) return <span class="quiet">lines unknown</span>;
  if (newlyMissedRanges + newlyPartlyLines === 0) return <span class="quiet">branches only</span>;
  return (
    <MissingLines
      name={name}
      ranges={newlyMissed}
      more={newlyMissedRanges - newlyMissed.length}
      branches={newlyPartly}
      branchLines={newlyPartlyLines}
      place={place}
    />
  );
}

const GAINED: readonly Column[] = ELSEWHERE.slice(0, 3);

/** Files that gained coverage though the change does not touch them. Undefined if there are none. */
export function gainedElsewhere(
  gained: GainedFiles | undefined,
  lines: number,
  place: BuildPlace,
): Section | undefined {
  if (gained === undefined || gained.total === 0) return undefined;
  return {
    id: 'gained',
    name: 'Gained outside the change',
    count: gained.total,
    aside: <span class="quiet">{counted(lines, 'line')} not touched by this change</span>,
    parts: gainedParts(gained, place),
  };
}

function* gainedParts({ files, total }: GainedFiles, place: BuildPlace): Generator<Part> {
  const rows = mapRows(files, ({ name, totals, base }) => (
    <Row>
      <NameCell name={name} kind={undefined} place={place} />
      <Cell class="num lead">{percentText(totals)}</Cell>
      <ChangeCell totals={totals} baseTotals={base} />
    </Row>
  ));
  yield* listTable({ label: 'Files that gained coverage without being changed', columns: GAINED, rows });
  yield total > files.length && (
    <p class="small after">
      <a href={`${place.files}?show=gained&sort=gain`}>All files that gained coverage →</a>
    </p>
  );
}

/** Files that only one of the two reports names, and that the change does not touch. Undefined if there are none. */
export function newlyMeasured({ measured }: ChangeLists, place: BuildPlace): Section | undefined {
  if (measured.length === 0) return undefined;
  const rows = mapRows(measured, (change) => (
    <Row>
      <NameCell name={change.name} kind={change.kind} place={place} />
      <Cell class="num lead">{percentText(change.totals)}</Cell>
      <Cell class="num" label="before">
        {percentText(change.baseTotals)}
      </Cell>
    </Row>
  ));
  const columns: readonly Column[] = [
    { name: 'File', kind: 'grow' },
    { name: 'Whole file', kind: 'num' },
    { name: 'Before', kind: 'num' },
  ];
  return {
    id: 'measured',
    name: 'New or no longer in reports',
    count: measured.length,
    aside: <span class="quiet">not touched by this change</span>,
    parts: listTable({ label: 'Files that are new or no longer in reports', columns, rows }),
  };
}
