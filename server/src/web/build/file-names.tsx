import { Fragment, type VNode } from 'preact';
import type { LineRange } from '../../domain/coverage/line-ranges.ts';
import { printable } from '../../domain/printable.ts';
import type { BuildPlace } from './build-place.ts';

const LONGEST_NAME = 300;

/** A file's path, its folder in grey; a link where the build has the file. */
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

interface Missing {
  readonly name: string;
  readonly ranges: readonly LineRange[];
  readonly more: number;
  /** Lines with a missed branch alone. */
  readonly branches?: readonly number[] | undefined;
}

/** `7–8, 12, branches at 6 and 9`, each a link to its lines. */
export function MissingLines({
  name,
  ranges,
  more,
  branches = [],
  place,
}: Missing & { readonly place: BuildPlace }): VNode {
  const lines = ranges.map(([first, last]) => (
    <a href={place.file(name, first === last ? first : `${first}-${last}`)}>{rangeText([first, last])}</a>
  ));
  const ofBranches = branches.map((line) => <a href={place.file(name, line)}>{line}</a>);
  return (
    <>
      {joined(lines, ', ')}
      {more > 0 && ` and ${more} more`}
      {ofBranches.length > 0 && (
        <>
          {lines.length > 0 && ', '}
          {ofBranches.length === 1 ? 'branch at ' : 'branches at '}
          {joined(ofBranches, ', ')}
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
