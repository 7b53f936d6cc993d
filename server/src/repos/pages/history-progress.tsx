import type { VNode } from 'preact';
import { HISTORY_SOURCES } from '../../core/builds/imported.ts';
import { printable } from '../../core/printable.ts';
import type { AuditSubject } from '../../core/repo/audit.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { ActionButton } from '../../platform/web/form-parts.tsx';
import { Icon, type IconName } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { grouped } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import type { HistoryEvent, HistoryImport } from '../../storage/history-imports.ts';
import { shortCommit } from '../../wording/build-name.ts';
import { lookedAt, type ShownHistoryImport } from '../history-imports.ts';
import { groupedBuilds } from './history-found.tsx';

const HEADS: Readonly<Record<Exclude<HistoryImport['state'], 'checked'>, (service: string) => string>> = {
  running: (service) => `Importing from ${service}`,
  paused: (service) => `Import from ${service} paused`,
  done: (service) => `Imported from ${service}`,
  failed: (service) => `The import from ${service} failed`,
  removing: () => 'Removing what was imported',
};

interface OfImport {
  readonly current: HistoryImport;
}

type Shown = Pick<ShownHistoryImport, 'repo' | 'people'> & OfImport;

/** How far an import is, what came of it, and who did what. */
export function* progressParts(shown: Shown, page: PageContext): Generator<Part> {
  const { repo, current } = shown;
  const { state, found, failure } = current;
  yield { tags: '<section class="stack">' };
  yield (
    <div class="head">
      <h2>{state !== 'checked' && HEADS[state](HISTORY_SOURCES[found.from])}</h2>
      <span class="quiet">
        <Since shown={shown} page={page} />
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
    <p class="small quiet">You can close this page: the import continues, even after a restart of the server.</p>
  );
  yield <Actions repo={repo} state={state} page={page} />;
  yield { tags: '</section>' };
  yield* logParts(shown, page);
  yield (state === 'running' || state === 'done') && <Afterwards repo={repo} current={current} page={page} />;
}

/** Who began what it does, and when. */
function Since({ shown, page }: { readonly shown: Shown; readonly page: PageContext }): VNode {
  const { current, people } = shown;
  const started = current.log?.findLast(({ what }) => what === 'started');
  const isUnderWay = current.state === 'running' || current.state === 'paused';
  return (
    <>
      {isUnderWay && started?.by !== undefined && `started by ${nameOf(started.by, people)} `}
      <When at={(isUnderWay ? started?.at : undefined) ?? current.at} now={page.now} />
    </>
  );
}

function nameOf(by: AuditSubject, people: Shown['people']): string {
  if (by.kind === 'account') return printable(people.get(by.account) ?? 'an account that was removed', 60);
  return by.kind === 'admin-token' ? 'ADMIN_TOKEN' : by.kind === 'token' ? `token ${by.token}` : by.kind;
}

function Progress({ current }: OfImport): VNode {
  const looked = grouped(lookedAt(current));
  const all = grouped(current.found.builds);
  const share = (100 * lookedAt(current)) / Math.max(1, current.found.builds);
  return (
    <div class="meter">
      <svg
        class="bar whole"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${looked} of ${all} builds looked at`}
      >
        <rect width={share.toFixed(1)} height="8" />
      </svg>
      <p class="quiet">
        {looked} of {all} builds
      </p>
    </div>
  );
}

function LookedAt({ current: { added, own, again, between } }: OfImport): VNode {
  return (
    <ul class="dots">
      <li>{grouped(added)} added</li>
      {own > 0 && <li>{grouped(own)} left out: their commit already has a build of this server, which stays</li>}
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
  const isUnderWay = state === 'running' || state === 'paused';
  return (
    <div class="row">
      {state === 'failed' && (
        <ActionButton {...to} label="Try again" about="" fields={{ do: 'start' }} class="primary" />
      )}
      {state === 'running' && <ActionButton {...to} label="Pause" about="" fields={{ do: 'pause' }} class="btn" />}
      {state === 'paused' && (
        <ActionButton {...to} label="Continue" about="the import" fields={{ do: 'start' }} class="primary" />
      )}
      {(state === 'done' || state === 'failed') && (
        <ActionButton {...to} label="Import another" about="history" fields={{ do: 'discard' }} class="btn" />
      )}
      {state !== 'removing' && (
        <ActionButton
          {...to}
          label={isUnderWay ? 'Cancel and remove what was imported' : 'Remove what was imported'}
          about=""
          fields={{ do: 'remove' }}
          class="danger"
        />
      )}
    </div>
  );
}

const EVENTS: Readonly<Record<HistoryEvent['what'], readonly [step: string, icon: IconName]>> = {
  uploaded: ['Uploaded and checked', 'ok'],
  started: ['Started', 'ok'],
  paused: ['Paused', 'pending'],
  failed: ['Failed', 'fail'],
  done: ['Imported', 'ok'],
};

/** An import that begins has come to none yet. */
function hasProgress(what: HistoryEvent['what'], looked: number): boolean {
  return what !== 'uploaded' && (what !== 'started' || looked > 0);
}

const LOG_COLUMNS: readonly Column[] = [{ name: 'Step', kind: 'grow' }, { name: 'Result' }, { name: 'Time' }];

function* logParts({ current, people }: Shown, page: PageContext): Generator<Part> {
  const { log = [], found } = current;
  if (log.length === 0) return;
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>Log</h2>
    </div>
  );
  const rows = mapRows(log.toReversed(), ({ what, at, by, looked }) => {
    const [step, icon] = EVENTS[what];
    const all = groupedBuilds(found.builds);
    return (
      <Row>
        <Cell class="main">
          {step}
          {by !== undefined && <span class="quiet"> by {nameOf(by, people)}</span>}
        </Cell>
        <Cell class="wide">
          <Icon name={icon} /> {hasProgress(what, looked) ? `${grouped(looked)} of ${all}` : all}
        </Cell>
        <Cell class="when">
          <When at={at} now={page.now} />
        </Cell>
      </Row>
    );
  });
  yield* listTable({ label: 'Log', columns: LOG_COLUMNS, rows });
  yield { tags: '</section>' };
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
