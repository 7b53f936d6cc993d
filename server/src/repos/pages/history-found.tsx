import type { ComponentChildren, VNode } from 'preact';
import { HISTORY_SOURCES, percentOfBuild } from '../../core/builds/imported.ts';
import { type Ratio, showChange, showPercent, subtractRatios, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { ActionButton } from '../../platform/web/form-parts.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { grouped } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import type { FoundBuild, FoundHistory, HistoryImport } from '../../storage/history-imports.ts';
import { shortCommit } from '../../wording/build-name.ts';
import { counted } from '../../wording/phrases.ts';

const MAX_NAMES = 10;

/** What an uploaded history has, before any of it is in the repo. */
export function* foundParts(repo: Repo, { found }: HistoryImport, page: PageContext): Generator<Part> {
  const service = HISTORY_SOURCES[found.from];
  const fresh = freshOf(found);
  yield (
    <div class={`note ${fresh > 0 ? 'good' : 'warn'}`} role="status">
      <p>
        <b>
          {fresh > 0
            ? `${groupedBuilds(fresh)} of ${named(found.branches)} can be imported from ${service}.`
            : `None of its ${groupedBuilds(found.builds)} can be imported: the table says why.`}
        </b>{' '}
        Nothing has been written yet.
      </p>
    </div>
  );
  yield (
    <section class="tight">
      <dl class="tally">
        <Comparison found={found} page={page} />
        <Fact name="Oldest">
          <Found build={found.oldest} page={page} />
        </Fact>
        <Fact name="Read from">
          <span class="small">{printable(found.address, 200)}</span>
          {found.requests !== undefined && <small>{counted(found.requests, 'request')}</small>}
        </Fact>
      </dl>
    </section>
  );
  yield* tableParts(found);
  yield found.notes !== undefined && found.notes.length > 0 && <Notes notes={found.notes} />;
  yield <Choice repo={repo} fresh={fresh} page={page} />;
}

/** `1,204 builds` */
export function groupedBuilds(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'build' : 'builds'}`;
}

/** An earlier version did not compare it with the repo. */
function freshOf({ plan, builds }: FoundHistory): number {
  return plan === undefined ? builds : plan.fresh.lines + plan.fresh.counts + plan.fresh.percentage;
}

/** The percentage that the other service shows of the newest build, and ours, with what makes the difference. */
function Comparison({ found, page }: { readonly found: FoundHistory; readonly page: PageContext }): VNode {
  const service = HISTORY_SOURCES[found.from];
  const { newest } = found;
  const ours = newest.here && totalPercent(newest.here);
  return (
    <>
      <Fact name={`Newest, at ${service}`}>
        <Found build={newest} page={page} />
      </Fact>
      <Fact name="The same, counted here">
        {ours === undefined ? '—' : showPercent(ours)}
        <small>{differenceOf(newest, ours).join(', ')}</small>
      </Fact>
    </>
  );
}

/** What parts our number from theirs. */
function differenceOf({ shown, partialLines = 0 }: FoundBuild, ours: Ratio | undefined): readonly string[] {
  if (ours === undefined) return ['only a percentage is known'];
  const theirs = percentOfBuild(undefined, { shown });
  const { numerator, denominator } = theirs ? subtractRatios(ours, theirs) : ours;
  // Theirs has two decimals: no more of the difference means anything.
  const cut = { numerator: (numerator * 100n) / denominator, denominator: 100n };
  return [
    ...(theirs === undefined ? [] : [cut.numerator === 0n ? 'no difference' : showChange(cut)]),
    ...(partialLines > 0 ? [counted(partialLines, 'partly covered line')] : []),
  ];
}

const COLUMNS = (service: string): readonly Column[] => [
  { name: '', kind: 'grow' },
  { name: `At ${service}`, kind: 'num' },
  { name: 'Will be imported', kind: 'num' },
  { name: 'Why not all' },
];

function* tableParts(found: FoundHistory): Generator<Part> {
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>What was found</h2>
    </div>
  );
  const rows = mapRows(rowsOf(found), ([what, there, here, why]) => (
    <Row>
      <Cell class="main">{what}</Cell>
      <Cell class="num" label="found">
        {there === undefined ? null : grouped(there)}
      </Cell>
      <Cell class="num lead" label="imported">
        {grouped(here)}
      </Cell>
      <Cell class="wide">
        <span class="quiet small">{why}</span>
      </Cell>
    </Row>
  ));
  yield* listTable({ label: 'What was found', columns: COLUMNS(HISTORY_SOURCES[found.from]), rows });
  yield { tags: '</section>' };
}

type FoundRow = readonly [what: string, there: number | undefined, here: number, why: string];

function rowsOf(found: FoundHistory): readonly FoundRow[] {
  const { builds, withLines, withCounts, flags, leftOut = [], plan } = found;
  const { own = 0, again = 0, between = 0 } = plan ?? {};
  const out = leftOut.reduce((sum, { commits }) => sum + commits, 0);
  const reasons = [
    ...leftOut.map(({ why, commits }) => `${grouped(commits)}: ${printable(why, 200)}`),
    ...(own > 0 ? [`${grouped(own)} have a build here, which stays`] : []),
    ...(again > 0 ? [`${grouped(again)} were imported before`] : []),
    ...(between > 0 ? [`${grouped(between)} are newer than what was imported before`] : []),
  ];
  const known = [
    ['With lines', withLines, plan?.fresh.lines],
    ['With counts only', withCounts, plan?.fresh.counts],
    ['With a percentage only', builds - withLines - withCounts, plan?.fresh.percentage],
  ] as const;
  return [
    ['Commits with coverage', builds + out, freshOf(found), reasons.join('; ')],
    ...known.filter(([, there]) => there > 0).map(([what, there, here = there]) => [what, there, here, ''] as const),
    ['Flags', flags.length, freshOf(found) === 0 ? 0 : flags.length, flags.length === 0 ? '' : named(flags)],
  ];
}

function Notes({ notes }: { readonly notes: readonly string[] }): VNode {
  return (
    <section class="tight">
      <div class="note warn">
        {notes.map((note) => (
          <p>{printable(note, 500)}</p>
        ))}
      </div>
    </section>
  );
}

function Choice(props: { readonly repo: Repo; readonly fresh: number; readonly page: PageContext }): VNode {
  const { repo, fresh, page } = props;
  const to = { page, action: page.links.ofRepo(repo, 'settings/import'), about: '' };
  const label = `Import ${groupedBuilds(fresh)}`;
  return (
    <section class="tight stack">
      <p>Imported builds never fail and are never announced. Open pull requests are judged again afterward.</p>
      <div class="row">
        {fresh > 0 && <ActionButton {...to} label={label} fields={{ do: 'start' }} class="primary" />}
        <ActionButton {...to} label="Discard" about="this upload" fields={{ do: 'discard' }} class="btn" />
      </div>
    </section>
  );
}

/** A history may have any number of them. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, 60));
  return names.length > MAX_NAMES ? `${shown.join(', ')} and ${names.length - MAX_NAMES} more` : shown.join(', ');
}

function Found({ build, page }: { readonly build: FoundBuild; readonly page: PageContext }): VNode {
  const { commit, at, shown } = build;
  return (
    <>
      {shown === undefined ? '—' : showPercent(percentOfBuild(undefined, { shown }))}
      <small>
        <span class="ref">{shortCommit(commit)}</span>, <When at={at} now={page.now} />
      </small>
    </>
  );
}

function Fact(props: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
