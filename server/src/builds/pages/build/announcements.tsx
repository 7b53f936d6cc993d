import type { VNode } from 'preact';
import type { Delivery, DeliveryContent, DeliveryTarget } from '../../../core/announce/delivery.ts';
import { printable } from '../../../core/printable.ts';
import { Icon, type IconName } from '../../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../../platform/web/list-table.tsx';
import { mapRows, type Part } from '../../../platform/web/render-parts.tsx';
import { When } from '../../../platform/web/when.tsx';
import { MAX_DELIVERIES } from '../../../wording/build-warnings.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import type { BuildPlace } from './build-place.ts';

/** What was announced for a build, and what became of it (rule 27). */
export function* announcements({ build, deliveries, hostName }: ShownBuildPage, place: BuildPlace): Generator<Part> {
  const own = deliveries.slice(0, MAX_DELIVERIES).filter(({ statusOwner }) => statusOwner.buildId === build.id);
  if (own.length === 0) return;
  const columns: readonly Column[] = [
    { name: 'To', kind: 'nowrap' },
    { name: `What ${hostName ?? 'the git host'} shows`, kind: 'grow' },
    { name: 'Delivered' },
  ];
  yield <h3>Delivered</h3>;
  yield* listTable({
    label: 'Deliveries',
    columns,
    rows: mapRows(own, (delivery) => (
      <Row>
        <Cell class="main">
          <DeliveryPlace target={delivery.target} place={place} />
        </Cell>
        <Cell class="wide">
          <Content content={delivery.wanted.content} />
          {delivery.parked !== undefined && <span class="sub">{printable(delivery.parked, 500)}</span>}
        </Cell>
        <Cell class="when lead">
          <DeliveryState delivery={delivery} place={place} />
        </Cell>
      </Row>
    )),
  });
  yield deliveries.length > MAX_DELIVERIES && <p class="quiet small after">Only the latest deliveries are shown.</p>;
}

function DeliveryPlace({ target, place }: { readonly target: DeliveryTarget; readonly place: BuildPlace }): VNode {
  if (target.kind === 'comment') return <>Comment on {place.links.numberOf(place.repo, target.pullRequest)}</>;
  if (target.kind === 'status') return <code>{target.context}</code>;
  return (
    <>
      Check run <code>{target.name}</code>
    </>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  success: 'ok',
  failure: 'fail',
  error: 'incomplete',
  pending: 'pending',
  neutral: 'info',
};

function Content({ content }: { readonly content: DeliveryContent }): VNode {
  if (content.kind === 'comment') return <>the numbers on this page, edited in place</>;
  const state = content.kind === 'status' ? content.state : content.conclusion;
  const icon = ICONS[state];
  return (
    <>
      {icon && <Icon name={icon} label={`${state}:`} />}{' '}
      {content.kind === 'status' ? content.description : `${content.title}${marked(content.annotations.length)}`}
    </>
  );
}

function marked(places: number): string {
  return places === 0 ? '' : `; ${places} ${places === 1 ? 'place' : 'places'} marked`;
}

function DeliveryState({ delivery, place }: { readonly delivery: Delivery; readonly place: BuildPlace }): VNode {
  const { parked, delivered, wanted, attempts } = delivery;
  if (parked !== undefined) return <span class="fail">failed</span>;
  if (delivered?.version === wanted.version) return <When at={delivered.at} now={place.now} />;
  return <>{attempts > 0 ? `on its way, attempt ${attempts}` : 'on its way'}</>;
}
