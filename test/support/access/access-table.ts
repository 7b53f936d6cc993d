import { readFile } from 'node:fs/promises';
import { REPO_SERVICES } from '../../../server/src/core/repo/repo.ts';

/** The text of answers.md. */
export const readAnswers = (): Promise<string> => readFile(new URL('answers.md', import.meta.url), 'utf8');

/** Statuses by caller, of each route that a table of answers.md names. */
export interface AccessTable {
  readonly columns: readonly string[];
  /** By route, as `GET /builds/:reference`. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Its items name kinds of routes, which rows of the tables name in place of the routes. */
const KINDS = 'Kinds of routes';

/**
 * The table under the heading `title`. A row may stand for several routes: `GET /{github,manual}/*name`, or the kind
 * `numbers`. A row of a route goes before one of its kind.
 */
export function readAccessTable(markdown: string, title: string): AccessTable {
  const kinds = readKinds(sectionOf(markdown, KINDS));
  const [head, , ...lines] = sectionOf(markdown, title)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [, ...columns] = cellsOf(head ?? '');
  const rows = lines
    .map(cellsOf)
    .toSorted(([one = ''], [other = '']) => Number(isRoute(one)) - Number(isRoute(other)))
    .flatMap(([named = '', ...cells]) => routesOf(named, kinds).map((route) => [route, cells] as const));
  return { columns, rows: new Map(rows) };
}

function sectionOf(markdown: string, title: string): string {
  const section = markdown.split(/^#+ /m).find((text) => text.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`answers.md has no heading ${title}.`);
  return section;
}

/** `- **numbers**: `, then routes as code, on as many lines as they need. */
function readKinds(section: string): ReadonlyMap<string, readonly string[]> {
  const items = section.matchAll(/^- \*\*([a-z ]+)\*\*((?:.*\n(?! *\n|- ))*.*)/gm);
  return new Map(
    [...items].map(([, kind = '', text = '']) => [
      kind,
      [...text.matchAll(/`([A-Z{][^`]*)`/g)].flatMap(([, route = '']) => expand(route)),
    ]),
  );
}

const isRoute = (named: string): boolean => named.startsWith('`');

function routesOf(named: string, kinds: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (isRoute(named)) return expand(named.replaceAll('`', ''));
  const routes = kinds.get(named.replaceAll('*', ''));
  if (routes === undefined) throw new Error(`answers.md has no kind of routes called ${named}.`);
  return routes;
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
  return all === undefined ? [route] : choicesOf(choices).flatMap((one) => expand(route.replace(all, one)));
}

/** `{host}` is each service that a repo can have. */
const choicesOf = (choices: string): readonly string[] => (choices === 'host' ? REPO_SERVICES : choices.split(','));
