import type { VNode } from 'preact';
import type { BuildView } from '../../core/builds/build-summary.ts';
import { changeOf, showChange } from '../../core/coverage/percent.ts';
import { missedBranches, missedLines } from '../../core/coverage/totals.ts';
import { printable } from '../../core/printable.ts';
import { numberOf } from '../../core/repo/git-host.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { grouped } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { Person } from '../../platform/web/person.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { nameOf, namePull, refOf, subjectOf } from '../../wording/build-name.ts';
import { arrivedOf, counted } from '../../wording/phrases.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import type { ShownPull } from '../show-pull.ts';
import { type BuildPlace, placeOf, placeOfCheck } from './build/build-place.ts';
import { LostNote } from './build/flip-marks.tsx';
import { isStep, openStep, unverifiedStep, verdictSteps } from './build/next-steps.tsx';
import { sectionParts } from './build/sections.tsx';
import { ChangeCell, directionOf, percentText } from './build/shown-numbers.tsx';
import { verdictParts } from './build/verdict-summary.tsx';
import { judgedOf, OverallTag, VerdictIcon } from './build-words.tsx';

/** All builds of a pull request: what the newest one says, then each push. */
export const renderPullPage = (shown: ShownPull, page: PageContext): Iterable<string> => {
  const { links } = page;
  const { repo, pullRequest, newest, maintains } = shown;
  const title = nameOf(newest, links.terms(repo));
  const number = links.numberOf(repo, pullRequest);
  const frame = {
    title: [`${number}${title === undefined ? '' : ` ${title}`}`, printable(repo.name)].join(' · '),
    crumbs: repoCrumbs(repo, links, { name: number, href: links.pull(repo, pullRequest) }),
    tabs: repoTabs({ repo, current: 'Overview', commit: newest.commit, maintains }, links),
  };
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: ShownPull, page: PageContext): Generator<Part> {
  const { repo, newest, flags } = shown;
  const place = placeOf({ build: newest, repo, supersededBy: undefined }, page);
  yield <Heading shown={shown} place={place} />;
  const linkTo = (check: string): string => placeOfCheck(place, check);
  const steps = [
    ...(newest.result ? verdictSteps(newest.result, flags.entries, linkTo) : [openStep(newest, place)]),
    unverifiedStep(newest),
  ];
  const facts = newestFacts(shown, place);
  yield* verdictParts({ build: newest, flags, place, steps: steps.filter(isStep), facts, mark: shown.mark });
  yield* rulesSentences(newest.result?.rules).map((sentence) => <p class="note">{sentence}</p>);
  yield <LostNote flips={shown.flips} place={place} />;
  yield* sectionParts({
    id: 'pushes',
    name: 'Pushes',
    aside: (
      <>
        <span class="quiet">newest first; each is compared with its own base</span>
        <span class="end row">
          <CompareLast shown={shown} place={place} />
          <a href={place.links.ofRepo(repo, `pulls/${shown.pullRequest}/review`)}>Review the whole change</a>
        </span>
      </>
    ),
    parts: pushTable(shown, place),
  });
}

/** What the last push moved. */
function CompareLast({ shown, place }: { readonly shown: ShownPull; readonly place: BuildPlace }): VNode | null {
  const before = pushBefore(shown);
  if (before === undefined) return null;
  const { repo, newest } = shown;
  return <a href={place.links.compare(repo, String(before.id), String(newest.id))}>Compare the last two pushes</a>;
}

function Heading({ shown, place }: { readonly shown: ShownPull; readonly place: BuildPlace }): VNode {
  const { newest, pullRequest } = shown;
  const { branch, authors, baseBranch, facts } = newest;
  const into = facts?.pull?.baseBranch ?? baseBranch;
  const from = branch && printable(branch, 100);
  const author = authors.authorName ?? authors.committerName;
  const pull = facts?.pull;
  const terms = place.links.terms(place.repo);
  const title = nameOf(newest, terms);
  return (
    <>
      <div class="eyebrow">
        {from && <span class="ref">{into === undefined ? from : `${from} → ${printable(into, 100)}`}</span>}
        {author !== undefined && <Person name={author} limit={60} />}
        {pull?.openedAt !== undefined && (
          <span>
            opened <When at={pull.openedAt} now={place.now} />
          </span>
        )}
        {pull !== undefined && <span>{pull.merged ? 'merged' : pull.state}</span>}
        {shown.hostPage !== undefined && (
          <a href={shown.hostPage} rel="nofollow noopener">
            {shown.hostName} ↗
          </a>
        )}
      </div>
      <h1>
        {title === undefined ? namePull(pullRequest, terms) : `${title} `}
        {title !== undefined && <span class="quiet n">{numberOf(terms, pullRequest)}</span>}
      </h1>
    </>
  );
}

/** The push before the newest, if both have a result. */
function pushBefore({ newest, pushes, page }: ShownPull): BuildView | undefined {
  if (page !== 1 || newest.result === undefined) return undefined;
  return pushes.find(({ id, result }) => id !== newest.id && result !== undefined);
}

function newestFacts(shown: ShownPull, { links, now }: BuildPlace) {
  const { newest } = shown;
  const before = pushBefore(shown);
  return [
    [
      'Latest push',
      <>
        <a class="ref" href={links.build(newest.id)}>
          {refOf(newest)}
        </a>{' '}
        <span class="quiet">
          <When at={newest.createdAt} now={now} />
        </span>
      </>,
    ] as const,
    ...(newest.result?.patch === undefined
      ? []
      : [['Changed lines', percentText(newest.result.patch.totals)] as const]),
    ...(before === undefined ? [] : [['Since the previous push', <Since newest={newest} before={before} />] as const]),
  ];
}

/** How the total moved from one push to the next, and what is to be covered. */
function Since({ newest, before }: { readonly newest: BuildView; readonly before: BuildView }): VNode {
  const change = changeOf(newest.result?.totals, before.result?.totals);
  const [now, then] = [toCover(newest), toCover(before)];
  const fewer = now === undefined || then === undefined ? 0 : then - now;
  return (
    <>
      {change === undefined ? '—' : <span class={directionOf(change)}>{showChange(change)}</span>}
      {fewer !== 0 && <span class="quiet">, {fewer > 0 ? `${fewer} fewer` : `${-fewer} more`} to cover</span>}
    </>
  );
}

function toCover({ result }: BuildView): number | undefined {
  return result?.patch && missedLines(result.patch.totals) + missedBranches(result.patch.totals);
}

const COLUMNS: readonly Column[] = [
  { name: 'Push', kind: 'grow' },
  { name: 'To cover', kind: 'num' },
  { name: 'Changed lines', kind: 'num' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Compared with' },
  { name: 'Built' },
];

function* pushTable(
  { repo, pullRequest, pushes, newest, page, hasMore }: ShownPull,
  place: BuildPlace,
): Generator<Part> {
  const { links } = place;
  const rows = mapRows(pushes, (build) => <PushRow build={build} isNewest={build.id === newest.id} place={place} />);
  if (pushes.length === 0) yield <p class="empty">No pushes yet.</p>;
  else yield* listTable({ label: 'Pushes', columns: COLUMNS, rows });
  yield (page > 1 || hasMore) && (
    <nav class="row after" aria-label="Pages">
      {page > 1 && <a href={links.pull(repo, pullRequest, page - 1)}>← newer pushes</a>}{' '}
      {hasMore && <a href={links.pull(repo, pullRequest, page + 1)}>older pushes →</a>}
    </nav>
  );
}

function PushRow(props: { readonly build: BuildView; readonly isNewest: boolean; readonly place: BuildPlace }): VNode {
  const { build, isNewest, place } = props;
  const { links, now } = place;
  const { result } = build;
  const isWhole = result !== undefined && !['incomplete', 'error'].includes(result.verdict.state);
  const open = toCover(build);
  return (
    <Row>
      <Cell class="main">
        <VerdictIcon of={judgedOf(build)} />{' '}
        <a href={links.build(build.id)}>{subjectOf(build, links.terms(place.repo)) ?? refOf(build)}</a>{' '}
        <OverallTag build={build} /> {isNewest && <span class="tag">latest</span>}
        <span class="sub">
          <span class="ref">{refOf(build)}</span>
          {result === undefined &&
            `, pending with ${build.expectedJobs ? arrivedOf(build.expectedJobs) : counted(build.jobs, 'job')} so far`}
        </span>
      </Cell>
      <Cell class="num" label={open === undefined ? undefined : 'to cover'}>
        {open === undefined ? null : grouped(open)}
      </Cell>
      <Cell class="num" label={result?.patch === undefined ? undefined : 'changed lines'}>
        {result?.patch && percentText(result.patch.totals)}
      </Cell>
      <Cell class="num lead">{isWhole ? percentText(result.totals) : <span class="quiet">—</span>}</Cell>
      {isWhole ? (
        <ChangeCell {...result} />
      ) : (
        <Cell class="num">
          <span class="quiet">not compared</span>
        </Cell>
      )}
      <Cell label={result?.base === undefined ? undefined : 'base'}>
        {result?.base && (
          <a class="ref" href={links.build(result.base.buildId)}>
            {refOf(result.base)}
          </a>
        )}
      </Cell>
      <Cell class="when">
        <When at={result?.closedAt ?? build.createdAt} now={now} />
      </Cell>
    </Row>
  );
}
