import type { VNode } from 'preact';
import type { BuildResult, FileChange } from '../domain/builds/build.ts';
import type { PatchResult } from '../domain/builds/build-facts.ts';
import { branchPercent, linePercent, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ChangePart } from '../domain/verdict/attribute-change.ts';
import type { ChangeCause } from '../domain/verdict/change-cause.ts';
import { describeCause } from '../wording/change-words.ts';
import { explainVerdict } from '../wording/verdict-words.ts';
import { NumberCells, Table } from './build-tables.tsx';
import { rate } from './page-parts.tsx';
import type { SiteLinks } from './site-links.ts';

interface OfBuild {
  readonly buildId: number;
  readonly links: SiteLinks;
}

/** The lines that the change added or rewrote: how many of them are covered, and where not. */
export function PatchTable({ patch, ...place }: OfBuild & { readonly patch: PatchResult }): VNode {
  const { totals, files, fileCount, unmeasured, unmeasuredCount } = patch;
  const percent = totalPercent(totals);
  const left = fileCount - files.length;
  const diffSource = patch.source === 'upload' ? 'upload' : 'provider';
  return (
    <>
      <h2>Changed lines</h2>
      <p>
        {percent === undefined ? 'No changed line is relevant.' : <PatchCounts patch={patch} />}{' '}
        {diffSource === 'upload' && <span class="quiet">Which lines changed is what the upload states.</span>}{' '}
        {!patch.complete && <span class="quiet">The {diffSource} could not tell every changed file or line.</span>}
      </p>
      {patch.verdict && (
        <p class={`verdict ${patch.verdict.state}`}>
          <strong>{patch.verdict.state}</strong>: {printable(explainVerdict(patch.verdict), 1_000)}
        </p>
      )}
      {files.length > 0 && (
        <Table columns={['File', 'Coverage', 'Uncovered changed lines']}>
          {files.map((file) => (
            <tr>
              <FileCell name={file.name} {...place} />
              <td class="number">{showPercent(totalPercent(file.totals))}</td>
              <td>{ranges(file)}</td>
            </tr>
          ))}
        </Table>
      )}
      {left > 0 && <p class="quiet">{left} more files are better covered.</p>}
      <Unmeasured names={unmeasured} count={unmeasuredCount} />
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
export function CauseTable({ cause }: { readonly cause: ChangeCause }): VNode {
  const { sentence, parts } = describeCause(cause);
  return (
    <>
      <h2>What moved the total</h2>
      <p>{printable(sentence, 1_000)}</p>
      {parts.length > 0 && (
        <Table columns={['Part', 'Points']}>
          {parts.map(({ part, points }) => (
            <tr>
              <td>{PARTS[part]}</td>
              <td class="number">{points}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

const PARTS: Record<ChangePart, string> = {
  changed: 'changed lines',
  outside: 'unchanged lines of changed files',
  untouched: 'files outside the diff',
  removed: 'removed code',
  unexplained: 'files whose changes are not known',
};

/** Files whose text or coverage moved against the base. */
export function ChangedFiles({ result, ...place }: OfBuild & { readonly result: BuildResult }): VNode | null {
  if (result.fileChanges.length === 0) return null;
  const left = result.fileChangeCount - result.fileChanges.length;
  return (
    <>
      <Table heading="Files that moved" columns={['File', 'Coverage', 'Change', 'Uncovered lines']}>
        {result.fileChanges.map((change) => (
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
        ))}
      </Table>
      {left > 0 && <p class="quiet">{left} more files moved less.</p>}
    </>
  );
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
