import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { counted } from '../../wording/phrases.ts';
import { MAX_OVERLAYS, type OverlayChoice, type TrendPage } from '../show-trend-page.ts';
import { BranchChoice, PeriodNav, TrendFigure, trendList } from './repo-hero.tsx';

export type RenderTrendPage = (shown: TrendPage, page: PageContext) => Iterable<string>;

/** Flags and groups that are offered at once; the others are in a fold. */
const OFFERED = 6;

/** When coverage moved, and by which build: the branch, with flags and groups beside it. */
export const renderTrendPage: RenderTrendPage = (shown, page) => {
  const { repo, newest, maintains, refused } = shown.overview;
  const crumbs = repoCrumbs(repo, page.links, { name: 'Trend', href: page.links.ofRepo(repo, 'trend') });
  const tabs = { repo, current: 'Overview', commit: newest?.commit, maintains, refusedUploads: refused } as const;
  const frame = { title: `Trend · ${printable(repo.name)}`, crumbs, tabs: repoTabs(tabs, page.links) };
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: TrendPage, page: PageContext): Generator<Part> {
  const { overview, overlays } = shown;
  const { points, days, branch } = overview;
  yield (
    <div class="head">
      <h1>Trend</h1>
      <span class="quiet">
        of {printable(branch ?? 'the default branch', 100)}, {counted(points.length, 'build')} of the last {days} days
      </span>
    </div>
  );
  yield <ChoiceForm shown={shown} page={page} />;
  if (points.length === 0) {
    yield <p class="empty">No builds in these {days} days. A longer period may have some.</p>;
    return;
  }
  yield { tags: '<section class="tight" aria-label="Trend">' };
  yield <TrendFigure shown={overview} overlays={overlays} page={page} />;
  yield { tags: '</section><section id="list"><div class="head"><h2>As a list</h2>' };
  yield <span class="quiet">newest first</span>;
  yield { tags: '</div>' };
  yield* trendList(overview, page, `Builds of ${printable(branch ?? '', 100)}`);
  yield { tags: '</section>' };
}

function ChoiceForm({ shown, page }: { readonly shown: TrendPage; readonly page: PageContext }): VNode {
  const { overview, choices, overlays } = shown;
  const { repo, days, asked } = overview;
  const chosen = new Set(overlays.map(({ id }) => id));
  const sorted = choices.toSorted((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)));
  const [offered, others] = [sorted.slice(0, OFFERED), sorted.slice(OFFERED)];
  const boxes = (some: readonly OverlayChoice[]) => some.map((one) => <Box choice={one} on={chosen.has(one.id)} />);
  return (
    <form class="filter" action={page.links.ofRepo(repo, 'trend')}>
      <BranchChoice shown={overview} />
      {choices.length > 0 && (
        <fieldset class="picks">
          <legend>Compare with up to {MAX_OVERLAYS}</legend>
          {boxes(offered)}
          {others.length > 0 && (
            <details class="aside">
              <summary>{others.length} more</summary>
              <div class="picks">{boxes(others)}</div>
            </details>
          )}
        </fieldset>
      )}
      <input type="hidden" name="days" value={days} />
      <button type="submit">Show</button>
      <PeriodNav
        days={days}
        address={(change) =>
          [
            page.links.ofRepo(repo, 'trend', { branch: asked, days: change }),
            ...[...chosen].map(encodeURIComponent),
          ].join('&with=')
        }
      />
    </form>
  );
}

function Box({ choice, on }: { readonly choice: OverlayChoice; readonly on: boolean }): VNode {
  const { id, kind, name } = choice;
  return (
    <label class="choice">
      <input type="checkbox" name="with" value={id} checked={on} />{' '}
      <span>{kind === 'flag' ? <code>{printable(name, 60)}</code> : printable(name, 60)}</span>
    </label>
  );
}
