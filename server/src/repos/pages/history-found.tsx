import type { ComponentChildren, VNode } from 'preact';
import { HISTORY_SOURCES, percentOfBuild } from '../../core/builds/imported.ts';
import { showPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { grouped } from '../../platform/web/counts.ts';
import { ActionButton } from '../../platform/web/form-parts.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import type { FoundBuild, HistoryImport } from '../../storage/history-imports.ts';
import { shortCommit } from '../../wording/build-name.ts';

const MAX_NAMES = 10;

/** What an uploaded history has, before any of it is in the repo. */
export function* foundParts(repo: Repo, { found }: HistoryImport, page: PageContext): Generator<Part> {
  const { builds, newest, branches } = found;
  const action = page.links.ofRepo(repo, 'settings/import');
  const service = HISTORY_SOURCES[found.from];
  yield (
    <div class="note good" role="status">
      <p>
        <b>
          {grouped(builds)} builds of {named(branches)} can be imported from {service}.
        </b>{' '}
        Nothing has been written yet.
      </p>
    </div>
  );
  yield (
    <section class="tight">
      <dl class="facts">
        <Fact name={`Newest, at ${service}`}>
          <Found build={newest} page={page} />
        </Fact>
        <MoreFacts found={found} page={page} />
      </dl>
    </section>
  );
  yield (
    <section class="tight stack">
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
        <ActionButton
          page={page}
          action={action}
          label="Discard"
          about="this upload"
          fields={{ do: 'discard' }}
          class="btn"
        />
      </div>
    </section>
  );
}

function MoreFacts({ found, page }: { readonly found: HistoryImport['found']; readonly page: PageContext }): VNode {
  const { builds, withLines, withCounts, oldest, flags } = found;
  return (
    <>
      <Fact name="Oldest">
        <Found build={oldest} page={page} />
      </Fact>
      <Fact name="With lines">{grouped(withLines)}</Fact>
      <Fact name="With counts alone">{grouped(withCounts)}</Fact>
      <Fact name="With a percentage alone">{grouped(builds - withLines - withCounts)}</Fact>
      <Fact name="Flags">{flags.length === 0 ? 'none' : named(flags)}</Fact>
      <Fact name="Read from">{printable(found.address, 200)}</Fact>
    </>
  );
}

/** A history may have any number of them. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, 60));
  return names.length > MAX_NAMES ? `${shown.join(', ')} and ${names.length - MAX_NAMES} more` : shown.join(', ');
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

function Fact(props: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
