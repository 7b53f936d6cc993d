import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { auditName } from '../../core/repo/audit.ts';
import { Csrf } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import type { HistoryImport } from '../../storage/history-imports.ts';
import type { ShownHistoryImport } from '../history-imports.ts';
import { foundParts } from './history-found.tsx';
import { progressParts } from './history-progress.tsx';
import { Snippet } from './snippets.tsx';

export interface ShownHistoryPage {
  readonly shown: ShownHistoryImport;
  /** Why an upload was refused. */
  readonly refused?: string | undefined;
  /** BASE_URL. */
  readonly root: string;
}

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
  else if (current.state === 'checked') yield* foundParts(of.shown.repo, current, page);
  else yield* progressParts({ ...of.shown, current }, page);
}

function stepOf(current: HistoryImport | undefined): number {
  if (current === undefined) return 0;
  return { checked: 1, running: 2, paused: 2, failed: 2, removing: 2, done: 3 }[current.state];
}

function Steps({ at }: { readonly at: number }): VNode {
  return (
    <ol class="wizard">
      {STEPS.map((name, index) => (
        <li {...(index === at && { 'aria-current': 'step' })}>
          {index < at ? <Icon name="ok" /> : <span class="num">{index + 1}</span>}
          {name}
        </li>
      ))}
    </ol>
  );
}

const ONLY_PARTIAL = 'only “partial”';

/** What brings which part of the past. */
const COMES: readonly (readonly [what: string, ...from: readonly string[]])[] = [
  ['Trend of the default branch', 'counts', 'percentages', 'counts', 'counts'],
  ['A base with lines for the next pull request', 'yes', 'one request per file', 'newest only', 'yes'],
  ['Hits per line', 'no', 'yes', 'yes', 'yes'],
  ['Branches', ONLY_PARTIAL, 'no', 'per line', 'yes'],
  ['Flags', 'yes', 'no', 'no', 'by folder'],
  ['Pull request comments, users', 'no', 'no', 'no', 'no'],
];
const SOURCES = ['Codecov', 'Coveralls', 'SonarQube', 'Folder of reports'];

function* sourceParts({ shown, root }: ShownHistoryPage, page: PageContext): Generator<Part> {
  const { repo, hasImported } = shown;
  const name = auditName(repo);
  yield (
    <div class="two">
      <div class="stack">
        <p>
          Run the command in a clone of the repo. It reads the other service and writes a folder; its token never
          reaches this server. If the repo is private there, set the token as <code>COVERAGE_IMPORT_TOKEN</code>. For
          other values of <code>--from</code>, see <a href={page.links.docs('import-history')}>Importing history</a>.
        </p>
        <Snippet
          text={[
            `curl -fsS ${root}/cli.mjs -o coverage.mjs`,
            `node coverage.mjs import-history --from=codecov --repo=${name} --dry-run`,
            `node coverage.mjs import-history --from=codecov --repo=${name}`,
            'tar -czf history.tgz -C coverage-history .',
          ].join('\n')}
        />
        <UploadForm action={page.links.ofRepo(repo, 'settings/import')} page={page} />
        {hasImported && <p class="quiet">This repo has imported builds already. Only older ones are added to them.</p>}
      </div>
      <div>
        <div class="note">
          <p>
            <b>Codecov’s own numbers may differ a little.</b>
          </p>
          <p class="small">
            Codecov counts a partly covered line as missed; here it’s a line with one of two branches taken. Both
            numbers are kept, and imported builds are drawn dashed.
          </p>
        </div>
      </div>
    </div>
  );
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>What is imported</h2>
    </div>
  );
  const rows = mapRows(COMES, ([what, ...from]) => (
    <Row>
      {[<Cell class="main">{what}</Cell>, ...from.map((text, at) => <Cell label={SOURCES[at]}>{comes(text)}</Cell>)]}
    </Row>
  ));
  const columns = [{ name: '', kind: 'grow' } as const, ...SOURCES.map((source) => ({ name: source }))];
  yield* listTable({ label: 'What is imported', columns, rows });
  yield (
    <p class="small quiet after">
      Run CI once with this server too: that uploads the lines, branches and flags of the newest commit, without a
      request to the other service.
    </p>
  );
  yield { tags: '</section>' };
}

function UploadForm({ action, page }: { readonly action: string; readonly page: PageContext }): VNode {
  return (
    <form method="post" encType="multipart/form-data" action={action} class="stack">
      <Csrf page={page} />
      <div class="field">
        <label for="file">The archive that it wrote</label>
        <input id="file" type="file" name="file" accept=".tgz,.tar,.gz" required />
        <span class="help">At most 128 MiB.</span>
      </div>
      <p class="row">
        <button type="submit" class="primary">
          Check what’s there
        </button>
        <span class="small quiet">Nothing is written yet.</span>
      </p>
    </form>
  );
}

/** What does not come, or comes only in part, has no mark. */
function comes(text: string): VNode {
  if (text === 'no' || text === ONLY_PARTIAL) return <span class="quiet">{text}</span>;
  return (
    <span class="v ok">
      <Icon name="ok" /> {text}
    </span>
  );
}
