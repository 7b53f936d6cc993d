import { Fragment, type VNode } from 'preact';
import type { LineRange } from '../../../core/coverage/line-ranges.ts';
import { printable } from '../../../core/printable.ts';
import type { BuildPlace } from './build-place.ts';

const LONGEST_NAME = 300;

/** A file's path, with its folder in gray; a link if the build has the file. */
export function FilePath({ name, href }: { readonly name: string; readonly href?: string | undefined }): VNode {
  const shown = printable(name, LONGEST_NAME);
  const end = shown.lastIndexOf('/') + 1;
  const path = (
    <>
      {end > 0 && <span class="dir">{shown.slice(0, end)}</span>}
      {shown.slice(end)}
    </>
  );
  return href === undefined ? (
    <span class="path">{path}</span>
  ) : (
    <a class="path" href={href}>
      {path}
    </a>
  );
}

/** Links for one file; the file's page has them all. */
const MAX_LINKS = 8;

interface Missing {
  readonly name: string;
  readonly ranges: readonly LineRange[];
  readonly more: number;
  /** Lines on which only a branch is missed. */
  readonly branches?: readonly number[] | undefined;
  /** How many such lines there are in all. */
  readonly branchLines?: number | undefined;
}

/** `7–8, 12, branches at 6 and 9`, each a link to its lines. */
export function MissingLines({
  name,
  ranges,
  more,
  branches = [],
  branchLines = branches.length,
  place,
}: Missing & { readonly place: BuildPlace }): VNode {
  const lines = ranges
    .slice(0, MAX_LINKS)
    .map(([first, last]) => (
      <a href={place.file(name, first === last ? first : `${first}-${last}`)}>{rangeText([first, last])}</a>
    ));
  const left = more + ranges.length - lines.length;
  const branchesLeft = Math.max(0, branchLines - MAX_LINKS);
  const ofBranches = branches.slice(0, MAX_LINKS).map((line) => <a href={place.file(name, line)}>{line}</a>);
  return (
    <>
      {joined(lines, ', ')}
      {left > 0 && ` and ${left} more`}
      {ofBranches.length > 0 && (
        <>
          {lines.length > 0 && ', '}
          {ofBranches.length === 1 ? 'branch at ' : 'branches at '}
          {joined(ofBranches, ', ')}
          {branchesLeft > 0 && ` and ${branchesLeft} more`}
        </>
      )}
    </>
  );
}

export function rangeText([first, last]: LineRange): string {
  return first === last ? String(first) : `${first}–${last}`;
}

function joined(nodes: readonly VNode[], between: string): readonly VNode[] {
  return nodes.map((node, index) => (
    <Fragment>
      {index > 0 && between}
      {node}
    </Fragment>
  ));
}
