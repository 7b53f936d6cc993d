import type { ComponentChildren, VNode } from 'preact';
import type { BranchColumns } from '../../../core/coverage/file-coverage.ts';
import { HIGHLIGHT_KINDS, type Highlights, NUMBERS_PER_RUN } from '../../../core/coverage/highlights.ts';
import { createIsWithin } from '../../../core/coverage/line-ranges.ts';
import { Icon } from '../../../platform/web/icons.tsx';
import type { ShownSource } from '../../show-source.ts';
import { FlipRow } from './flip-marks.tsx';

/** The classes of the style sheet, in the order of HIGHLIGHT_KINDS. */
const CLASSES = HIGHLIGHT_KINDS.map((kind) => kind.charAt(0));

/** The lines of a page with their hits, branches, marks and text. */
export function* codeRows({ file, offset, count, text, edit, flips }: ShownSource): Generator<VNode> {
  const branches = branchesByLine(file.branches);
  const starts = new Set(file.places.map((place) => place.first));
  const isChanged = createIsWithin(edit?.lines ?? []);
  const marked = new Set(flips?.blocks.flatMap(({ places }) => places));
  const noted = Map.groupBy(flips?.blocks ?? [], ({ first }) => first);
  const paint = createPaint(typeof text === 'string' ? 'pending' : text.highlights);
  for (let index = 0; index < count; index += 1) {
    const line = offset + index + 1;
    const source = typeof text === 'string' ? '' : (text.lines[index] ?? '');
    for (const block of noted.get(line) ?? []) yield <FlipRow block={block} branch={flips?.branch ?? ''} />;
    yield (
      <CodeRow
        line={line}
        hits={file.hits[index] ?? -1}
        branches={branches.get(line)}
        changed={isChanged(line)}
        flips={marked.has(line)}
        begins={starts.has(line)}
      >
        {paint(line - 1, source)}
      </CodeRow>
    );
  }
}

interface LineBranches {
  taken: number;
  all: number;
  readonly missed: string[];
}

function CodeRow(props: {
  readonly line: number;
  readonly hits: number;
  readonly branches: LineBranches | undefined;
  readonly changed: boolean;
  readonly flips: boolean;
  /** Whether an uncovered place begins here. */
  readonly begins: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const { line, hits, branches, changed, flips, begins, children } = props;
  const partly = hits !== 0 && branches !== undefined && branches.taken < branches.all;
  const kind = hits === 0 ? 'miss' : partly ? 'some' : hits > 0 ? 'hit' : undefined;
  return (
    <tr id={`L${line}`} class={kind} {...(begins && { 'data-uncovered': '' })}>
      <td class="ln">
        <a href={`#L${line}`}>{line}</a>
      </td>
      <td class="hits">
        {hits < 0 ? '' : `${hits}×`}
        {kind === 'miss' && <span class="sr"> missed</span>}
        {kind === 'some' && <span class="sr"> partly covered</span>}
      </td>
      <td class="br">{branches !== undefined && <span title={titleOf(branches)}>{showBranches(branches)}</span>}</td>
      <td class="mk">
        {changed && (
          <>
            +<span class="sr"> changed</span>
          </>
        )}
        {flips && (
          <span title="flips without a change">
            <Icon name="flip" label="flips" />
          </span>
        )}
      </td>
      <td class="src">
        <code>{children}</code>
      </td>
    </tr>
  );
}

function showBranches({ taken, all }: LineBranches): string {
  return `${taken}/${all}`;
}

/** Branches that a title names. */
const MAX_NAMED = 8;

function titleOf({ taken, all, missed }: LineBranches): string {
  const said = `${taken} of ${all} branches taken`;
  if (missed.length === 0) return said;
  const more = missed.length > MAX_NAMED ? ' and more' : '';
  return `${said}; not taken: ${missed.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Which branch is which is all that reports say: numbers of blocks, and of branches within one. */
function branchesByLine({ line, block, branch, hits }: BranchColumns): ReadonlyMap<number, LineBranches> {
  const byLine = new Map<number, LineBranches>();
  for (let index = 0; index < line.length; index += 1) {
    const at = line[index] as number;
    const found = byLine.get(at) ?? { taken: 0, all: 0, missed: [] };
    byLine.set(at, found);
    found.all += 1;
    if ((hits[index] as number) > 0) found.taken += 1;
    else if (found.missed.length <= MAX_NAMED) found.missed.push(`branch ${branch[index]} of block ${block[index]}`);
  }
  return byLine;
}

export type Paint = (line: number, text: string) => ComponentChildren;

/** Colors lines by runs that are in order; asked for one line after the other. */
export function createPaint(highlights: Highlights | 'pending'): Paint {
  if (highlights === 'pending') return (_, text) => text;
  let at = -1;
  const number = (place: number): number => highlights[at * NUMBERS_PER_RUN + place] ?? Number.POSITIVE_INFINITY;
  return (line, text) => {
    if (at < 0) at = firstRunOf(highlights, line);
    const parts: ComponentChildren[] = [];
    let shown = 0;
    for (; number(0) <= line; at += 1) {
      const [start, end] = [number(1), Math.min(number(2), text.length)];
      if (number(0) < line || start >= end) continue;
      parts.push(text.slice(shown, start), <span class={CLASSES[number(3)]}>{text.slice(start, end)}</span>);
      shown = end;
    }
    return parts.length === 0 ? text : [...parts, text.slice(shown)];
  };
}

function firstRunOf(highlights: Highlights, line: number): number {
  let [low, high] = [0, highlights.length / NUMBERS_PER_RUN];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((highlights[middle * NUMBERS_PER_RUN] as number) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
