import type { VNode } from 'preact';
import { branchOf } from '../../core/builds/base-build.ts';
import { overallOf } from '../../core/builds/build-checks.ts';
import type { BuildSummary } from '../../core/builds/build-summary.ts';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { RepoSettings } from '../../core/repo/settings.ts';
import { countToPass } from '../../core/verdict/cover-to-pass.ts';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { grouped } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import type { RepoAddress } from '../../platform/web/site-links.ts';
import { When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { summarize } from '../../wording/verdict-words.ts';
import {
  BuildChange,
  BuildPercent,
  BuildPlace,
  ImportedTag,
  judgedOf,
  OverallTag,
  Percent,
  VerdictIcon,
  VerdictMark,
} from './build-words.tsx';

const BUILD_COLUMNS: readonly Column[] = [
  { name: 'Build', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Built' },
];

export interface BuildRows {
  readonly repo: RepoAddress;
  readonly builds: readonly BuildSummary[];
  /** Ids of those that are the newest base of their branch. */
  readonly bases: ReadonlySet<number>;
}

/** Builds of a repo, newest first. */
export function buildTable({ repo, builds, bases }: BuildRows, page: PageContext): Iterable<Part> {
  const newest = newestOfPulls(builds);
  const rows = mapRows(builds, (build) => (
    <Row>
      <Cell class="main">
        <VerdictIcon of={judgedOf(build)} />{' '}
        <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>{' '}
        <BuildTags build={build} isBase={bases.has(build.id)} newest={newest.get(build.pullRequest)} />
        <BuildPlace build={build} repo={repo} links={page.links} />
      </Cell>
      <Cell class="num lead">
        <BuildPercent build={build} />
      </Cell>
      <Cell class="num" label="change">
        <BuildChange build={build} />
      </Cell>
      <Cell class="when">
        <When at={build.createdAt} now={page.now} />
      </Cell>
    </Row>
  ));
  return listTable({ label: 'Builds', columns: BUILD_COLUMNS, rows });
}

/** For each pull request the newest build that is shown. */
function newestOfPulls(builds: readonly BuildSummary[]): ReadonlyMap<number | undefined, BuildSummary> {
  const newest = new Map<number | undefined, BuildSummary>();
  for (const build of builds)
    if (build.pullRequest !== undefined && !newest.has(build.pullRequest)) newest.set(build.pullRequest, build);
  return newest;
}

/** What a reader should know before trusting the number. */
function BuildTags(props: {
  readonly build: BuildSummary;
  readonly isBase: boolean;
  readonly newest: BuildSummary | undefined;
}): VNode {
  const { build, isBase, newest } = props;
  const { result, trust, jobs, state } = build;
  const verdict = result?.verdict;
  const superseded = newest?.commit !== undefined && newest.commit !== build.commit;
  const isOpen = result === undefined || state === 'open';
  return (
    <>
      {isOpen && <span class="tag">{jobs === 1 ? '1 job so far' : `${jobs} jobs so far`}</span>}{' '}
      {!isOpen && verdict?.provisional && <span class="tag warn">provisional</span>}{' '}
      {trust === 'run' && <span class="tag warn">unverified fork</span>} <OverallTag build={build} />{' '}
      {build.imported && <ImportedTag imported={build.imported} />}{' '}
      {superseded && <span class="tag">replaced by {shortCommit(newest.commit ?? '')}</span>}{' '}
      {isBase && (
        <span
          class="tag"
          title={`Builds measured against ${printable(branchOf(build) ?? '', 100)} are compared with it`}
        >
          base
        </span>
      )}
    </>
  );
}

const PULL_COLUMNS: readonly Column[] = [
  { name: 'Pull request', kind: 'grow' },
  { name: 'Verdict' },
  { name: 'Changed lines', kind: 'num' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Updated' },
];

export interface PullRows {
  readonly label: string;
  readonly pulls: readonly { readonly repo: Repo; readonly build: BuildSummary }[];
  /** Whether each row says its repo. */
  readonly withRepo: boolean;
}

/** Pull requests, each by its newest build. */
export function pullTable({ label, pulls, withRepo }: PullRows, page: PageContext): Iterable<Part> {
  const rows = mapRows(pulls, ({ repo, build }) => {
    const pull = page.links.pull(repo, build.pullRequest ?? 0);
    const number = page.links.numberOf(repo, build.pullRequest ?? 0);
    return (
      <Row>
        <Cell class="main">
          <a href={pull}>{titleOf(build, page.links.terms(repo))}</a>
          <PullPlace build={build} href={pull} number={number} repo={withRepo ? repo : undefined} />
        </Cell>
        <Cell class="nowrap wide">
          <VerdictMark of={judgedOf(build)} words={verdictWords(build, repo.settings)} />{' '}
          {isProvisional(build) && <span class="tag warn">provisional</span>}{' '}
          {build.trust === 'run' && <span class="tag warn">unverified fork</span>} <OverallTag build={build} />
          <VerdictHint build={build} />
        </Cell>
        <Cell class="num" label="changed lines">
          {build.result?.patch ? <Percent totals={build.result.patch.totals} /> : null}
        </Cell>
        <Cell class="num lead">
          <BuildPercent build={build} />
        </Cell>
        <Cell class="num" label="change">
          <BuildChange build={build} />
        </Cell>
        <Cell class="when">
          <When at={build.createdAt} now={page.now} />
        </Cell>
      </Row>
    );
  });
  return listTable({ label, columns: PULL_COLUMNS, rows });
}

function PullPlace(props: {
  readonly build: BuildSummary;
  readonly href: string;
  readonly number: string;
  readonly repo: Repo | undefined;
}): VNode {
  const { build, href, number, repo } = props;
  const { authors, branch, facts, baseBranch } = build;
  const author = printable(authors.authorName ?? '', 40);
  const base = facts?.pull?.baseBranch ?? baseBranch;
  return (
    <span class="sub">
      {repo !== undefined && `${printable(repo.name, 200)} `}
      <a class="n" href={href}>
        {number}
      </a>
      {author !== '' && ` · ${author}`}
      {branch !== undefined && ' · '}
      {branch !== undefined && (
        <span class="ref">
          {printable(branch, 60)}
          {base !== undefined && ` → ${printable(base, 60)}`}
        </span>
      )}
    </span>
  );
}

/** Why it does not pass, in the fewest words. */
export function VerdictHint({ build: { result, state } }: { readonly build: BuildSummary }): VNode | null {
  if (result === undefined || state === 'open' || result.verdict.state !== 'incomplete') return null;
  const words = summarize(result.verdict, { brief: true }).replace(/^incomplete: /, '');
  return <span class="sub">{printable(words, 80)}</span>;
}

function isProvisional(build: BuildSummary): boolean {
  return !isOpen(build) && build.result?.verdict.provisional === true;
}

function isOpen({ result, state }: BuildSummary): boolean {
  return result === undefined || state === 'open';
}

/** What is to be done: more jobs, or how much to cover so that the total passes by today's thresholds. */
function verdictWords(build: BuildSummary, settings: RepoSettings): string | undefined {
  const { jobs, result } = build;
  if (result === undefined || isOpen(build)) return `Pending, ${jobs === 1 ? '1 job' : `${jobs} jobs`} so far`;
  const { failing } = overallOf(result);
  if (failing.ids[0] !== 'total' || result.verdict.state !== 'failure') return undefined;
  const { totals, base, baseTotals } = result;
  const count = countToPass({
    totals,
    base: base && baseTotals && { number: base.number, totals: baseTotals },
    thresholds: settings,
    unreported: [],
  });
  return count === undefined || count === 0 ? undefined : `Cover ${grouped(count)} to pass`;
}
