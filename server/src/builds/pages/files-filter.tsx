import type { VNode } from 'preact';
import type { TreeSort } from '../../core/coverage/file-tree.ts';
import { printable } from '../../core/printable.ts';
import type { BrowseRequest } from '../browse-files.ts';

/** What a view of the files was asked for. */
export type AskedFiles = Pick<BrowseRequest, 'folder' | 'query' | 'show' | 'flag' | 'sort'>;

const SHOWS = [
  ['all', 'all files'],
  ['changed', 'changed files'],
  ['missed', 'files with missed lines'],
  ['lost', 'files that lost coverage'],
  ['gained', 'files that gained coverage'],
] as const;
const SORTS: readonly (readonly [value: TreeSort, text: string])[] = [
  ['path', 'by path'],
  ['missed', 'most missed first'],
  ['lowest', 'lowest first'],
  ['drop', 'largest drop first'],
  ['gain', 'largest gain first'],
];

/** Which files are shown, and in which order: a form, so that every view has an address. */
export function FilesFilter(props: {
  readonly asked: AskedFiles;
  readonly flags: readonly string[];
  readonly action: string;
}): VNode {
  const { asked, flags, action } = props;
  const ofFlags = flags.map((flag) => [flag, printable(flag, 60)] as const);
  return (
    <form class="filter" action={action}>
      <PathFilter query={asked.query} />
      <Choice label="Show" name="show" options={SHOWS} chosen={asked.show} />
      {flags.length > 0 && (
        <Choice label="Flag" name="flag" options={[['', 'all'], ...ofFlags]} chosen={asked.flag ?? ''} />
      )}
      <Choice label="Sort" name="sort" options={SORTS} chosen={asked.sort} />
      <button type="submit">Apply</button>
      <span class="end quiet small keys">
        <kbd>t</kbd> find a file
      </span>
    </form>
  );
}

/** The same of files in no tree. */
export function FilesOrder(props: {
  readonly asked: Pick<AskedFiles, 'query' | 'sort'>;
  /** The period of the trend beside them, which stays. */
  readonly days: number;
  readonly action: string;
}): VNode {
  const { asked, days, action } = props;
  return (
    <form class="filter end" action={action}>
      <PathFilter query={asked.query} />
      <Choice label="Sort" name="sort" options={SORTS.filter(([sort]) => sort !== 'path')} chosen={asked.sort} />
      <input type="hidden" name="days" value={days} />
      <button type="submit">Show</button>
    </form>
  );
}

function PathFilter({ query }: { readonly query: string }): VNode {
  return (
    <input
      type="search"
      name="q"
      value={query}
      aria-label="Filter by path"
      placeholder="Filter by path"
      size={28}
      data-find-file
    />
  );
}

/** A field of a form that filters: without script its button sends it. */
export function Choice(props: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: string;
}): VNode {
  const { label, name, options, chosen } = props;
  return (
    <label>
      {label}{' '}
      <select name={name} data-submit>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
