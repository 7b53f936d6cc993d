import type { VNode } from 'preact';
import { HISTORY_SOURCES } from '../../core/builds/imported.ts';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { grouped } from '../../platform/web/counts.ts';
import { ActionButton } from '../../platform/web/form-parts.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import type { HistoryImport } from '../../storage/history-imports.ts';
import { shortCommit } from '../../wording/build-name.ts';

const HEADS: Readonly<Record<HistoryImport['state'], string>> = {
  checked: 'Checked',
  running: 'Importing',
  done: 'Imported',
  failed: 'The import failed',
  removing: 'Removing what was imported',
};

/** How far an import is, and what came of it. */
export function* progressParts(repo: Repo, current: HistoryImport, page: PageContext): Generator<Part> {
  const { state, found, failure, at } = current;
  yield { tags: '<section class="stack">' };
  yield (
    <div class="head">
      <h2>
        {HEADS[state]} {state === 'removing' ? '' : `from ${HISTORY_SOURCES[found.from]}`}
      </h2>
      <span class="quiet">
        <When at={at} now={page.now} />
      </span>
    </div>
  );
  yield state !== 'removing' && <Progress current={current} />;
  yield failure !== undefined && (
    <div class="note bad" role="alert">
      <p>{printable(failure, 1_000)}</p>
    </div>
  );
  yield <LookedAt current={current} />;
  yield state === 'running' && (
    <p class="small quiet">You can close this page. The import goes on, also after a restart of the server.</p>
  );
  yield <Actions repo={repo} state={state} page={page} />;
  yield { tags: '</section>' };
  yield (state === 'running' || state === 'done') && <Afterwards repo={repo} current={current} page={page} />;
}

interface OfImport {
  readonly current: HistoryImport;
}

function Progress({ current: { found, added, own, again, between } }: OfImport): VNode {
  const looked = added + own + again + between;
  const share = (100 * looked) / Math.max(1, found.builds);
  return (
    <div class="meter">
      <svg
        class="bar whole"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${grouped(looked)} of ${grouped(found.builds)} builds looked at`}
      >
        <rect width={share.toFixed(1)} height="8" />
      </svg>
      <p class="quiet">
        {grouped(looked)} of {grouped(found.builds)} builds
      </p>
    </div>
  );
}

function LookedAt({ current: { added, own, again, between } }: OfImport): VNode {
  return (
    <ul class="dots">
      <li>{grouped(added)} added</li>
      {own > 0 && <li>{grouped(own)} left out: their commit has a build of this server, which stays</li>}
      {again > 0 && <li>{grouped(again)} left out: imported before</li>}
      {between > 0 && <li>{grouped(between)} left out: newer than what was imported before</li>}
    </ul>
  );
}

function Actions(props: {
  readonly repo: Repo;
  readonly state: HistoryImport['state'];
  readonly page: PageContext;
}): VNode {
  const { repo, state, page } = props;
  const to = { page, action: page.links.ofRepo(repo, 'settings/import') };
  return (
    <div class="row">
      {state === 'failed' && (
        <ActionButton {...to} label="Try again" about="" fields={{ do: 'start' }} class="primary" />
      )}
      {(state === 'done' || state === 'failed') && (
        <ActionButton {...to} label="Import another" about="history" fields={{ do: 'discard' }} class="btn" />
      )}
      {state !== 'removing' && (
        <ActionButton
          {...to}
          label={state === 'running' ? 'Cancel and remove what was imported' : 'Remove what was imported'}
          about=""
          fields={{ do: 'remove' }}
          class="danger"
        />
      )}
    </div>
  );
}

function Afterwards({ repo, current: { found }, page }: OfImport & { repo: Repo; page: PageContext }): VNode {
  return (
    <section>
      <div class="head">
        <h2>Afterwards</h2>
      </div>
      <ul class="dots">
        <li>
          The <a href={page.links.ofRepo(repo, 'trend')}>trend</a> shows what was imported dashed, marked “from{' '}
          {HISTORY_SOURCES[found.from]}”.
        </li>
        <li>
          A pull request that begins at {shortCommit(found.newest.commit)} is compared with it
          {found.withLines > 0 && ', line by line'}.
        </li>
        <li>Imported builds never fail, send no statuses and no messages.</li>
      </ul>
    </section>
  );
}
