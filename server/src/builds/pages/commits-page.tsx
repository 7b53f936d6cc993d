import type { BuildSummary } from '../../core/builds/build-summary.ts';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { buildTable } from './repo-lists.tsx';

/** Commits that begin with the same digits. */
export interface ShownCommits {
  readonly repo: Repo;
  readonly digits: string;
  readonly candidates: readonly BuildSummary[];
}

/** Where a short commit in an address means several. */
export const renderCommitsPage = (shown: ShownCommits, page: PageContext): Iterable<string> => {
  const { repo, digits } = shown;
  const frame = {
    title: `${printable(digits, 40)} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: printable(digits, 40) }),
    tabs: repoTabs({ repo, current: undefined }, page.links),
  };
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts({ repo, digits, candidates }: ShownCommits, page: PageContext): Generator<Part> {
  yield (
    <>
      <h1>Which commit?</h1>
      <p class="quiet lede">
        Builds of several commits begin with <span class="ref">{printable(digits, 40)}</span>.
      </p>
    </>
  );
  yield* buildTable({ repo, builds: candidates, bases: new Set() }, page);
}
