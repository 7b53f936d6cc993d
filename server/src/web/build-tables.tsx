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
import type { PageLinks, SiteLinks } from './site-links.ts';

interface Numbers {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}

interface OfBuildPage {
  readonly shown: ShownBuild;
  readonly links: SiteLinks;
}

/** The flags of a build: uploaded, carried with their age, and missing ones (rules 15 to 17). */
export function FlagTable({ shown, links }: OfBuildPage): VNode | null {
  const { build, flags, jobs } = shown;
  if (flags.total === 0) return null;
  const link = (page: number) => links.build(build.id, { flags: page, jobs: jobs.page, at: 'flags' });
  const pager = <PartPager what="Those that fail come first. Flags" part={flags} link={link} />;
  return (
    <Table heading="Flags" id="flags" columns={['Flag', 'Coverage', 'Change', 'Verdict']} pager={pager}>
      {flags.entries.map((flag) => (
        <tr>
          <td>
            <code>{printable(flag.name, 1_000)}</code>{' '}
            {flag.carried && <CarriedFrom carried={flag.carried} links={links} />}
          </td>
          <NumberCells {...flag} />
          <td>{explainVerdict(flag.verdict, flag.cause)}</td>
        </tr>
      ))}
    </Table>
  );
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
export function JobTable({ shown, links }: OfBuildPage): VNode {
  const { build, flags, jobs } = shown;
  const counted = new Set(build.result?.countedJobs);
  const link = (page: number) => links.build(build.id, { flags: flags.page, jobs: page, at: 'jobs' });
  const pager = <PartPager what="Jobs" part={jobs} link={link} />;
  return (
    <Table heading="Jobs" id="jobs" columns={['Job', 'Coverage', 'Files', 'Flag', 'Arrived']} pager={pager}>
      {jobs.entries.map((job) => (
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
          <td>{job.facts.flag && <code>{printable(job.facts.flag, 1_000)}</code>}</td>
          <td>{new Date(job.createdAt).toISOString()}</td>
        </tr>
      ))}
    </Table>
  );
}

/** What was announced for a build, and what became of it (rule 27). */
export function DeliveryTable({ shown: { build, deliveries } }: Pick<OfBuildPage, 'shown'>): VNode | null {
  const own = deliveries.slice(0, MAX_DELIVERIES).filter(({ statusOwner }) => statusOwner.buildId === build.id);
  if (own.length === 0) return null;
  const more = deliveries.length > MAX_DELIVERIES ? <p class="quiet">More were announced than are shown.</p> : null;
  return (
    <Table heading="Announced" columns={['Where', 'What', 'Delivery']} pager={more}>
      {own.map((delivery) => (
        <tr>
          <td>
            <DeliveryPlace target={delivery.target} />
          </td>
          <td>{contentText(delivery.wanted.content)}</td>
          <td>{deliveryState(delivery)}</td>
        </tr>
      ))}
    </Table>
  );
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

/** Rows under their columns, beneath a heading where it has one; `pager` tells of rows that are not shown. */
export function Table(props: {
  readonly heading?: string;
  readonly id?: string;
  readonly pager?: VNode | null;
  readonly columns: readonly string[];
  readonly children: VNode[];
}): VNode {
  return (
    <section id={props.id}>
      {props.heading !== undefined && <h2>{props.heading}</h2>}
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {props.columns.map((column) => (
                <th class={NUMBER_COLUMNS.has(column) ? 'number' : ''}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>{props.children}</tbody>
        </table>
      </div>
      {props.pager}
    </section>
  );
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
