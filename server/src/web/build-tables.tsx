import type { VNode } from 'preact';
import { type Part, rowParts } from './render-parts.tsx';

/** Rows under their columns, beneath a heading where the table has one; `pager` tells of rows that are not shown. */
export function* tableParts(table: {
  readonly heading?: string;
  readonly id?: 'flags' | 'jobs';
  readonly columns: readonly string[];
  readonly rows: Iterable<VNode>;
  readonly pager?: VNode | null;
}): Generator<Part> {
  const { heading, id, columns, rows, pager } = table;
  yield { tags: id === undefined ? '<section>' : `<section id="${id}">` };
  yield heading !== undefined && <h2>{heading}</h2>;
  yield { tags: '<div class="scroll"><table>' };
  yield (
    <thead>
      <tr>
        {columns.map((column) => (
          <th class={NUMBER_COLUMNS.has(column) ? 'number' : ''}>{column}</th>
        ))}
      </tr>
    </thead>
  );
  yield* rowParts('<tbody>', rows, '</tbody></table></div>');
  yield pager;
  yield { tags: '</section>' };
}

const NUMBER_COLUMNS: ReadonlySet<string> = new Set([
  'Coverage',
  'Change',
  'Files',
  'Lines',
  'Branches',
  'Points',
  'Created (UTC)',
]);
