import type { VNode } from 'preact';
import type { FileChange } from '../domain/builds/build.ts';
import type { PatchResult } from '../domain/builds/build-facts.ts';
import type { BuildView } from '../domain/builds/build-summary.ts';
import { branchPercent, linePercent, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ChangePart } from '../domain/verdict/attribute-change.ts';
import type { ChangeCause } from '../domain/verdict/change-cause.ts';
import { describeCause, describeNotMeasured } from '../wording/change-words.ts';
import { explainVerdict } from '../wording/verdict-words.ts';
import { NumberCells, tableParts } from './build-tables.tsx';
import { rate } from './page-parts.tsx';
import { mapRows, type Part } from './render-parts.tsx';
import type { SiteLinks } from './site-links.ts';

interface OfBuild {
  readonly buildId: number;
  readonly links: SiteLinks;
}

/** The lines that the change added or rewrote: how many of them are covered, and where not. */
export function* patchTable(patch: PatchResult, place: OfBuild): Generator<Part> {
  const { files, fileCount, unmeasured, unmeasuredCount } = patch;
  const left = fileCount - files.length;
  yield <PatchSummary patch={patch} />;
  if (files.length > 0) {
    const columns = ['File', 'Coverage', 'Uncovered changed lines'];
    const rows = mapRows(files, (file) => (
      <tr>
        <FileCell name={file.name} {...place} />
        <td class="number">{showPercent(totalPercent(file.totals))}</td>
        <td>{ranges(file)}</td>
      </tr>
    ));
    yield* tableParts({ columns, rows });
  }
  yield left > 0 && <p class="quiet">{left} more files are better covered.</p>;
  yield <Unmeasured names={unmeasured} count={unmeasuredCount} />;
}

function noCounts({ notMeasured }: PatchResult): string {
  return notMeasured === undefined ? 'No changed line is relevant.' : 'No changed line was measured.';
}

function PatchSummary({ patch }: { readonly patch: PatchResult }): VNode {
  const percent = totalPercent(patch.totals);
  const diffSource = patch.source === 'upload' ? 'upload' : 'provider';
  return (
    <>
      <h2>Changed lines</h2>
      <p>
        {percent === undefined ? noCounts(patch) : <PatchCounts patch={patch} />} {describeNotMeasured(patch)}{' '}
        {diffSource === 'upload' && <span class="quiet">Which lines changed is what the upload states.</span>}{' '}
        {!patch.complete && <span class="quiet">The {diffSource} could not tell every changed file or line.</span>}
      </p>
      {patch.verdict && (
        <p class={`verdict ${patch.verdict.state}`}>
          <strong>{patch.verdict.state}</strong>: {printable(explainVerdict(patch.verdict), 1_000)}
        </p>
      )}
    </>
  );
}

function PatchCounts({ patch: { totals } }: { readonly patch: PatchResult }): VNode {
  const lines = rate(totals.coveredLines, totals.relevantLines, linePercent(totals));
  const branches = `, branches ${rate(totals.coveredBranches, totals.branches, branchPercent(totals))}`;
  return (
    <>
      <strong>{showPercent(totalPercent(totals))}</strong>: lines {lines}
      {totals.branches > 0 && branches}.
    </>
  );
}

function Unmeasured({ names, count }: { readonly names: readonly string[]; readonly count: number }): VNode | null {
  if (count === 0) return null;
  return (
    <details>
      <summary>Not measured, changed files that no report names: {count}</summary>
      <ul>
        {names.map((name) => (
          <li>
            <code>{printable(name, 300)}</code>
          </li>
        ))}
        {count > names.length && <li class="quiet">{count - names.length} more</li>}
      </ul>
    </details>
  );
}

/** Where the change of the total comes from, in points that add up to it. */
export function* causeTable(cause: ChangeCause): Generator<Part> {
  const { sentence, parts } = describeCause(cause);
  yield (
    <>
      <h2>What moved the total</h2>
      <p>{printable(sentence, 1_000)}</p>
    </>
  );
  if (parts.length === 0) return;
  const rows = mapRows(parts, ({ part, points, shown = points }) => (
    <tr>
      <td>{PARTS[part]}</td>
      <td class="number">{shown}</td>
    </tr>
  ));
  yield* tableParts({ columns: ['Part', 'Points'], rows });
}

const PARTS: Record<ChangePart, string> = {
  changed: 'changed lines',
  outside: 'unchanged lines of changed files',
  untouched: 'files outside the diff',
  removed: 'removed code',
  unexplained: 'files whose changes are not known',
};

/** Files whose text or coverage moved against the base. */
export function* changedFiles(
  { fileChanges, fileChangeCount }: NonNullable<BuildView['result']>,
  place: OfBuild,
): Generator<Part> {
  if (fileChanges.length === 0) return;
  const left = fileChangeCount - fileChanges.length;
  yield* tableParts({
    heading: 'Files that moved',
    columns: ['File', 'Coverage', 'Change', 'Uncovered lines'],
    rows: mapRows(fileChanges, (change) => (
      <tr>
        <FileCell
          name={change.name}
          note={KINDS[change.kind]}
          removed={change.kind === 'removed' || change.kind === 'no-longer-measured'}
          {...place}
        />
        <NumberCells {...change} />
        <td>{ranges(change)}</td>
      </tr>
    )),
  });
  yield left > 0 && <p class="quiet">{left} more files moved less.</p>;
}

const KINDS: Record<FileChange['kind'], string> = {
  changed: 'changed',
  added: 'new',
  removed: 'no longer reported',
  'newly-measured': 'measured now, not changed',
  'no-longer-measured': 'no longer measured, not changed',
  elsewhere: 'lost coverage, text unchanged',
};

/** A file's name, linked to its lines where the build has it. */
function FileCell(
  props: OfBuild & { readonly name: string; readonly note?: string; readonly removed?: boolean },
): VNode {
  const { name, note, removed = false, buildId, links } = props;
  const shown = <code>{printable(name, 300)}</code>;
  return (
    <td>
      {removed ? shown : <a href={links.source(buildId, name)}>{shown}</a>} {note && <span class="quiet">{note}</span>}
    </td>
  );
}

function ranges(file: Pick<FileChange, 'uncovered' | 'uncoveredRanges'>): string {
  const shown = file.uncovered.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const more = file.uncoveredRanges - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
