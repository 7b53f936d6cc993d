import type { VNode } from 'preact';
import { grouped } from './page-parts.tsx';
import { mapRows, type Part, renderPart, rowParts } from './render-parts.tsx';

export interface Column {
  /** What stands over the column. */
  readonly name: string;
  /** `num`: right, with even digits; `grow`: takes the room that is left; `nowrap`. */
  readonly kind?: 'num' | 'grow' | 'nowrap';
  /** Whether the rows are in the order of this column. */
  readonly sort?: 'ascending' | 'descending';
  /** A link that sorts by this column. */
  readonly href?: string;
}

export interface ListTable {
  /** What the table holds, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** `Row`s; each is made when it is rendered. */
  readonly rows: Iterable<VNode>;
  readonly dense?: boolean;
  /** Another style of its own. */
  readonly class?: string;
}

/** A table whose rows become cards on a phone, rendered some rows at a time. */
export function listTable({ label, columns, rows, dense, class: own }: ListTable): Generator<Part> {
  const head = renderPart(
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ name, kind, sort, href }) => (
          <th role="columnheader" scope="col" class={kind} {...(sort !== undefined && { 'aria-sort': sort })}>
            {href === undefined ? name : <a href={href}>{name}</a>}
          </th>
        ))}
      </tr>
    </thead>,
  );
  const table = renderPart(
    <table class={['list', dense && 'dense', own].filter(Boolean).join(' ')} role="table" aria-label={label} />,
  );
  const [open = '', close = ''] = table.split(/(?=<\/table>)/);
  return rowParts(`${open}${head}<tbody role="rowgroup">`, rows, `</tbody>${close}`);
}

/** Rows of a long list that are seen at once. */
const OPEN_ROWS = 10;

/** The same of a list that may be long: what comes first, and the rest in a fold. */
export function* foldedTable<Item>(
  of: Omit<ListTable, 'rows'> & { readonly items: readonly Item[]; readonly row: (item: Item) => VNode },
): Generator<Part> {
  const { items, row, ...table } = of;
  const rest = items.slice(OPEN_ROWS);
  yield* listTable({ ...table, rows: mapRows(items.slice(0, OPEN_ROWS), row) });
  if (rest.length === 0) return;
  yield { tags: '<details class="rest">' };
  yield <summary>Show {grouped(rest.length)} more</summary>;
  yield* listTable({ ...table, label: `${table.label}, the rest`, rows: mapRows(rest, row) });
  yield { tags: '</details>' };
}

type Child = VNode | string | number | null | undefined | false;
type Children = Child | readonly Child[];

export function Row({ children, class: kind }: { readonly children: Children; readonly class?: string }): VNode {
  return (
    <tr role="row" class={kind}>
      {children}
    </tr>
  );
}

/**
 * One cell. On a phone `main` is the card's name, `lead` its number, and `label` is written before the value of any
 * other.
 */
export function Cell(props: {
  readonly children?: Children;
  /** As `main`, `num lead`, `num`, `when`, `wide`, `nowrap`, `barcell`. */
  readonly class?: string;
  readonly label?: string | undefined;
}): VNode {
  const { children, class: kind, label } = props;
  return (
    <td role="cell" class={kind} {...(label !== undefined && { 'data-l': label })}>
      {children}
    </td>
  );
}
