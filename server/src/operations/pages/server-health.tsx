import type { VNode } from 'preact';
import { VerdictMark } from '../../builds/pages/build-words.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { grouped } from '../../platform/web/page-parts.tsx';
import type { ServerOverview } from '../administer-server.ts';

/** How the server is, in four numbers. */
export function Health({
  shown: { measure },
  page,
}: {
  readonly shown: ServerOverview;
  readonly page: PageContext;
}): VNode {
  const { builds, outbox, bytes, freeDisk } = measure;
  const waiting = outbox.reduce((sum, one) => sum + one.waiting, 0);
  const givenUp = outbox.reduce((sum, one) => sum + one.givenUp, 0);
  const isWell = givenUp === 0 && builds['set-aside'] === 0;
  return (
    <section class="tight" aria-label="Health">
      <dl class="health">
        <div>
          <dt>Server</dt>
          <dd class="big">{isWell ? <VerdictMark of={{ state: 'success' }} words="Healthy" /> : <Attention />}</dd>
          <dd class="small">version {page.site.version}</dd>
        </div>
        <div>
          <dt>Store</dt>
          <dd class="big">{bytes === undefined ? 'in memory' : sizeOf(bytes)}</dd>
          {freeDisk !== undefined && <dd class="small">{sizeOf(freeDisk)} free</dd>}
        </div>
        <div>
          <dt>To close</dt>
          <dd class="big">{grouped(builds.due)} due</dd>
          <dd class="small">
            {grouped(builds['put-off'])} to retry later, {grouped(builds['set-aside'])} stuck
          </dd>
        </div>
        <div>
          <dt>Waiting to be delivered</dt>
          <dd class="big">{grouped(waiting)}</dd>
          <dd class="small">{grouped(givenUp)} failed</dd>
        </div>
      </dl>
    </section>
  );
}

function Attention(): VNode {
  return (
    <span class="v incomplete">
      <Icon name="incomplete" /> Needs attention
    </span>
  );
}

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1.84 GB`, by thousands. */
export function sizeOf(bytes: number): string {
  const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${step === 0 ? bytes : (bytes / 1_000 ** step).toFixed(2)} ${SIZES[step]}`;
}
