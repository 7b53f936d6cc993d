import type { VNode } from 'preact';
import { branchOf } from '../../core/builds/base-build.ts';
import { overallOf } from '../../core/builds/build-checks.ts';
import type { AcceptedBy } from '../../core/builds/build-facts.ts';
import type { BuildSummary } from '../../core/builds/build-summary.ts';
import { HISTORY_SOURCES, type Imported, percentOfBuild } from '../../core/builds/imported.ts';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { type ShownChange, showChange, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { printable } from '../../core/printable.ts';
import { type Overall, sizeOf } from '../../core/verdict/checks.ts';
import { judgedChange } from '../../core/verdict/reason.ts';
import type { VerdictState } from '../../core/verdict/verdict.ts';
import { Icon, type IconName } from '../../platform/web/icons.tsx';
import type { SiteLinks } from '../../platform/web/site-links.ts';
import { shortCommit } from '../../wording/build-name.ts';
import { listTag } from '../../wording/check-words.ts';
import { importedSentence } from '../../wording/imported-words.ts';
import { lookOf, VERDICT_WORDS, WOULD_FAIL } from '../../wording/page-verdict.ts';

interface Judged {
  readonly state: VerdictState | 'open';
  readonly informational?: true | undefined;
  readonly accepted?: true | undefined;
}

/** The shape of a verdict with its word. */
export function verdictLook(of: Judged): { readonly icon: IconName; readonly word: string } {
  const { state, informational, accepted } = of;
  if (state === 'open') return { icon: 'pending', word: 'Pending' };
  if (accepted) return { icon: 'ok', word: 'Accepted' };
  const icon = lookOf({ state, informational });
  return { icon, word: icon === 'would' ? WOULD_FAIL : VERDICT_WORDS[state] };
}

/** What all checks of a build amount to; one that is open again is pending. */
export function judgedOf({ state, result }: Pick<BuildSummary, 'state' | 'result'>): Judged {
  return result === undefined || state === 'open' ? { state: 'open' } : judgedBy(overallOf(result));
}

/** As one verdict: what only informational checks say is shown as one of them. */
export function judgedBy({ state, wouldFail, accepted }: Overall): Judged {
  if (state !== 'success') return { state };
  return sizeOf(wouldFail) > 0 ? { state: 'failure', informational: true } : { state, accepted };
}

/** The same of a point of a branch's trend; of a flag's its own verdict. */
export function judgedAt({ overall, verdict }: Pick<TrendPoint, 'overall' | 'verdict'>): Judged {
  return overall === undefined ? verdict : judgedBy(overall);
}

/** What fails, or would, where the numbers beside it do not say so: these are the total's. */
export function OverallTag({ build: { state, result } }: { readonly build: Pick<BuildSummary, 'state' | 'result'> }) {
  if (result === undefined || state === 'open') return null;
  return <ChecksTag overall={overallOf(result)} acceptance={result.acceptance} />;
}

export function ChecksTag(props: {
  readonly overall: Overall;
  readonly acceptance?: AcceptedBy | undefined;
}): VNode | null {
  const { overall, acceptance } = props;
  const tag = listTag(overall);
  if (tag !== undefined) return <span class={`tag ${tag.look}`}>{tag.words}</span>;
  if (overall.accepted !== true || acceptance === undefined) return null;
  return <span class="tag">accepted by {printable(acceptance.by, 40)}</span>;
}

/** Shape and word beside each other. */
export function VerdictMark({ of, words }: { readonly of: Judged; readonly words?: string | undefined }): VNode {
  const { icon, word } = verdictLook(of);
  return (
    <span class={`v ${icon}`}>
      <Icon name={icon} /> {words ?? word}
    </span>
  );
}

/** The shape alone, which says its word to those who do not see it. */
export function VerdictIcon({ of }: { readonly of: Judged }): VNode {
  const { icon, word } = verdictLook(of);
  return <Icon name={icon} label={`${word}:`} />;
}

/** A number of points with its sign, or `unchanged`. */
export function Points({ change, unit }: { readonly change: ShownChange; readonly unit?: boolean }): VNode {
  const kind = change.numerator === 0n ? 'quiet' : change.numerator < 0n ? 'down' : 'up';
  return <span class={kind}>{showChange(change, !unit)}</span>;
}

/** A build's number for a table; nobody's before its first close. */
export function BuildPercent(props: { readonly build: Pick<BuildSummary, 'result' | 'imported'> }): VNode {
  const { result, imported } = props.build;
  if (result === undefined) return <span class="quiet">—</span>;
  const { state } = result.verdict;
  // Rule 13: the number of a part is no number of the build.
  if (state === 'incomplete' || state === 'error') return <span class="quiet">{state}</span>;
  const shown = percentOfBuild(result.totals, imported);
  return shown === undefined ? <Percent totals={undefined} /> : <span>{showPercent(shown)}</span>;
}

/** Where an imported build comes from, and how much of it is known. */
export function ImportedTag({ imported }: { readonly imported: Imported }): VNode {
  return (
    <span class="tag" title={importedSentence(imported)}>
      from {HISTORY_SOURCES[imported.from]}
    </span>
  );
}

export function Percent({ totals }: { readonly totals: CoverageTotals | undefined }): VNode {
  const percent = totals && totalPercent(totals);
  return percent === undefined ? <span class="quiet">none</span> : <span>{showPercent(percent)}</span>;
}

/** What changed against the base; rule 13: an incomplete build is not compared. */
export function BuildChange({ build: { result } }: { readonly build: Pick<BuildSummary, 'result'> }): VNode | null {
  if (result === undefined) return null;
  if (result.verdict.state === 'incomplete') return <span class="quiet">not compared</span>;
  const change = judgedChange(result);
  return change === undefined ? null : <Points change={change} />;
}

/** Where a build belongs: its commit, its pull request or branch, and who wrote it. */
export function BuildPlace(props: {
  readonly build: BuildSummary;
  readonly repo: Parameters<SiteLinks['repo']>[0];
  readonly links: SiteLinks;
}): VNode {
  const { build, repo, links } = props;
  const { commit, pullRequest, authors } = build;
  const author = printable(authors.authorName ?? '', 40);
  const parts = [
    commit && (
      <a class="ref" href={links.build(build.id)}>
        {shortCommit(commit)}
      </a>
    ),
    pullRequest !== undefined && (
      <a class="n" href={links.pull(repo, pullRequest)}>
        {links.numberOf(repo, pullRequest)}
      </a>
    ),
    pullRequest === undefined && <BranchName build={build} repo={repo} links={links} />,
    author,
  ].filter(Boolean);
  return <span class="sub">{parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}</span>;
}

/** A branch of its own leads to that branch's builds (rules.md "Branches"). */
function BranchName({ build, repo, links }: Parameters<typeof BuildPlace>[0]): VNode | null {
  const branch = branchOf(build);
  if (branch !== undefined && build.trust !== 'run')
    return <a href={links.repo(repo, { branch })}>{printable(branch, 80)}</a>;
  return build.branch === undefined ? null : <span>{printable(build.branch, 80)}</span>;
}
