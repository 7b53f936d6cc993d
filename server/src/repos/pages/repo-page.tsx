import type { VNode } from 'preact';
import { BUILD_STATES, type BuildFilter, LOOKED_THROUGH } from '../../builds/find-builds.ts';
import type { ListedBuilds } from '../../builds/list-builds.ts';
import { buildTable, pullTable } from '../../builds/pages/repo-lists.tsx';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, grouped, Pager } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { counted } from '../../wording/phrases.ts';
import type { SetupChecks } from '../check-setup.ts';
import type { RepoOverview } from '../show-repo.ts';
import { Choice, heroParts, TrendForm } from './repo-hero.tsx';
import { setupParts } from './setup-page.tsx';
import { badgeText, COMMAND_SNIPPETS, Sentence, Snippet } from './snippets.tsx';

/** All that the page of a repo shows. */
export interface ShownRepo {
  readonly overview: RepoOverview;
  readonly listed: ListedBuilds;
  /** For a repo without builds, for somebody who may administer it. */
  readonly checks: SetupChecks | undefined;
  readonly filter: BuildFilter;
  readonly page: number;
  /** BASE_URL. */
  readonly root: string;
}

/** The page of a repo: its number and trend, open pull requests, and builds of all branches or of one. */
export const renderRepoPage = (shown: ShownRepo, page: PageContext): Iterable<string> => {
  const { overview, listed } = shown;
  const { repo, maintains, newest, refused } = overview;
  const isNew = listed.total === 0 && listed.branch === undefined;
  const frame = {
    title: isNew ? `Set up ${printable(repo.name)}` : printable(repo.name),
    follows: isNew,
    crumbs: repoCrumbs(repo, page.links),
    tabs: repoTabs(
      { repo, current: 'Overview', commit: newest?.commit, maintains, refusedUploads: refused },
      page.links,
    ),
  };
  return renderPage(page, frame, isNew ? setupParts({ ...shown, builds: 0 }, page) : mainParts(shown, page));
};

function* mainParts(shown: ShownRepo, page: PageContext): Generator<Part> {
  const { overview, listed } = shown;
  const { repo, newest, pulls, found } = overview;
  yield (
    <>
      <h1 class="sr">{printable(repo.name)}</h1>
      <TrendForm shown={overview} page={page} />
    </>
  );
  if (listed.warnings.length > 0)
    yield (
      <div class="note warn after">
        {listed.warnings.map((sentence) => (
          <p>{printable(sentence, 1_000)}</p>
        ))}
      </div>
    );
  if (newest !== undefined) yield* heroParts(overview, page);
  else yield <NoNumber overview={overview} />;
  if (pulls.length > 0 && found === undefined && shown.page === 1) {
    const label = `Open ${page.links.terms(repo).pullRequest}s`;
    yield { tags: '<section id="pulls"><div class="head">' };
    yield (
      <h2>
        {label}
        <Count of={pulls.length} />
      </h2>
    );
    yield { tags: '</div>' };
    const rows = pulls.map((build) => ({ repo, build }));
    yield* pullTable({ label, pulls: rows, withRepo: false }, page);
    yield { tags: '</section>' };
  }
  yield { tags: '<section id="builds">' };
  yield* buildParts(shown, page);
  yield { tags: '</section>' };
  if (newest !== undefined) yield <Snippets shown={shown} page={page} />;
}

/** Nothing closed on the branch that is looked at. */
function NoNumber({ overview: { branch, repo } }: { readonly overview: RepoOverview }): VNode {
  const name = printable(branch ?? repo.settings.defaultBranch ?? repo.seen?.defaultBranch ?? 'main or master', 100);
  return (
    <section class="tight">
      <p class="empty">
        No build of {name} is finished yet. Its number and trend appear here after a push to {name} is tested.
      </p>
    </section>
  );
}

function* buildParts({ overview, listed, filter, page: number }: ShownRepo, page: PageContext): Generator<Part> {
  const { repo, found } = overview;
  const { branch, bases } = listed;
  const { links } = page;
  yield (
    <div class="head">
      <h2>{branch === undefined ? 'Builds' : `Builds on ${printable(branch, 100)}`}</h2>
      {branch !== undefined && <a href={`${links.repo(repo)}#builds`}>all branches</a>}
      <a href={links.ofRepo(repo, 'compare')}>compare two</a>
      <FilterForm filter={filter} action={`${links.repo(repo)}#builds`} />
    </div>
  );
  const builds = found?.builds ?? listed.builds;
  if (builds.length === 0) {
    yield <p class="empty">{found === undefined ? 'No builds yet.' : noMatch(found.looked, number)}</p>;
  } else {
    if (found?.looked !== undefined)
      yield (
        <p class="quiet small">
          {grouped(builds.length)} of {lookedAt(found.looked, number)}
        </p>
      );
    yield* buildTable({ repo, builds, bases }, page);
  }
  if (found === undefined)
    yield <Pager paged={listed} link={(to) => `${links.repo(repo, { branch, page: to })}#builds`} />;
  else if (found.hasOlder) {
    const query = { q: filter.text, verdict: filter.verdict, page: number + 1 };
    yield (
      <p class="row small after">
        <a href={`${links.ofRepo(repo, '', query)}#builds`}>Look through {grouped(LOOKED_THROUGH)} older builds →</a>
      </p>
    );
  }
}

function noMatch(looked: number | undefined, page: number): string {
  return looked === undefined ? 'No match.' : `No match in ${lookedAt(looked, page)}.`;
}

function lookedAt(looked: number, page: number): string {
  return `${page === 1 ? 'the latest' : 'these'} ${counted(looked, 'build')}`;
}

function FilterForm({ filter, action }: { readonly filter: BuildFilter; readonly action: string }): VNode {
  return (
    <form class="filter end" action={action}>
      <input
        name="q"
        aria-label="Title, branch, pull request, commit or person"
        placeholder="Title, branch, #pull, commit"
        size={26}
        value={filter.text}
      />
      <Choice name="verdict" label="Verdict" chosen={filter.verdict} choices={BUILD_STATES} none="any" />
      <button type="submit">Filter</button>
    </form>
  );
}

function Snippets({ shown: { overview, root }, page }: { readonly shown: ShownRepo; readonly page: PageContext }) {
  const { repo, badgeToken, branch, idTokens, maintains, snippets = COMMAND_SNIPPETS } = overview;
  const query = { t: badgeToken };
  const origin = new URL(root).origin;
  return (
    <section class="two">
      <div class="stack">
        <h2>Badge</h2>
        <img class="badge" alt={`Coverage of ${printable(branch ?? '', 100)}`} src={page.links.badge(repo, query)} />
        <Snippet text={badgeText(origin + page.links.badge(repo, query), origin + page.links.repo(repo))} />
        {badgeToken !== undefined && (
          <p class="quiet small">
            This repo is private, so the URL contains a badge token. It can read this number and nothing else.
          </p>
        )}
      </div>
      <div class="stack">
        <h2>Add another job</h2>
        <Snippet text={snippets.job({ root, byIdToken: idTokens !== undefined })} />
        <p class="quiet small">
          {idTokens !== undefined && (
            <>
              <Sentence text={snippets.jobNeeds} />{' '}
            </>
          )}
          <Sentence text={snippets.close} />
          {maintains && (
            <>
              {' '}
              <a href={page.links.ofRepo(repo, 'set-up')}>All steps of the set-up</a>
            </>
          )}
        </p>
      </div>
    </section>
  );
}
