import type { VNode } from 'preact';
import type { Delivery, DeliveryContent, DeliveryTarget } from '../domain/announce/delivery.ts';
import type { CarriedPick } from '../domain/builds/build.ts';
import { changeOf, type Ratio, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import type { CoverageTotals } from '../domain/coverage/totals.ts';
import { printable } from '../domain/printable.ts';
import type { ShownBuild } from '../use-cases/builds/show-build.ts';
import { MAX_DELIVERIES } from '../wording/build-warnings.ts';
import { isoDay } from '../wording/iso-day.ts';
import { explainVerdict } from '../wording/verdict-words.ts';
import { PartPager } from './page-parts.tsx';
import { mapRows, type Part, rowParts } from './render-parts.tsx';
import type { PageLinks, SiteLinks } from './site-links.ts';

interface Numbers {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}

/** Characters of a flag's name that a table shows, as of a file's. */
const LONGEST_NAME = 300;

interface OfBuildPage {
  readonly shown: ShownBuild;
  readonly links: SiteLinks;
}

/** The flags of a build: uploaded, carried with their age, and missing ones (rules 15 to 17). */
export function flagTable({ shown, links }: OfBuildPage): Iterable<Part> {
  const { build, flags, jobs } = shown;
  if (flags.total === 0) return [];
  const link = (page: number) => links.build(build.id, { flags: page, jobs: jobs.page, at: 'flags' });
  return tableParts({
    heading: 'Flags',
    id: 'flags',
    columns: ['Flag', 'Coverage', 'Change', 'Verdict'],
    rows: mapRows(flags.entries, (flag) => (
      <tr>
        <td>
          <code>{printable(flag.name, LONGEST_NAME)}</code>{' '}
          {flag.carried && <CarriedFrom carried={flag.carried} links={links} />}
        </td>
        <NumberCells {...flag} />
        <td>{printable(explainVerdict(flag.verdict, flag.cause), 1_000)}</td>
      </tr>
    )),
    pager: <PartPager what="Those that fail come first. Flags" part={flags} link={link} />,
  });
}

function CarriedFrom({ carried, links }: { readonly carried: CarriedPick; readonly links: PageLinks }): VNode {
  return (
    <span class="quiet">
      carried from <a href={links.build(carried.buildId)}>build {printable(carried.number, 60)}</a> of{' '}
      {isoDay(carried.closedAt)}
    </span>
  );
}

/** The uploads of a build, in order of arrival. */
export function jobTable({ shown, links }: OfBuildPage): Iterable<Part> {
  const { build, flags, jobs } = shown;
  const counted = new Set(build.result?.countedJobs);
  const link = (page: number) => links.build(build.id, { flags: flags.page, jobs: page, at: 'jobs' });
  return tableParts({
    heading: 'Jobs',
    id: 'jobs',
    columns: ['Job', 'Coverage', 'Files', 'Flag', 'Arrived'],
    rows: mapRows(jobs.entries, (job) => (
      <tr>
        <td>
          <a href={links.job(job.id)}>
            {printable(build.number, 60)}.{job.number}
          </a>{' '}
          {build.result && !counted.has(job.id) && (
            <span class="quiet">{build.state === 'open' ? 'not merged yet' : 'replaced by a later attempt'}</span>
          )}
        </td>
        <td class="number">{showPercent(totalPercent(job.totals))}</td>
        <td class="number">{job.files}</td>
        <td>{job.facts.flag && <code>{printable(job.facts.flag, LONGEST_NAME)}</code>}</td>
        <td>{new Date(job.createdAt).toISOString()}</td>
      </tr>
    )),
    pager: <PartPager what="Jobs" part={jobs} link={link} />,
  });
}

/** What was announced for a build, and what became of it (rule 27). */
export function deliveryTable({ shown: { build, deliveries } }: Pick<OfBuildPage, 'shown'>): Iterable<Part> {
  const own = deliveries.slice(0, MAX_DELIVERIES).filter(({ statusOwner }) => statusOwner.buildId === build.id);
  if (own.length === 0) return [];
  return tableParts({
    heading: 'Announced',
    columns: ['Where', 'What', 'Delivery'],
    rows: mapRows(own, (delivery) => (
      <tr>
        <td>
          <DeliveryPlace target={delivery.target} />
        </td>
        <td>{contentText(delivery.wanted.content)}</td>
        <td>{deliveryState(delivery)}</td>
      </tr>
    )),
    pager: deliveries.length > MAX_DELIVERIES ? <p class="quiet">More were announced than are shown.</p> : null,
  });
}

function DeliveryPlace({ target }: { readonly target: DeliveryTarget }): VNode {
  if (target.kind === 'comment') return <>comment on #{target.pullRequest}</>;
  if (target.kind === 'status') return <code>{target.context}</code>;
  return (
    <>
      check run <code>{target.name}</code>
    </>
  );
}

function contentText(content: DeliveryContent): string {
  if (content.kind === 'comment') return 'the numbers of this page';
  if (content.kind === 'status') return `${content.state}: ${content.description}`;
  const marks = content.annotations.length;
  return (
    `${content.conclusion}: ` +
    `${content.title}${marks === 0 ? '' : `; ${marks} ${marks === 1 ? 'place' : 'places'} marked`}`
  );
}

function deliveryState(delivery: Delivery): string {
  if (delivery.parked !== undefined) return `given up: ${printable(delivery.parked, 500)}`;
  if (delivery.delivered?.version === delivery.wanted.version)
    return `delivered ${new Date(delivery.delivered.at).toISOString()}`;
  return delivery.attempts > 0 ? `on its way, attempt ${delivery.attempts}` : 'on its way';
}

/** Coverage and change of a flag or a file. */
export function NumberCells({ totals, baseTotals }: Numbers): VNode {
  const change = changeOf(totals, baseTotals);
  return (
    <>
      <td class="number">{totals ? showPercent(totalPercent(totals)) : '—'}</td>
      <td class={`number ${change ? directionOf(change) : ''}`}>{change ? showChange(change) : '—'}</td>
    </>
  );
}

/** The style of a change. */
export function directionOf({ numerator }: Ratio): string {
  return numerator === 0n ? '' : numerator > 0n ? 'up' : 'down';
}

/** Rows under their columns, beneath a heading where the table has one; `pager` tells of rows that are not shown. */
export function* tableParts(table: {
  readonly heading?: string;
  readonly id?: 'flags' | 'jobs';
  readonly columns: readonly string[];
  readonly rows: Iterable<VNode>;
  readonly pager?: VNode | null;
}): Generator<Part> {
  const { heading, id, columns, rows, pager } = table;
  yield { tags: id === undefined ? '<section>' : `<section id="${id}">` };
  yield heading !== undefined && <h2>{heading}</h2>;
  yield { tags: '<div class="scroll"><table>' };
  yield (
    <thead>
      <tr>
        {columns.map((column) => (
          <th class={NUMBER_COLUMNS.has(column) ? 'number' : ''}>{column}</th>
        ))}
      </tr>
    </thead>
  );
  yield* rowParts('<tbody>', rows, '</tbody></table></div>');
  yield pager;
  yield { tags: '</section>' };
}

const NUMBER_COLUMNS: ReadonlySet<string> = new Set([
  'Coverage',
  'Change',
  'Files',
  'Lines',
  'Branches',
  'Points',
  'Created (UTC)',
]);
