import type { VNode } from 'preact';
import type { CarriedPick, FlagResult } from '../../../core/builds/build.ts';
import type { Job } from '../../../core/builds/job.ts';
import { printable } from '../../../core/printable.ts';
import type { Timestamp } from '../../../core/time.ts';
import { countOf, grouped } from '../../../platform/web/counts.ts';
import { Icon } from '../../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../../platform/web/list-table.tsx';
import { PartPager } from '../../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../../platform/web/render-parts.tsx';
import type { SiteLinks } from '../../../platform/web/site-links.ts';
import { When } from '../../../platform/web/when.tsx';
import { refOf } from '../../../wording/build-name.ts';
import { flagRemark, lookOf, wordOf } from '../../../wording/page-verdict.ts';
import type { ShownBuild } from '../../show-build.ts';
import type { BuildPlace } from './build-place.ts';
import type { Section } from './sections.tsx';
import { ChangeCell, percentText } from './shown-numbers.tsx';

const LONGEST_NAME = 300;

const FLAGS: readonly Column[] = [
  { name: 'Flag', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Lines', kind: 'num' },
  { name: 'Branches', kind: 'num' },
  { name: 'Verdict' },
];

/** The flags of a build: uploaded, carried with their age, and missing ones (rules 15 to 17). */
export function flagsSection({ build, flags, jobs }: ShownBuild, place: BuildPlace): Section | undefined {
  if (flags.total === 0) return undefined;
  const link = (page: number) => place.links.build(build.id, { flags: page, jobs: jobs.page, at: 'flags' });
  return {
    id: 'flags',
    name: 'Flags',
    count: flags.total,
    parts: after(
      flagTable(flags.entries, place),
      <PartPager what="Those that fail come first. Flags" part={flags} link={link} />,
    ),
  };
}

export function flagTable(flags: readonly FlagResult[], place: Pick<BuildPlace, 'links' | 'now'>): Iterable<Part> {
  return listTable({
    label: 'Flags',
    columns: FLAGS,
    rows: mapRows(flags, (flag) => <FlagRow flag={flag} {...place} />),
  });
}

interface FlagRowOf extends Pick<BuildPlace, 'links' | 'now'> {
  readonly flag: FlagResult;
}

function FlagRow({ flag, links, now }: FlagRowOf): VNode {
  const { name, totals, baseTotals, carried, verdict } = flag;
  const remark = flagRemark(flag);
  return (
    <Row>
      <Cell class="main">
        <code>{printable(name, LONGEST_NAME)}</code>{' '}
        {carried && <CarriedTag carried={carried} links={links} now={now} />}
        {remark !== undefined && <span class="sub remark">{printable(remark, 1_000)}</span>}
      </Cell>
      <Cell class="num lead">{percentText(totals)}</Cell>
      <ChangeCell totals={totals} baseTotals={baseTotals} verdict={verdict} />
      <Cell class="num" label="lines">
        {totals && countOf(totals.coveredLines, totals.relevantLines)}
      </Cell>
      <Cell class="num" label={totals && totals.branches > 0 ? 'branches' : undefined}>
        {totals && totals.branches > 0 ? countOf(totals.coveredBranches, totals.branches) : null}
      </Cell>
      <Cell>
        <span class={`v ${lookOf(verdict)}`}>
          <Icon name={lookOf(verdict)} /> {wordOf(verdict)}
        </span>
      </Cell>
    </Row>
  );
}

/** Rule 16: a carried report says from where, wherever its number stands. */
export function CarriedTag(props: {
  readonly carried: CarriedPick;
  readonly links: SiteLinks;
  readonly now: Timestamp;
}): VNode {
  const { carried, links, now } = props;
  return (
    <span class="tag carried">
      carried from <a href={links.build(carried.buildId)}>{refOf(carried)}</a>,{' '}
      <When at={carried.closedAt} now={now} old />
    </span>
  );
}

const JOBS: readonly Column[] = [
  { name: 'Job', kind: 'grow' },
  { name: 'Flag' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Files', kind: 'num' },
  { name: 'Arrived' },
];

/** The uploads of a build, in order of arrival. */
export function jobsSection({ build, flags, jobs }: ShownBuild, place: BuildPlace): Section {
  const counted = new Set(build.result?.countedJobs);
  const unmerged = build.state === 'open' ? 'not merged yet' : 'replaced by a later attempt';
  const link = (page: number) => place.links.build(build.id, { flags: flags.page, jobs: page, at: 'jobs' });
  const rows = mapRows(jobs.entries, (job) => (
    <JobRow job={job} note={build.result && !counted.has(job.id) ? unmerged : undefined} place={place} />
  ));
  return {
    id: 'jobs',
    name: 'Jobs',
    count: jobs.total,
    parts:
      jobs.total === 0
        ? [<p class="empty">No job has sent a report to this build.</p>]
        : after(listTable({ label: 'Jobs', columns: JOBS, rows }), <PartPager what="Jobs" part={jobs} link={link} />),
  };
}

function JobRow(props: { readonly job: Job; readonly note: string | undefined; readonly place: BuildPlace }): VNode {
  const { job, note, place } = props;
  const { flag, serviceJobId } = job.facts;
  return (
    <Row>
      <Cell class="main">
        <a href={place.links.job(job.id)}>Job {job.number}</a>{' '}
        {serviceJobId !== undefined && <span class="quiet small">CI job {printable(serviceJobId, 60)}</span>}{' '}
        {note !== undefined && <span class="tag">{note}</span>}
      </Cell>
      <Cell label={flag === undefined ? undefined : 'flag'}>
        {flag && <code>{printable(flag, LONGEST_NAME)}</code>}
      </Cell>
      <Cell class="num lead">{percentText(job.totals)}</Cell>
      <Cell class="num" label="files">
        {grouped(job.files)}
      </Cell>
      <Cell class="when">
        <When at={job.createdAt} now={place.now} />
      </Cell>
    </Row>
  );
}

function* after(parts: Iterable<Part>, last: Part): Generator<Part> {
  yield* parts;
  yield last;
}
