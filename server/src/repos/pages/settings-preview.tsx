import type { VNode } from 'preact';
import { BuildChange, BuildPercent, BuildPlace, VerdictMark, verdictLook } from '../../builds/pages/build-words.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { titleOf } from '../../wording/build-name.ts';
import type { SettingsPage } from '../show-settings-page.ts';

type Preview = SettingsPage['preview'][number];

const COLUMNS: readonly Column[] = [
  { name: 'Build', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Now' },
  { name: 'With these thresholds' },
];

/** What the newest builds would have got by the thresholds in the form. */
export function* previewParts({ preview, repo }: SettingsPage, page: PageContext): Generator<Part> {
  const differing = preview.filter(differs).length;
  yield <Summary preview={preview} repo={repo} differing={differing} page={page} />;
  if (preview.length === 0) return;
  const rows = mapRows(preview, (row) => (
    <Row>
      <Cell class="main">
        <a href={page.links.build(row.build.id)}>{titleOf(row.build, page.links.terms(repo))}</a>
        <BuildPlace build={row.build} repo={repo} links={page.links} />
      </Cell>
      <Cell class="num lead">
        <BuildPercent build={row.build} />
      </Cell>
      <Cell class="num" label="change">
        <BuildChange build={row.build} />
      </Cell>
      <Cell label="now">
        <VerdictMark of={totalOf(row.build)} />
      </Cell>
      <Cell class="nowrap" label="with these thresholds">
        <VerdictMark of={row.then.verdict} /> {differs(row) && <span class="tag">differs</span>}{' '}
        {row.then.patch === 'fails' && <span class="tag warn">change fails</span>}
      </Cell>
    </Row>
  ));
  yield* listTable({ label: 'The newest builds with these thresholds', columns: COLUMNS, rows });
}

function Summary(props: {
  readonly preview: readonly Preview[];
  readonly repo: SettingsPage['repo'];
  readonly differing: number;
  readonly page: PageContext;
}): VNode {
  const { preview, repo, differing, page } = props;
  const [last] = preview;
  if (last === undefined)
    return (
      <div class="note after" id="preview" role="status">
        <p>Nothing is saved yet. There is no closed build to try these thresholds on.</p>
      </div>
    );
  const { word } = verdictLook(last.then.verdict);
  const name = titleOf(last.build, page.links.terms(repo));
  return (
    <div class="note after" id="preview" role="status">
      <p>
        <b>Nothing is saved yet.</b> With these thresholds, the newest build,{' '}
        <a href={page.links.build(last.build.id)}>{name}</a>, would be: {word.toLowerCase()}. Of the last{' '}
        {preview.length}, {differing === 1 ? '1 verdict' : `${differing} verdicts`} would differ.
      </p>
      <p class="quiet small">
        This uses the stored numbers. Whether only removed code or untouched files cause a drop is known only when a
        build is closed.
      </p>
    </div>
  );
}

function differs({ build, then }: Preview): boolean {
  return verdictLook(totalOf(build)).word !== verdictLook(then.verdict).word;
}

/** These thresholds are tried on the total alone. */
function totalOf({ state, result }: Preview['build']) {
  return result === undefined || state === 'open' ? ({ state: 'open' } as const) : result.verdict;
}
