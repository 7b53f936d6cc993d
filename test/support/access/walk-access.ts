import { ask, type Place, targetOf } from './access-requests.ts';
import { type AccessScene, ALIKE, CALLERS, type CallerName, FORK_CALLERS, SCRAPED } from './access-scene.ts';
import { type AccessTable, readAccessTable, writeRow } from './access-table.ts';
import type { Visibility } from './access-targets.ts';

interface Part {
  /** A table of answers.md. */
  readonly title: string;
  readonly place: Place;
  readonly visibility: Visibility;
}

/** The first names every route; the others name those that answer otherwise than there, or than to nobody. */
const WHOLE: Part = { title: 'A token in the header, for a private repo', place: 'header', visibility: 'private' };
const REST: readonly Part[] = [
  { title: 'A token in the header, for a public repo', place: 'header', visibility: 'public' },
  { title: 'A token in the query, for a private repo', place: 'query', visibility: 'private' },
  { title: 'A token in the body, for a private repo', place: 'body', visibility: 'private' },
];

/** What answers a fork's run otherwise than nobody, or its token otherwise than an unknown one. */
const FORK_PARTS = (['private', 'public'] as const).map((visibility) => ({ place: 'header', visibility }) as const);
const FORKS: Readonly<Record<AccessScene['service'], string>> = {
  github: "A fork's run",
  gitlab: "A fork's run on GitLab",
  bitbucket: "A fork's run on Bitbucket Cloud",
  stash: "A fork's run on Bitbucket Data Center",
};

/** What was asked, and every difference from the tables of answers.md, as what to do about it. */
export interface Walk {
  readonly requests: number;
  readonly problems: readonly string[];
  /** Callers that the host knows no credential for. */
  readonly absent: ReadonlySet<CallerName>;
}

interface WantedWalk {
  readonly routes: readonly string[];
  readonly markdown: string;
  /** Which of the routes; default: all. */
  readonly asked?: (route: string) => boolean;
}

/** Asks every route as every caller, and compares the statuses with the tables. */
export async function walkAccess(
  scene: AccessScene,
  { routes, markdown, asked = () => true }: WantedWalk,
): Promise<Walk> {
  const problems: string[] = [];
  const absent = new Set<CallerName>();
  let requests = 0;
  const measure = async (route: string, part: Part, callers: readonly CallerName[] = CALLERS) => {
    const cells: string[] = [];
    for (const caller of callers) {
      const statuses = await askAs(scene, { route, caller, ...part });
      requests += statuses.length;
      if (statuses.length === 0) absent.add(caller);
      cells.push(statuses.length === 0 ? NOT_ASKED : [...new Set(statuses)].join('/'));
    }
    return cells;
  };
  const named = namesOf(scene);
  const table = (title: string, columns: readonly string[]): AccessTable =>
    readTable(markdown, { title, columns, routes: routes.map(named) }, problems);
  const whole = table(WHOLE.title, CALLERS);
  const rest = REST.map((part) => ({ part, table: table(part.title, CALLERS) }));
  const forkTables = FORK_PARTS.map((part) => {
    const title = `${FORKS[scene.service]}, for a ${part.visibility} repo`;
    // Where every route answers as it answers nobody, and an unknown token, there is no table.
    return { ...part, title, table: markdown.includes(`# ${title}\n`) ? table(title, FORK_CALLERS) : undefined };
  });
  const compareForks = async (route: string, part: Part, [nobody = '', unknown = '']: readonly string[]) => {
    const own = forkTables.find(({ place, visibility }) => place === part.place && visibility === part.visibility);
    // The run alone has nothing that could stand elsewhere.
    if (own === undefined) {
      const seen = await measure(route, part, ['fork token']);
      return compare({ route, title: `${part.title}, by a fork's token`, seen, told: [unknown] }, problems);
    }
    const told = own.table?.rows.get(named(route)) ?? [nobody, unknown];
    compare({ route, title: own.title, seen: await measure(route, part, FORK_CALLERS), told }, problems);
  };
  const compareAlike = async (route: string, part: Part, answered: readonly string[]) => {
    for (const [caller, other] of Object.entries(ALIKE)) {
      const isScraped = caller === 'scraper' && route === SCRAPED && part.place === 'header';
      const told = [isScraped ? '200' : (answered[CALLERS.indexOf(other)] ?? '')];
      const seen = await measure(route, part, [caller as keyof typeof ALIKE]);
      compare({ route, title: `${part.title}, by the caller "${caller}"`, seen, told }, problems);
    }
  };
  // Uploads last: one with another repo's token makes a build of the same number there.
  for (const route of routes.filter(asked).toSorted((a, b) => Number(isUpload(a)) - Number(isUpload(b)))) {
    const seen = await measure(route, WHOLE);
    compare({ route, title: WHOLE.title, seen, told: whole.rows.get(named(route)) }, problems);
    await compareForks(route, WHOLE, seen);
    await compareAlike(route, WHOLE, seen);
    for (const { part, table } of rest) {
      if (part.place === 'body' && !/^(?:POST|PUT) /.test(route)) continue;
      const usual = part.place === 'header' ? seen : CALLERS.map(() => seen[0] ?? '');
      const told = table.rows.get(named(route)) ?? usual;
      const answered = await measure(route, part);
      compare({ route, title: part.title, seen: answered, told }, problems);
      await compareForks(route, part, answered);
      await compareAlike(route, part, answered);
    }
  }
  return { requests, problems, absent };
}

/**
 * What answers.md calls a route: its builds are at GitHub, so its rows about GitHub hold for the
 * host of the scene, and the reverse.
 */
function namesOf({ service }: AccessScene): (route: string) => string {
  const other: Readonly<Record<string, string>> = { github: service, [service]: 'github' };
  // A repo of a host other than GitHub may have a token of its own: another form among its settings.
  const isAlone = (route: string): boolean => /^POST .*\/settings$/.test(route);
  return (route) =>
    isAlone(route)
      ? route
      : route
          .replace(/^(\w+ \/(?:hooks\/)?)(\w+)/, (_, start, host) => `${start}${other[host] ?? host}`)
          // Groups nest at GitLab alone.
          .replace(/^(GET \/github)\/\*owner$/, '$1/:owner')
          .replace(/^(GET \/gitlab)\/:owner$/, '$1/*owner');
}

const isUpload = (route: string): boolean => /^POST .*\/jobs$/.test(route);

/** Every route that answers.md names. */
export function listRoutes(markdown: string): readonly string[] {
  return [...readAccessTable(markdown, WHOLE.title).rows.keys()];
}

/** How the addresses of a repo's pages begin behind its name, of the routes of answers.md: `flags`, `settings`. */
export function listRepoPages(markdown: string): readonly string[] {
  const names = listRoutes(markdown).flatMap(
    (route) => /^GET \/manual\/\*name\/([\w-]+)(?:\/|$)/.exec(route)?.[1] ?? [],
  );
  return [...new Set(names)];
}

function readTable(
  markdown: string,
  { title, columns, routes }: Pick<Part, 'title'> & Record<'columns' | 'routes', readonly string[]>,
  problems: string[],
): AccessTable {
  const table = readAccessTable(markdown, title);
  if (table.columns.join() !== columns.join()) problems.push(`"${title}" must have the columns ${columns.join(', ')}.`);
  for (const route of table.rows.keys())
    if (!routes.includes(route)) problems.push(`"${title}" has a row for ${route}, which is no route: remove it.`);
  return table;
}

/** The cell of a caller whose credentials the host does not know. */
const NOT_ASKED = 'not asked';

interface Compared {
  readonly route: string;
  readonly title: string;
  readonly seen: readonly string[];
  readonly told: readonly string[] | undefined;
}

function compare({ route, title, seen, told }: Compared, problems: string[]): void {
  const isAsTold = seen.every((cell, index) => cell === NOT_ASKED || cell === told?.[index]);
  if (isAsTold && told?.length === seen.length) return;
  const row = writeRow(route, seen);
  const has = told === undefined ? 'has no row' : `has ${writeRow(route, told)}`;
  problems.push(`"${title}" ${has}; answered was\n${row}\nIf that is right, put this row there.`);
}

/** The statuses of all of the caller's credentials; about a private repo in both forms of the header. */
async function askAs(
  scene: AccessScene,
  { route, caller, place, visibility }: Part & { readonly route: string; readonly caller: CallerName },
): Promise<readonly number[]> {
  const statuses: number[] = [];
  const inBothForms = place === 'header' && visibility === 'private' && !['nobody', 'fork run'].includes(caller);
  const count = scene.credentialsOf(caller, await targetOf(route, visibility, scene)).length;
  for (let index = 0; index < count; index += 1) {
    for (const scheme of inBothForms ? (['token', 'Bearer'] as const) : (['token'] as const)) {
      // What the request before has changed is made again.
      const target = await targetOf(route, visibility, scene);
      const credential = scene.credentialsOf(caller, target)[index] ?? '';
      const forkRun = scene.runOf(caller, target);
      const status = await ask(scene, { route, target, place, credential, scheme, forkRun });
      if (status < 400) scene.forgetUsed();
      statuses.push(status);
    }
  }
  return statuses;
}
