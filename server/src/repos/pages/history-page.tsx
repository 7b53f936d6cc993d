import type { VNode } from 'preact';
import { HISTORY_SOURCES, percentOfBuild } from '../../core/builds/imported.ts';
import { showPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { auditName } from '../../core/repo/audit.ts';
import { grouped } from '../../platform/web/counts.ts';
import { ActionButton, Csrf } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import type { FoundBuild, HistoryImport } from '../../storage/history-imports.ts';
import { shortCommit } from '../../wording/build-name.ts';
import type { ShownHistoryImport } from '../history-imports.ts';
import { Snippet } from './snippets.tsx';

export interface ShownHistoryPage {
  readonly shown: ShownHistoryImport;
  /** Why an upload was refused. */
  readonly refused?: string | undefined;
  /** BASE_URL. */
  readonly root: string;
}

const MOST_NAMES = 10;
const STEPS = ['Source', 'Check', 'Import', 'Done'] as const;

/** Where the past of a repo is brought here: what to run, what was found, how far it is. */
export const renderHistoryPage = (of: ShownHistoryPage, page: PageContext): Iterable<string> => {
  const { repo, newest, current } = of.shown;
  const { links } = page;
  const settings = { name: 'Settings', href: links.ofRepo(repo, 'settings') };
  const frame = {
    title: `Import history · ${printable(repo.name)}`,
    follows: current?.state === 'running' || current?.state === 'removing',
    crumbs: repoCrumbs(repo, links, settings, { name: 'Import', href: links.ofRepo(repo, 'settings/import') }),
    tabs: repoTabs({ repo, current: 'Settings', commit: newest?.commit, maintains: true }, links),
  };
  return renderPage(page, frame, mainParts(of, page));
};

function* mainParts(of: ShownHistoryPage, page: PageContext): Generator<Part> {
  const { current } = of.shown;
  yield <h1>Import history</h1>;
  yield <Steps at={stepOf(current)} />;
  yield of.refused !== undefined && (
    <div class="note bad" role="alert">
      <p>{printable(of.refused, 1_000)}</p>
    </div>
  );
  if (current === undefined) yield* sourceParts(of, page);
  else if (current.state === 'checked') yield* checkParts(of, current, page);
  else yield* progressParts(of, current, page);
}

function stepOf(current: HistoryImport | undefined): number {
  if (current === undefined) return 0;
  return { checked: 1, running: 2, failed: 2, removing: 2, done: 3 }[current.state];
}

function Steps({ at }: { readonly at: number }): VNode {
  return (
    <ol class="wizard">
      {STEPS.map((name, index) => (
        <li {...(index === at && { 'aria-current': 'step' })}>
          <span class="num">{index + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  );
}

/** What brings which part of the past. */
const COMES: readonly (readonly [what: string, ...from: readonly string[]])[] = [
  ['Trend of the default branch', 'counts', 'percentages', 'counts', 'counts'],
  ['A base with lines for the next pull request', 'yes', 'a request for each file', 'newest only', 'yes'],
  ['Hits per line', 'no', 'yes', 'yes', 'yes'],
  ['Branches', 'partly covered lines only', 'no', 'per line', 'yes'],
  ['Flags', 'yes', 'no', 'no', 'by folder'],
  ['Pull request comments, users', 'no', 'no', 'no', 'no'],
];
const SOURCES = ['Codecov', 'Coveralls', 'SonarQube', 'Folder of reports'];

function* sourceParts({ shown, root }: ShownHistoryPage, page: PageContext): Generator<Part> {
  const { repo, hasImported } = shown;
  const name = auditName(repo);
  yield (
    <>
      <p class="lede">
        Run the command in a clone of the repo. It reads the other service and writes a folder; its token never reaches
        this server. Set it as <code>COVERAGE_IMPORT_TOKEN</code>, if the repo is private there. What else{' '}
        <code>--from</code> takes is in <a href={page.links.docs('import-history')}>Importing history</a>.
      </p>
      <Snippet
        text={[
          `curl -fsS ${root}/cli.mjs -o coverage.mjs`,
          `node coverage.mjs import-history --from=codecov --repo=${name} --dry-run`,
          `node coverage.mjs import-history --from=codecov --repo=${name}`,
          'tar -czf history.tgz -C coverage-history .',
        ].join('\n')}
      />
      <form method="post" encType="multipart/form-data" action={page.links.ofRepo(repo, 'settings/import')}>
        <Csrf page={page} />
        <div class="field">
          <label for="file">The archive that it wrote</label>
          <input id="file" type="file" name="file" accept=".tgz,.tar,.gz" required />
          <span class="help">
            At most 128 MiB. It is checked first: nothing of it is in the repo before you say so.
          </span>
        </div>
        <p class="row">
          <button type="submit" class="primary">
            Check what’s there
          </button>
        </p>
      </form>
    </>
  );
  yield { tags: '<section><h2>What comes over</h2>' };
  const rows = mapRows(COMES, ([what, ...from]) => (
    <Row>
      {[
        <Cell class="main">{what}</Cell>,
        ...from.map((text, at) => (
          <Cell label={SOURCES[at]}>{text === 'no' ? <span class="quiet">no</span> : <span>{text}</span>}</Cell>
        )),
      ]}
    </Row>
  ));
  const columns = [{ name: '', kind: 'grow' } as const, ...SOURCES.map((source) => ({ name: source }))];
  yield* listTable({ label: 'What comes over', columns, rows });
  yield { tags: '</section>' };
  yield hasImported && <p class="quiet">This repo has imported builds already. Only older ones are added to them.</p>;
}

function* checkParts({ shown }: ShownHistoryPage, { found }: HistoryImport, page: PageContext): Generator<Part> {
  const { repo } = shown;
  const { builds, withLines, withCounts, newest, oldest, branches, flags } = found;
  const action = page.links.ofRepo(repo, 'settings/import');
  yield (
    <div class="note good" role="status">
      <p>
        <b>
          {grouped(builds)} builds of {named(branches)} can be imported from {HISTORY_SOURCES[found.from]}.
        </b>{' '}
        Nothing has been written yet.
      </p>
    </div>
  );
  yield (
    <dl class="facts">
      <Fact name="Newest">
        <Found build={newest} page={page} />
      </Fact>
      <Fact name="Oldest">
        <Found build={oldest} page={page} />
      </Fact>
      <Fact name="With lines">{grouped(withLines)}</Fact>
      <Fact name="With counts alone">{grouped(withCounts)}</Fact>
      <Fact name="With a percentage alone">{grouped(builds - withLines - withCounts)}</Fact>
      <Fact name="Flags">{flags.length === 0 ? 'none' : named(flags)}</Fact>
      <Fact name="Read from">{printable(found.address, 200)}</Fact>
    </dl>
  );
  yield (
    <>
      <p>
        Commits that have a build here keep it. Imported builds never fail, and nothing is announced of them. Open pull
        requests are judged again afterwards.
      </p>
      <div class="row">
        <ActionButton
          page={page}
          action={action}
          label={`Import ${grouped(builds)} builds`}
          about=""
          fields={{ do: 'start' }}
          class="primary"
        />
        <ActionButton page={page} action={action} label="Discard" about="this upload" fields={{ do: 'discard' }} />
      </div>
    </>
  );
}

/** A history may have any number of them. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => printable(name, 60));
  return names.length > MOST_NAMES ? `${shown.join(', ')} and ${names.length - MOST_NAMES} more` : shown.join(', ');
}

function Found({ build, page }: { readonly build: FoundBuild; readonly page: PageContext }): VNode {
  const { commit, at, shown } = build;
  return (
    <>
      {shown !== undefined && `${showPercent(percentOfBuild(undefined, { shown }))}, `}
      <span class="ref">{shortCommit(commit)}</span>, <When at={at} now={page.now} />
    </>
  );
}

function Fact(props: { readonly name: string; readonly children: VNode | string }): VNode {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

const HEADS: Readonly<Record<HistoryImport['state'], string>> = {
  checked: 'Checked',
  running: 'Importing',
  done: 'Imported',
  failed: 'The import failed',
  removing: 'Removing what was imported',
};

function* progressParts({ shown }: ShownHistoryPage, current: HistoryImport, page: PageContext): Generator<Part> {
  const { repo } = shown;
  const { state, found, added, own, again, between, failure, at } = current;
  const action = page.links.ofRepo(repo, 'settings/import');
  const looked = added + own + again + between;
  yield (
    <section>
      <div class="head">
        <h2>
          {HEADS[state]} {state === 'removing' ? '' : `from ${HISTORY_SOURCES[found.from]}`}
        </h2>
        <span class="quiet">
          since <When at={at} now={page.now} />
        </span>
      </div>
      {state !== 'removing' && (
        <p>
          <progress value={looked} max={found.builds} aria-label="Builds looked at" /> {grouped(looked)} of{' '}
          {grouped(found.builds)} builds
        </p>
      )}
      {failure !== undefined && (
        <div class="note bad" role="alert">
          <p>{printable(failure, 1_000)}</p>
        </div>
      )}
      <ul class="dots">
        <li>{grouped(added)} added</li>
        {own > 0 && <li>{grouped(own)} left out: their commit has a build of this server, which stays</li>}
        {again > 0 && <li>{grouped(again)} left out: imported before</li>}
        {between > 0 && <li>{grouped(between)} left out: newer than what was imported before</li>}
      </ul>
      {state === 'running' && (
        <p class="small quiet">You can close this page. The import goes on, also after a restart of the server.</p>
      )}
      <div class="row">
        {state === 'failed' && (
          <ActionButton
            page={page}
            action={action}
            label="Try again"
            about=""
            fields={{ do: 'start' }}
            class="primary"
          />
        )}
        {(state === 'done' || state === 'failed') && (
          <ActionButton page={page} action={action} label="Import another" about="history" fields={{ do: 'discard' }} />
        )}
        {state !== 'removing' && (
          <ActionButton
            page={page}
            action={action}
            label={state === 'running' ? 'Cancel and remove what was imported' : 'Remove what was imported'}
            about=""
            fields={{ do: 'remove' }}
            class="plain danger"
          />
        )}
      </div>
    </section>
  );
}
