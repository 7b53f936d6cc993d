import type { VNode } from 'preact';
import { SPARK } from '../../builds/list-flags.ts';
import { BuildPercent, BuildPlace, judgedOf, Percent, Points, VerdictIcon } from '../../builds/pages/build-words.tsx';
import { pullTable, VerdictHint } from '../../builds/pages/repo-lists.tsx';
import { pointPercent, Spark } from '../../builds/pages/trend-chart.tsx';
import { VerdictSentence } from '../../builds/pages/verdict-sentence.tsx';
import { changeOf, showPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, grouped, Pager } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { titleOf } from '../../wording/build-name.ts';
import { LOOKED_AT } from '../search-texts.ts';
import { type HomeRequest, type HomeRow, MAX_REPOS, type RepoOwner, type ShownHome } from '../show-home.ts';
import { Beginning } from './beginning.tsx';
import { Choice } from './repo-hero.tsx';

export interface HomePage {
  readonly home: ShownHome;
  readonly asked: Pick<HomeRequest, 'text' | 'owner' | 'show'>;
  /** Whether this is the page of one owner, and not the list of all repos narrowed to them. */
  readonly isOwnPage: boolean;
  /** BASE_URL. */
  readonly root: string;
}

export const SHOWN = ['failing', 'private'] as const;

const COLUMNS: readonly Column[] = [
  { name: 'Repo', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: `${SPARK.days} days` },
  { name: 'Change, points', kind: 'num' },
  { name: 'Last verdict' },
  { name: 'Built' },
];

/** The repos that the reader may see, of all owners or of one. */
export const renderHomePage = (shown: HomePage, page: PageContext): Iterable<string> => {
  const { owner } = shown.asked;
  if (owner === undefined || !shown.isOwnPage)
    return renderPage(page, { title: 'Repos', isHome: true }, mainParts(shown, page));
  const name = printable(owner.name, 100);
  const crumbs = [{ name, href: page.links.owner(owner.service, owner.name) }];
  return renderPage(page, { title: name, crumbs }, mainParts(shown, page));
};

function* mainParts(shown: HomePage, page: PageContext): Generator<Part> {
  const { home, asked, isOwnPage, root } = shown;
  const { owner } = asked;
  const isStranger = page.viewer === undefined;
  yield (
    <div class="head">
      <h1>{owner === undefined || !isOwnPage ? 'Repos' : printable(owner.name, 100)}</h1>
      {page.viewer !== undefined && home.readable > 0 && (
        <span class="end">
          <a class="btn" href={page.links.newRepo()}>
            Add a repo
          </a>
        </span>
      )}
    </div>
  );
  if (home.readable > 0) yield <FindForm shown={shown} page={page} />;
  if (home.found.length > 0) yield* foundParts(home, page);
  if (home.files.length > 0) yield* fileParts(home, page);
  if (home.pulls.length > 0) yield* pullParts(home, page);
  if (home.rows.length > 0) yield* repoParts(shown, page);
  else if (home.readable > 0 && home.found.length === 0 && home.files.length === 0)
    yield (
      <section class="tight">
        <p class="empty">
          No matches. A search finds repos by a part of their names, and builds by <code>#12</code> or a commit. By a
          title, branch, person or path it finds what the latest {LOOKED_AT.builds} builds of {LOOKED_AT.repos} repos
          hold. <a href={page.links.home()}>All repos</a>
        </p>
      </section>
    );
  if (owner === undefined && (isStranger || home.readable === 0))
    yield <Beginning home={home} page={page} root={root} />;
}

function FindForm({ shown, page }: { readonly shown: HomePage; readonly page: PageContext }): VNode {
  const { owner, text, show } = shown.asked;
  const label = 'Search repos, pull requests, commits, branches, people and files';
  return (
    <form class="filter" action={page.links.home()} role="search" id="q">
      <span class="big">
        <input
          type="search"
          name="q"
          placeholder="Search repos, titles, #pull, commits, files"
          aria-label={label}
          value={text}
        />
        <kbd class="keys" aria-hidden="true">
          /
        </kbd>
      </span>
      <OwnerChoice owners={shown.home.owners} chosen={owner} />
      <Choice name="show" label="Show" chosen={show} choices={SHOWN} none="all" />
      <button type="submit">Find</button>
    </form>
  );
}

/** Names of owners are enough if no two hosts have the same. Nothing if all repos have one owner. */
function OwnerChoice(props: {
  readonly owners: readonly RepoOwner[];
  readonly chosen: RepoOwner | undefined;
}): VNode | null {
  const { owners, chosen } = props;
  if (owners.length < 2 && chosen === undefined) return null;
  const isChosen = ({ service, name }: RepoOwner): boolean =>
    service === chosen?.service && name.toLowerCase() === chosen.name.toLowerCase();
  const all = chosen === undefined || owners.some(isChosen) ? owners : [...owners, chosen];
  const isAmbiguous = ({ name }: RepoOwner): boolean => all.filter((other) => other.name === name).length > 1;
  return (
    <label>
      Owner{' '}
      <select name="owner" data-submit>
        <option value="">all</option>
        {all.map((owner) => (
          <option value={ownerKey(owner)} selected={isChosen(owner)}>
            {printable(isAmbiguous(owner) ? `${owner.name} (${owner.service})` : owner.name, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}

function ownerKey({ service, name }: RepoOwner): string {
  return `${service}/${name}`;
}

function* pullParts({ pulls }: ShownHome, page: PageContext): Generator<Part> {
  yield { tags: '<section class="tight">' };
  yield (
    <div class="head">
      <h2>
        Open pull requests
        <Count of={pulls.length} />
      </h2>
      <span class="quiet small">not passing yet</span>
    </div>
  );
  yield* pullTable({ label: 'Open pull requests', pulls, withRepo: true }, page);
  yield { tags: '</section>' };
}

const GROUPS = [
  { standing: 'attention', name: 'Needs attention' },
  { standing: 'passing', name: 'Passing' },
  { standing: 'not-started', name: 'Not started' },
] as const;

function* repoParts({ home, asked, isOwnPage }: HomePage, page: PageContext): Generator<Part> {
  const { text: q, show, owner } = asked;
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>
        {owner === undefined ? 'All repos' : 'Repos'}
        <Count of={home.total} />
      </h2>
      <span class="quiet small">default branch of each repo, failing first</span>
    </div>
  );
  yield* listTable({ label: 'Repos', columns: COLUMNS, rows: rowsOf(home, page) });
  const link = (to: number): string => {
    const query = { q, show, page: to };
    if (owner === undefined) return page.links.home(query);
    if (isOwnPage) return page.links.owner(owner.service, owner.name, query);
    return page.links.home({ owner: ownerKey(owner), ...query });
  };
  yield <Pager paged={home} link={link} />;
  if (home.readable > MAX_REPOS)
    yield (
      <p class="quiet small after">
        You can read {grouped(home.readable)} repos; the first {grouped(MAX_REPOS)} by name are listed here.
      </p>
    );
  yield { tags: '</section>' };
}

function* rowsOf({ rows, standings, pulls: listed }: ShownHome, page: PageContext): Generator<VNode> {
  const failing = listed.filter(({ build }) => judgedOf(build).state === 'failure').toReversed();
  const pulls = new Map(failing.map(({ build }) => [build.repoId, build.pullRequest]));
  for (const { standing, name } of GROUPS) {
    const own = rows.filter((row) => row.standing === standing);
    if (own.length === 0) continue;
    yield (
      <Row class="group">
        <th role="rowheader" scope="rowgroup" colSpan={COLUMNS.length}>
          {name}
          <Count of={standings[standing]} />
        </th>
      </Row>
    );
    for (const row of own) yield repoRow(row, pulls.get(row.repo.id), page);
  }
}

/** `pull`: the newest pull request of the repo that fails. */
function repoRow(row: HomeRow, pull: number | undefined, page: PageContext): VNode {
  const { repo, newest, points, incomplete } = row;
  const change = newest?.verdict.state === 'incomplete' ? undefined : changeOf(newest?.totals, newest?.baseTotals);
  return (
    <Row>
      <Cell class="main">
        <RepoLink repo={repo} page={page} /> {repo.settings.visibility === 'public' && <span class="tag">public</span>}
      </Cell>
      <Cell class="num lead">
        {newest === undefined ? <span class="quiet">—</span> : showPercent(pointPercent(newest))}
      </Cell>
      <Cell class="barcell">
        <Spark points={points} label={`${SPARK.days} days`} />
      </Cell>
      <Cell class="num" label="change">
        {change === undefined ? null : <Points change={change} />}
      </Cell>
      <Cell class="nowrap wide">
        {newest === undefined ? (
          <a href={page.links.repo(repo)}>No build of the default branch yet</a>
        ) : (
          <>
            <VerdictSentence point={newest} settings={repo.settings} />{' '}
            {pull !== undefined && (
              <a href={page.links.pull(repo, pull)} class="quiet small">
                {page.links.numberOf(repo, pull)} fails
              </a>
            )}
            {incomplete && <VerdictHint build={incomplete} />}
          </>
        )}
      </Cell>
      <Cell class="when">{newest === undefined ? null : <When at={newest.at} now={page.now} />}</Cell>
    </Row>
  );
}

function RepoLink({ repo, page }: { readonly repo: Repo; readonly page: PageContext }): VNode {
  const end = repo.name.lastIndexOf('/') + 1;
  return (
    <a href={page.links.repo(repo)}>
      <span class="quiet">{printable(repo.name.slice(0, end), 200)}</span>
      {printable(repo.name.slice(end), 100)}
    </a>
  );
}

const FOUND_COLUMNS: readonly Column[] = [
  { name: 'Build', kind: 'grow' },
  { name: 'Repo' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Built' },
];

function* foundParts({ found }: ShownHome, page: PageContext): Generator<Part> {
  yield { tags: '<section class="tight"><div class="head"><h2>Builds</h2></div>' };
  const rows = mapRows(found, ({ repo, build }) => (
    <Row>
      <Cell class="main">
        <VerdictIcon of={judgedOf(build)} />{' '}
        <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>
        <BuildPlace build={build} repo={repo} links={page.links} />
      </Cell>
      <Cell class="nowrap">
        <RepoLink repo={repo} page={page} />
      </Cell>
      <Cell class="num lead">
        <BuildPercent build={build} />
      </Cell>
      <Cell class="when">
        <When at={build.createdAt} now={page.now} />
      </Cell>
    </Row>
  ));
  yield* listTable({ label: 'Builds that were found', columns: FOUND_COLUMNS, rows });
  yield { tags: '</section>' };
}

const FILE_COLUMNS: readonly Column[] = [
  { name: 'Path', kind: 'grow' },
  { name: 'Repo' },
  { name: 'Coverage', kind: 'num' },
];

function* fileParts({ files }: ShownHome, page: PageContext): Generator<Part> {
  yield { tags: '<section class="tight"><div class="head"><h2>Files</h2></div>' };
  const rows = mapRows(files, ({ repo, buildId, file: { name, totals } }) => (
    <Row>
      <Cell class="main">
        <a class="path" href={page.links.file(repo, buildId, name)}>
          {printable(name, 300)}
        </a>
      </Cell>
      <Cell class="nowrap">
        <RepoLink repo={repo} page={page} />
      </Cell>
      <Cell class="num lead">
        <Percent totals={totals} />
      </Cell>
    </Row>
  ));
  yield* listTable({ label: 'Files that were found', columns: FILE_COLUMNS, rows });
  yield { tags: '</section>' };
}
