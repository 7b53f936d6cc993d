import type { VNode } from 'preact';
import { VerdictMark } from '../../builds/pages/build-words.tsx';
import { printable } from '../../core/printable.ts';
import { ActionButton } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, grouped, Pager } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import type { ServerOverview } from '../administer-server.ts';
import { Health, sizeOf } from './server-health.tsx';

export interface AdminPage {
  readonly shown: ServerOverview;
  /** What repos were looked for. */
  readonly text: string | undefined;
  /** Something was put back to work. */
  readonly done: boolean;
}

/** What concerns the whole server. */
export const renderAdminPage = (of: AdminPage, page: PageContext): Iterable<string> => {
  const crumbs = [{ name: 'Administration', href: page.links.admin() }];
  return renderPage(page, { title: 'Administration', crumbs }, mainParts(of, page));
};

function* mainParts({ shown, text, done }: AdminPage, page: PageContext): Generator<Part> {
  yield (
    <div class="head">
      <h1>Administration</h1>
      <span class="row end links">
        <a href={page.links.audit()}>Audit log</a>
        <a href={page.links.users()}>Users</a>
        <a href={page.links.setup()}>Set up the App</a>
      </span>
    </div>
  );
  if (done)
    yield (
      <div class="note good after" role="status">
        <p>Done. Retrying now.</p>
      </div>
    );
  yield <Health shown={shown} page={page} />;
  yield* givenUpParts(shown, page);
  yield* setAsideParts(shown, page);
  yield* excludedParts(shown, page);
  yield* repoParts(shown, text, page);
}

/** One button that changes something. `about`: what, for those who do not see where it stands. */
function Retry(props: {
  readonly page: PageContext;
  readonly what: 'announce' | 'build' | 'base';
  readonly id?: number | undefined;
  readonly label: string;
  readonly about: string;
}): VNode {
  const { page, what, id, label, about } = props;
  const fields = { do: what, id: String(id ?? '') };
  return <ActionButton page={page} action={page.links.admin()} label={label} about={about} fields={fields} class="" />;
}

function* givenUpParts({ parked }: ServerOverview, page: PageContext): Generator<Part> {
  yield (
    <div class="head after2">
      <h2>
        Failed deliveries
        <Count of={parked.length} />
      </h2>
      {parked.length > 1 && (
        <span class="end">
          <Retry page={page} what="announce" label="Retry all" about="deliveries" />
        </span>
      )}
    </div>
  );
  if (parked.length === 0) {
    yield (
      <p class="empty">
        Every status and comment was delivered or is in progress. Deliveries that a host rejects permanently are listed
        here.
      </p>
    );
    return;
  }
  const rows = mapRows(parked, (given) => givenUpRow(given, page));
  const columns = [
    { name: 'What', kind: 'nowrap' },
    { name: 'Reason', kind: 'grow' },
    { name: 'Since' },
    { name: 'Retry', kind: 'num' },
  ] as const;
  yield* listTable({ label: 'Failed deliveries', columns, rows });
}

function givenUpRow({ delivery, repo }: GivenUp, page: PageContext): VNode {
  const name = printable(repo?.name ?? delivery.repoName, 100);
  const { target } = delivery;
  return (
    <Row>
      <Cell class="main nw">
        {target.kind === 'comment' ? (
          `Comment on ${page.links.numberOf(delivery, target.pullRequest)}`
        ) : (
          <TargetName target={target} />
        )}
        <span class="sub">
          {name}
          {target.kind !== 'comment' && ` · ${shortCommit(target.commit)}`}
        </span>
      </Cell>
      <Cell class="wide">{printable(delivery.parked ?? '', 400)}</Cell>
      <Cell class="when">
        <When at={delivery.unsentSince ?? delivery.nextAttemptAt} now={page.now} />
      </Cell>
      <Cell class="num lead">
        <Retry
          page={page}
          what="announce"
          id={delivery.repoId}
          label="Retry repo"
          about={`failed deliveries of ${name}`}
        />
      </Cell>
    </Row>
  );
}

type GivenUp = ServerOverview['parked'][number];
type Target = GivenUp['delivery']['target'];

function TargetName({ target }: { readonly target: Exclude<Target, { kind: 'comment' }> }): VNode {
  return <code>{printable(target.kind === 'status' ? target.context : target.name, 100)}</code>;
}

function* setAsideParts({ setAside }: ServerOverview, page: PageContext): Generator<Part> {
  if (setAside.length === 0) return;
  yield (
    <div class="head after2">
      <h2>
        Stuck builds
        <Count of={setAside.length} />
      </h2>
      <span class="quiet small">their closes failed too often</span>
    </div>
  );
  const rows = mapRows(setAside, ({ build, repo }) => (
    <Row>
      <Cell class="main nw">
        <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>
        <span class="sub">{printable(repo.name, 100)}</span>
      </Cell>
      <Cell class="wide">{printable(build.attempts?.reason ?? '', 400)}</Cell>
      <Cell class="when">{build.attempts === undefined ? null : <When at={build.attempts.at} now={page.now} />}</Cell>
      <Cell class="num lead">
        <Retry page={page} what="build" id={build.id} label="Retry" about={titleOf(build, page.links.terms(repo))} />
      </Cell>
    </Row>
  ));
  const columns = [
    { name: 'Build', kind: 'nowrap' },
    { name: 'Reason', kind: 'grow' },
    { name: 'Since' },
    { name: 'Retry', kind: 'num' },
  ] as const;
  yield* listTable({ label: 'Stuck builds', columns, rows });
}

function* excludedParts({ excluded }: ServerOverview, page: PageContext): Generator<Part> {
  if (excluded.length === 0) return;
  yield (
    <div class="head after2">
      <h2>
        Not used as a base
        <Count of={excluded.length} />
      </h2>
      <span class="quiet small">no build is compared with these</span>
    </div>
  );
  const rows = mapRows(excluded, ({ build, repo }) => (
    <Row>
      <Cell class="main">
        <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>
        <span class="sub">
          {printable(repo.name, 100)}
          {build.commit !== undefined && ` · ${shortCommit(build.commit)}`}
        </span>
      </Cell>
      <Cell>{printable(build.excludedAsBase?.by ?? '', 60)}</Cell>
      <Cell class="when">
        {build.excludedAsBase === undefined ? null : <When at={build.excludedAsBase.at} now={page.now} />}
      </Cell>
      <Cell class="num lead">
        <Retry
          page={page}
          what="base"
          id={build.id}
          label="Use as a base again"
          about={titleOf(build, page.links.terms(repo))}
        />
      </Cell>
    </Row>
  ));
  const columns = [
    { name: 'Build', kind: 'grow' },
    { name: 'By' },
    { name: 'Since' },
    { name: '', kind: 'num' },
  ] as const;
  yield* listTable({ label: 'Builds not used as a base', columns, rows });
}

function* repoParts(shown: ServerOverview, text: string | undefined, page: PageContext): Generator<Part> {
  yield (
    <div class="head after2">
      <h2>
        Repos
        <Count of={shown.total} />
      </h2>
      <form class="filter end" action={page.links.admin()}>
        <input name="q" aria-label="Find a repo" placeholder="Find a repo" size={22} value={text} />
        <button type="submit">Find</button>
      </form>
    </div>
  );
  if (shown.repos.length === 0) {
    yield (
      <p class="empty">
        No repos yet. <a href={page.links.newRepo()}>Add one</a>, or let its first upload make it.
      </p>
    );
    return;
  }
  const rows = mapRows(shown.repos, ({ repo, activity }) => (
    <Row>
      <Cell class="main">
        <a href={page.links.repo(repo)}>{printable(`${repo.service}/${repo.name}`, 200)}</a>
        {repo.suspended !== undefined && <span class="sub">{printable(repo.suspended, 200)}</span>}
      </Cell>
      <Cell>{repo.settings.visibility === 'public' ? 'public' : 'private'}</Cell>
      <Cell class="num lead">{grouped(activity?.builds ?? 0)}</Cell>
      <Cell class="when">
        {activity?.lastUploadAt === undefined ? 'never' : <When at={activity.lastUploadAt} now={page.now} />}
      </Cell>
      <Cell class="num" label="stored">
        {activity?.storedBytes === undefined ? <span class="quiet">—</span> : sizeOf(activity.storedBytes)}
      </Cell>
      <Cell>
        {repo.suspended === undefined ? <VerdictMark of={{ state: 'success' }} words="Active" /> : <Suspended />}
      </Cell>
    </Row>
  ));
  const columns = [
    { name: 'Repo', kind: 'grow' },
    { name: 'Visibility' },
    { name: 'Builds', kind: 'num' },
    { name: 'Last upload' },
    { name: 'Stored (approx.)', kind: 'num' },
    { name: 'State' },
  ] as const;
  yield* listTable({ label: 'Repos', columns, rows });
  const query = (to: number): string => `?${new URLSearchParams({ ...(text && { q: text }), page: String(to) })}`;
  yield <Pager paged={shown} link={(to) => `${page.links.admin()}${query(to)}`} />;
}

function Suspended(): VNode {
  return (
    <span class="v incomplete">
      <Icon name="incomplete" /> Suspended
    </span>
  );
}
