import type { VNode } from 'preact';
import { overallOf } from '../../core/builds/build-checks.ts';
import { printable } from '../../core/printable.ts';
import { mayRead } from '../../core/repo/caller.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { openGraphOf } from '../../platform/web/open-graph.ts';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { Person } from '../../platform/web/person.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { nameOf, refOf, shortCommit, titleOf } from '../../wording/build-name.ts';
import { lookOfOverall } from '../../wording/check-words.ts';
import { explainedBy } from '../../wording/page-verdict.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import type { ShownBuildPage } from '../show-build-page.ts';
import { Acceptance } from './acceptance.tsx';
import { type BuildPlace, placeOf } from './build/build-place.ts';
import { listChanges } from './build/change-lists.ts';
import { changedFiles, gainedElsewhere, lostElsewhere, newlyMeasured } from './build/changed-files.tsx';
import { jobsSection } from './build/flags-and-jobs.tsx';
import { LostNote } from './build/flip-marks.tsx';
import { howWorkedOut } from './build/how-worked-out.tsx';
import { linesToCover } from './build/lines-to-cover.tsx';
import { JumpList, type Section, sectionParts } from './build/sections.tsx';
import { verdictBand } from './build/verdict-band.tsx';
import { isAwaited } from './build/verdict-summary.tsx';
import { pullCrumb } from './build-head.tsx';

/** The page of one build: what its statuses link to (rule 24). */
export const renderBuildPage = (shown: ShownBuildPage, page: PageContext): Iterable<string> => {
  const { links, site } = page;
  const { build, repo, maintains } = shown;
  const place = placeOf(shown, page);
  const { favicon, ...unfurling } = openGraphOf(shown, links.terms(repo), site.origin + links.build(build.id));
  const pull = pullCrumb(shown, links);
  const named = nameOf(build, links.terms(repo)) === undefined ? [] : pull.map(({ name }) => name);
  const frame = {
    title: [`${signOf(shown)} ${titleOf(build, links.terms(repo))}`, ...named, printable(repo.name)].join(' · '),
    favicon,
    follows: isAwaited(build),
    // Others fetch what they show of a link as strangers.
    unfurling: mayRead({ kind: 'anonymous' }, repo) ? unfurling : undefined,
    crumbs: repoCrumbs(repo, links, ...pull, { name: refOf(build), href: links.build(build.id) }),
    tabs: repoTabs({ repo, current: 'Overview', commit: build.commit, maintains }, links),
  };
  return renderPage(page, frame, mainParts(shown, { place, page }));
};

const SIGNS = { ok: '✓', fail: '✗', incomplete: '!', would: '◇' } as const;

function signOf({ build: { result } }: ShownBuildPage): string {
  return result === undefined ? '…' : SIGNS[lookOfOverall(overallOf(result))];
}

interface OnPage {
  readonly place: BuildPlace;
  readonly page: PageContext;
}

function* mainParts(shown: ShownBuildPage, { place, page }: OnPage): Generator<Part> {
  const { build, repo, maintains, flags } = shown;
  const { links, csrf, now } = page;
  const { result } = build;
  yield <Heading shown={shown} place={place} />;
  yield* verdictBand({ shown, place });
  yield* rulesSentences(result?.rules).map((sentence) => <p class="note">{sentence}</p>);
  yield <Acceptance build={build} flags={flags.entries} links={links} csrf={maintains ? csrf : undefined} now={now} />;
  yield <LostNote flips={shown.flips} place={place} />;
  const sections = sectionsOf(shown, place);
  const review = build.pullRequest && result && links.ofRepo(repo, `pulls/${build.pullRequest}/review`);
  const files = result && { href: place.files, count: result.files };
  yield <JumpList sections={sections} files={files} review={review || undefined} />;
  for (const section of sections) yield* sectionParts(section);
}

function sectionsOf(shown: ShownBuildPage, place: BuildPlace): readonly Section[] {
  const { result } = shown.build;
  const always = [jobsSection(shown, place), howWorkedOut(shown, place)];
  if (result === undefined) return always;
  const lists = listChanges(result);
  const gained = explainedBy(result.cause)?.split?.untouched.gainedLines ?? 0;
  const { toCover } = shown;
  return [
    linesToCover(toCover, { place, host: hostOf(shown) }),
    changedFiles(result, lists, place),
    lostElsewhere(lists, place, shown.flips),
    gainedElsewhere(shown.gained, gained, place),
    newlyMeasured(lists, place),
    ...always,
  ].filter((section) => section !== undefined);
}

function hostOf({ hostName, hostFile }: ShownBuildPage) {
  return hostName === undefined || hostFile === undefined ? undefined : { name: hostName, file: hostFile };
}

function Heading({ shown, place }: { readonly shown: ShownBuildPage; readonly place: BuildPlace }): VNode {
  const { build, repo } = shown;
  const { links, now } = place;
  const { pullRequest, commit, branch, tag, authors } = build;
  const into = pullRequest === undefined ? undefined : (build.facts?.pull?.baseBranch ?? build.baseBranch);
  const from = branch === undefined ? undefined : `${tag ? 'tag ' : ''}${printable(branch, 100)}`;
  const author = authors.authorName ?? authors.committerName;
  return (
    <>
      <div class="eyebrow">
        {from !== undefined && (
          <span class="ref">{into === undefined ? from : `${from} → ${printable(into, 100)}`}</span>
        )}
        {pullRequest !== undefined && (
          <a class="n" href={links.pull(repo, pullRequest)}>
            {links.numberOf(repo, pullRequest)}
          </a>
        )}
        {commit !== undefined && (
          <span class="ref" title={printable(commit, 64)}>
            {shortCommit(commit)}
          </span>
        )}
        {author !== undefined && <Person name={author} limit={60} />}
        <span>
          <When at={build.result?.closedAt ?? build.createdAt} now={now} />
        </span>
      </div>
      <h1>{titleOf(build, links.terms(repo))}</h1>
    </>
  );
}
