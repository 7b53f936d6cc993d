import type { VNode } from 'preact';
import type { Delivery, DeliveryContent, DeliveryTarget } from '../domain/announce/delivery.ts';
import type { CarriedPick, FlagResult } from '../domain/builds/build.ts';
import { changeOf, type Ratio, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import type { CoverageTotals } from '../domain/coverage/totals.ts';
import { printable } from '../domain/printable.ts';
import type { ShownBuild } from '../use-cases/builds/show-build.ts';
import { isoDay } from '../wording/iso-day.ts';
import { explainVerdict } from '../wording/verdict-words.ts';

/** Addresses of our own pages, as this reader may open them. */
export interface PageLinks {
  build(id: number): string;
  job(id: number): string;
}

interface Numbers {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}

/** The flags of a build: uploaded, carried with their age, and missing ones (rules 15 to 17). */
export function FlagTable(props: { readonly flags: readonly FlagResult[]; readonly links: PageLinks }): VNode | null {
  const { flags, links } = props;
  if (flags.length === 0) return null;
  return (
    <Table heading="Flags" columns={['Flag', 'Coverage', 'Change', 'Verdict']}>
      {flags.map((flag) => (
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
export function JobTable(props: Pick<ShownBuild, 'build' | 'jobs'> & { readonly links: PageLinks }): VNode {
  const { build, jobs, links } = props;
  const counted = new Set(build.result?.countedJobs);
  return (
    <Table heading="Jobs" columns={['Job', 'Coverage', 'Files', 'Flag', 'Arrived']}>
      {jobs.map((job) => (
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
export function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }): VNode | null {
  if (deliveries.length === 0) return null;
  return (
    <Table heading="Announced" columns={['Where', 'What', 'Delivery']}>
      {deliveries.map((delivery) => (
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

/** Rows under their columns, beneath a heading where it has one. */
export function Table(props: {
  readonly heading?: string;
  readonly columns: readonly string[];
  readonly children: VNode[];
}): VNode {
  return (
    <section>
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
