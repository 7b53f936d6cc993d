import type { VNode } from 'preact';
import type { CarriedPick } from '../../../core/builds/build.ts';
import type { Job } from '../../../core/builds/job.ts';
import { printable } from '../../../core/printable.ts';
import type { Timestamp } from '../../../core/time.ts';
import { Cell, type Column, listTable, Row } from '../../../platform/web/list-table.tsx';
import { grouped, PartPager } from '../../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../../platform/web/render-parts.tsx';
import type { SiteLinks } from '../../../platform/web/site-links.ts';
import { When } from '../../../platform/web/when.tsx';
import { refOf } from '../../../wording/build-name.ts';
import type { ShownBuild } from '../../show-build.ts';
import type { BuildPlace } from './build-place.ts';
import type { Section } from './sections.tsx';
import { percentText } from './shown-numbers.tsx';

const LONGEST_NAME = 300;

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
  { name: 'Received' },
];

const NO_REPORTS = 'This build was imported without its reports.';

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
        ? [<p class="empty">{build.imported === undefined ? 'No job has uploaded a report yet.' : NO_REPORTS}</p>]
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
