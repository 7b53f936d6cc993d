/** Statuses by caller, of each route that a table of docs/access.md names. */
export interface AccessTable {
  readonly columns: readonly string[];
  /** By route, as `GET /builds/:reference`. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** The table under the heading `title`. A row may stand for several routes: `GET /{github,manual}/*name`. */
export function readAccessTable(markdown: string, title: string): AccessTable {
  const section = markdown.split(/^#+ /m).find((text) => text.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`docs/access.md has no heading ${title}.`);
  const [head, , ...lines] = section.split('\n').filter((line) => line.startsWith('|'));
  const [, ...columns] = cellsOf(head ?? '');
  const rows = lines.map(cellsOf).flatMap(([routes = '', ...cells]) => {
    return expand(routes.replaceAll('`', '')).map((route) => [route, cells] as const);
  });
  return { columns, rows: new Map(rows) };
}

/** A line of such a table. */
export function writeRow(route: string, cells: readonly string[]): string {
  return `| \`${route}\` | ${cells.join(' | ')} |`;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function expand(route: string): readonly string[] {
  const [all, choices = ''] = /\{([^}]*)\}/.exec(route) ?? [];
  return all === undefined ? [route] : choices.split(',').flatMap((one) => expand(route.replace(all, one)));
}
