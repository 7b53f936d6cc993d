import type { VNode } from 'preact';
import { missedBranches, missedLines } from '../../core/coverage/totals.ts';
import { printable } from '../../core/printable.ts';
import { mayAdminister } from '../../core/repo/caller.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, grouped, Pager } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { nameOf, namePull, refOf } from '../../wording/build-name.ts';
import { counted } from '../../wording/phrases.ts';
import type { ReviewedChange, ReviewedFile } from '../review-change.ts';
import type { BuildPlace } from './build/build-place.ts';
import { FilePath } from './build/file-names.tsx';
import { CheckChoices, FileName, fileRows } from './build/lines-to-cover.tsx';
import { counts, percentText } from './build/shown-numbers.tsx';

type Shown = ReviewedChange & {
  readonly asked: { readonly check: string | undefined; readonly show: 'all' | 'missed'; readonly query: string };
};

/** The whole change of a pull request with its hits, file by file. */
export const renderReviewPage = (shown: Shown, page: PageContext): Iterable<string> => {
  const { repo, caller, pullRequest, build } = shown;
  const { links } = page;
  const number = links.numberOf(repo, pullRequest);
  const frame = {
    title: `Review ${number} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(
      repo,
      links,
      { name: number, href: links.pull(repo, pullRequest) },
      { name: 'Review', href: reviewLink(shown, page) },
    ),
    tabs: repoTabs({ repo, current: undefined, commit: build.commit, maintains: mayAdminister(caller, repo) }, links),
  };
  return renderPage(page, frame, mainParts(shown, page));
};

function reviewLink(
  { repo, pullRequest }: Pick<Shown, 'repo' | 'pullRequest'>,
  { links }: PageContext,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return links.ofRepo(repo, `pulls/${pullRequest}/review`, query);
}

function* mainParts(shown: Shown, page: PageContext): Generator<Part> {
  const { files, withheld, asked } = shown;
  yield <Heading shown={shown} page={page} />;
  yield <Choices shown={shown} page={page} />;
  if (files.length === 0) {
    yield <p class="empty">{whyEmpty(shown)}</p>;
    return;
  }
  if (withheld) yield <p class="quiet said">Source is hidden: repo tokens can only read numbers.</p>;
  if (!shown.isDiffKnown)
    yield <p class="quiet said">The changed lines are unknown, so only files with missed lines are listed.</p>;
  yield { tags: '<div class="review">' };
  yield <FileList files={files} />;
  yield { tags: '<div><h2 class="sr">Files</h2>' };
  const place = placeOf(shown, page);
  for (const [index, file] of files.entries()) yield* oneFile(file, `file-${index + 1}`, place);
  yield (
    <Pager paged={shown} link={(to) => reviewLink(shown, page, { ...kept(asked), page: to === 1 ? undefined : to })} />
  );
  yield { tags: '</div></div>' };
}

/** What a further choice keeps. */
function kept({ check, show, query }: Shown['asked']) {
  return { check, show: show === 'all' ? undefined : show, file: query || undefined };
}

function whyEmpty({ build, asked, all }: Shown): string {
  if (build.result === undefined) return 'Files appear here when the build is finished.';
  return asked.query === '' && all === 0 ? 'None of the changed files are known here.' : 'No files match.';
}

function Heading({ shown, page: { links } }: { readonly shown: Shown; readonly page: PageContext }): VNode {
  const { repo, build, pullRequest, changed } = shown;
  const terms = links.terms(repo);
  return (
    <>
      <div class="eyebrow">
        <a class="n" href={links.pull(repo, pullRequest)}>
          {links.numberOf(repo, pullRequest)}
        </a>
        <a class="ref" href={links.build(build.id)}>
          {refOf(build)}
        </a>
        <span>{counted(changed, 'file')}</span>
        {build.result?.patch !== undefined && <span>{percentText(build.result.patch.totals)} of changed lines</span>}
      </div>
      <h1>Review: {nameOf(build, terms) ?? namePull(pullRequest, terms)}</h1>
    </>
  );
}

function Choices({ shown, page }: { readonly shown: Shown; readonly page: PageContext }): VNode {
  const { asked, all, missed, chosen } = shown;
  const choice = (show: 'all' | 'missed', name: string, count: number) => (
    <a
      href={reviewLink(shown, page, kept({ ...asked, show }))}
      {...(show === asked.show && { 'aria-current': 'true' as const })}
    >
      {name}
      <Count of={count} />
    </a>
  );
  return (
    <div class="row after">
      <nav class="seg" aria-label="Show">
        {choice('all', 'All files', all)}
        {choice('missed', 'With missed lines', missed)}
      </nav>
      <CheckChoices
        of={chosen}
        label="Files that count for"
        link={(id) => reviewLink(shown, page, kept({ ...asked, check: id === 'all' ? undefined : id }))}
      />
      <form class="filter" action={reviewLink(shown, page)}>
        {asked.check !== undefined && <input type="hidden" name="check" value={asked.check} />}
        {asked.show !== 'all' && <input type="hidden" name="show" value={asked.show} />}
        <input type="search" name="file" aria-label="Filter files" placeholder="Filter files" value={asked.query} />
        <button type="submit">Filter</button>
      </form>
    </div>
  );
}

function missedOf({ counted: lines }: ReviewedFile): number {
  return lines === undefined ? 0 : missedLines(lines.totals) + missedBranches(lines.totals);
}

function FileList({ files }: { readonly files: readonly ReviewedFile[] }): VNode {
  return (
    <nav class="filelist" aria-label="Files of this page">
      <ul>
        {files.map((file, index) => (
          <li>
            <a href={`#file-${index + 1}`}>
              <FilePath name={file.file.name} />{' '}
              {missedOf(file) > 0 && (
                <span class="down">
                  {grouped(missedOf(file))}
                  <span class="sr"> missed</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Lines are those of the newest build. */
function placeOf({ repo, build }: Shown, { links, now }: PageContext): BuildPlace {
  const file = (name: string, line?: number | string) => links.file(repo, build.id, name, line);
  return { build, repo, links, now, file, files: links.tree(repo, build.id) };
}

/** Folded if nothing is missed. */
function* oneFile(shown: ReviewedFile, id: string, place: BuildPlace): Generator<Part> {
  const { file, part, rows, counted: lines } = shown;
  const isOpen = missedOf(shown) > 0;
  yield { tags: `<details class="file" id="${id}"${isOpen ? ' open' : ''}>` };
  yield (
    <summary>
      <h3>
        <FileName shown={shown} />
      </h3>
      <span class="quiet small n">{lines && counts(lines.totals, 'changed ')}</span>
      <span class="end small">
        <State shown={shown} />
      </span>
    </summary>
  );
  if (part !== undefined) {
    yield (
      <p class="file-foot small">
        <a href={place.file(file.name)}>Open file</a>
      </p>
    );
    if (rows.length > 0) yield* fileRows(shown, place);
  }
  yield { tags: '</details>' };
}

function State({ shown }: { readonly shown: ReviewedFile }): VNode | null {
  const { isRemoved, part } = shown;
  if (isRemoved) return <span class="quiet">removed</span>;
  if (part === undefined) return <span class="quiet">not in any report</span>;
  if (shown.counted === undefined) return <span class="quiet">no changed lines with code</span>;
  if (missedOf(shown) > 0) return null;
  return (
    <span class="v ok">
      <Icon name="ok" /> nothing missed
    </span>
  );
}
