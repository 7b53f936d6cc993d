import type { ComponentChildren, VNode } from 'preact';
import { type CoverageTotals, missedBranches, missedLines } from '../../../core/coverage/totals.ts';
import type { ExcerptLine, ExcerptRow } from '../../../core/diff/excerpt.ts';
import { printable } from '../../../core/printable.ts';
import { Count, grouped } from '../../../platform/web/page-parts.tsx';
import { type Part, renderPart, rowParts } from '../../../platform/web/render-parts.tsx';
import { checkName, kindWord, namesOf, type Phrase, readCheckId } from '../../../wording/check-words.ts';
import { encodePath } from '../../../wording/markdown.ts';
import { counted } from '../../../wording/phrases.ts';
import type { LinesChoice, LinesOfChecks } from '../../read-lines-of-checks.ts';
import type { FileToCover, LinesToCover } from '../../read-lines-to-cover.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import type { BuildPlace } from './build-place.ts';
import { Words } from './checks.tsx';
import { createPaint } from './code-rows.tsx';
import { FilePath, rangeText } from './file-names.tsx';
import type { Section } from './sections.tsx';
import { counts } from './shown-numbers.tsx';

interface Where {
  readonly place: BuildPlace;
  /** Where the git host has pages of files. */
  readonly host: { readonly name: string; readonly file: NonNullable<ShownBuildPage['hostFile']> } | undefined;
  /** Beside a file's name; by default how many of its changed lines are covered. */
  readonly note?: (file: FileToCover) => string;
}

/** Marks a line that was covered and did not change. */
export const LOST = '•';

/** The missed changed lines, as a diff; undefined if there are none and none were asked for. */
export function linesToCover(toCover: LinesOfChecks, where: Where): Section | undefined {
  const { lines, changed, selected, choices } = toCover;
  if (changed === undefined || (lines === undefined && selected === 'all')) return undefined;
  const files = lines === undefined ? 0 : lines.files.length + lines.left;
  const whose =
    selected === 'all'
      ? []
      : selected === 'failing'
        ? ['for the failing checks: ']
        : ['for ', ...nameOfCheck(selected, choices), ': '];
  return {
    id: 'cover',
    name: 'Lines to cover',
    count: missedLines(changed) + missedBranches(changed),
    countBeside: true,
    aside: (
      <>
        <span class="quiet">
          <Words phrase={whose} />
          {lines === undefined ? 'no changed line is missed' : `${missedOf(changed)}, in ${counted(files, 'file')}`}
        </span>
        <span class="end quiet small keys">
          <kbd>n</kbd> next · <kbd>p</kbd> previous · <kbd>t</kbd> find a file
        </span>
      </>
    ),
    parts: coverParts(toCover, where),
  };
}

function* coverParts(toCover: LinesOfChecks, where: Where): Generator<Part> {
  const { links, build } = where.place;
  yield <CheckChoices of={toCover} label="Lines to cover for" link={(id) => links.check(build.id, id)} />;
  if (toCover.lines !== undefined) yield* fileParts(toCover.lines, where);
}

/** Whose lines are shown, always with a way to all of them. `link`: for the id of a check, `failing` or `all`. */
export function CheckChoices(props: {
  readonly of: Omit<LinesOfChecks, 'lines'>;
  readonly label: string;
  readonly link: (id: string) => string;
}): VNode | null {
  const { choices, selected, changed } = props.of;
  if (choices.length === 0) return null;
  return (
    <nav class="seg cover-filter" aria-label={props.label}>
      {choices.map(({ id, check, missed }) => (
        <a href={props.link(id)} {...(id === selected && { 'aria-current': 'true' as const })}>
          <Words phrase={[choiceName(id, check)]} />
          {id === selected && changed ? (
            <Count of={missedLines(changed) + missedBranches(changed)} />
          ) : (
            missed !== undefined && <Count of={missed} />
          )}
        </a>
      ))}
    </nav>
  );
}

function nameOfCheck(id: string, choices: LinesOfChecks['choices']): Phrase {
  const check = choices.find((one) => one.id === id)?.check;
  return check === undefined ? namesOf({ ids: [id] }) : [`${kindWord(check) ?? ''} `, checkName(check)];
}

function choiceName(id: string, check: LinesChoice['check']): Phrase[number] {
  const named = check ?? readCheckId(id);
  if (named === undefined) return id === 'failing' ? 'Failing checks' : 'All';
  return checkName(named);
}

/** `14 lines and 5 branches` */
function missedOf(changed: CoverageTotals): string {
  const [lines, branches] = [missedLines(changed), missedBranches(changed)];
  const ofLines = lines === 0 ? [] : [`${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}`];
  const ofBranches = branches === 0 ? [] : [`${grouped(branches)} ${branches === 1 ? 'branch' : 'branches'}`];
  return [...ofLines, ...ofBranches].join(' and ');
}

function* fileParts(lines: LinesToCover, where: Where): Generator<Part> {
  const { left } = lines;
  yield* fileArticles(lines, where);
  yield left > 0 && (
    <p class="after">
      {counted(left, 'more file')} of this change {left === 1 ? 'has' : 'have'} lines to cover:{' '}
      <a href="#changed">see the changed files</a>.
    </p>
  );
}

/** File by file, with the reason if there is no text. */
export function* fileArticles(
  { files, withheld, unreadable }: Omit<LinesToCover, 'left'>,
  where: Where,
): Generator<Part> {
  const without = files.some(({ texts }) => texts === undefined);
  yield without && (
    <p class="quiet said">
      {withheld
        ? 'Source is hidden: repo tokens can only read numbers.'
        : unreadable
          ? 'Couldn’t load the lines. Reload the page in a moment.'
          : 'Where no text is shown, no source is available for the file.'}
    </p>
  );
  for (const [index, file] of files.entries()) yield* oneFile(file, { ...where, id: `cover-${index + 1}` });
}

interface Shown extends Where {
  readonly id: string;
}

function* oneFile(shown: FileToCover, { place, host, id, note }: Shown): Generator<Part> {
  const { file } = shown;
  const href = place.file(file.name);
  yield { tags: `<article class="file" id="${id}">` };
  yield (
    <header>
      <h3>
        <FileName shown={shown} href={href} />
      </h3>
      <span class="quiet small n">{note === undefined ? counts(file.totals, 'changed ') : note(shown)}</span>
      <span class="end small">
        <a href={href}>Open file</a>
        {host && (
          <a href={host.file(encodePath(file.name), ...(file.uncovered[0] ?? [1, 1]))} rel="nofollow noopener">
            {host.name} ↗
          </a>
        )}
      </span>
    </header>
  );
  yield* fileRows(shown, place);
  yield { tags: '</article>' };
}

/** With the flag of these lines. */
export function FileName(props: { readonly shown: FileToCover; readonly href?: string }): VNode {
  const { file, isNew, flag } = props.shown;
  return (
    <>
      <FilePath name={file.name} href={props.href} /> {isNew && <span class="tag">new file</span>}{' '}
      {flag !== undefined && (
        <span class="tag">
          <code>{printable(flag, 60)}</code>
        </span>
      )}
    </>
  );
}

/** Its lines with their text; if no text can be shown, the places that are to be covered. */
export function* fileRows(shown: FileToCover, place: BuildPlace): Generator<Part> {
  if (shown.texts === undefined) yield <RangeLinks shown={shown} place={place} />;
  else yield* excerpt(shown, place);
  yield shown.cut && (
    <p class="file-foot quiet small">
      There is more to cover below: <a href={place.file(shown.file.name)}>open the file</a>.
    </p>
  );
}

/** If no text can be shown: only the places. */
function RangeLinks({
  shown: { file, rows },
  place,
}: {
  readonly shown: FileToCover;
  readonly place: BuildPlace;
}): VNode {
  const lines = rows.filter((row): row is ExcerptLine => row.kind === 'line' && row.toCover && row.hits !== 0);
  return (
    <p class="ranges file-ranges">
      {file.uncovered.map(([first, last]) => (
        <a class="miss" data-uncovered href={place.file(file.name, first === last ? first : `${first}-${last}`)}>
          {rangeText([first, last])}
        </a>
      ))}
      {lines.map(({ line, branches }) => (
        <a class="some" data-uncovered href={place.file(file.name, line)}>
          {line} {branches && <span class="sr">, branches </span>}
          {branches && `${branches.covered}/${branches.all}`}
        </a>
      ))}
      {file.uncoveredRanges > file.uncovered.length && (
        <span class="quiet">and {file.uncoveredRanges - file.uncovered.length} more</span>
      )}
    </p>
  );
}

const HEAD = (
  <thead class="sr">
    <tr>
      {['Line', 'Hits', 'Branches', 'Changed', 'Source'].map((name) => (
        <th scope="col">{name}</th>
      ))}
    </tr>
  </thead>
);

function* excerpt(shown: FileToCover, place: BuildPlace): Generator<Part> {
  const label = `Excerpt of ${printable(shown.file.name, 300)}`;
  const region = renderPart(
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys.
    <div class="scroll" tabIndex={0} role="region" aria-label={label} />,
  );
  const open = region.slice(0, region.lastIndexOf('</'));
  yield* rowParts(
    `${open}<table class="code"${shown.highlights === 'pending' ? ' data-plain' : ''}>${renderPart(HEAD)}<tbody>`,
    codeRows(shown, place),
    '</tbody></table></div>',
  );
}

function* codeRows(shown: FileToCover, place: BuildPlace): Generator<VNode> {
  const { file, rows, texts, highlights, removedTexts } = shown;
  const paint = createPaint(highlights);
  let inRun = false;
  for (const row of rows) {
    const begins = row.kind === 'line' && row.toCover && !inRun;
    inRun = row.kind === 'line' && row.toCover;
    if (row.kind === 'line')
      yield (
        <CodeRow row={row} href={place.file(file.name, row.line)} begins={begins}>
          {paint(row.line - 1, texts?.get(row.line) ?? '')}
        </CodeRow>
      );
    else if (row.kind === 'fold') yield <FoldRow row={row} />;
    else yield* removedRows(row, removedTexts);
  }
}

function CodeRow(props: {
  readonly row: ExcerptLine;
  readonly href: string;
  /** Whether it is the first of its place, to which a key leads. */
  readonly begins: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const { row, href, begins, children } = props;
  const { hits, branches, changed, lost, line } = row;
  const state = stateOf(row);
  return (
    <tr class={state} {...(begins && { 'data-uncovered': true })}>
      <td class="ln">
        <a href={href}>{line}</a>
      </td>
      <td class="hits">
        {hits >= 0 && `${hits > 99_999 ? '>99,999' : grouped(hits)}×`}
        {state === 'miss' && <span class="sr"> missed</span>}
        {state === 'some' && <span class="sr"> partly covered</span>}
      </td>
      <td class="br">
        {branches && (
          <span title={`${branches.covered} of ${counted(branches.all, 'branch', 'branches')} taken`}>
            {branches.covered}/{branches.all}
          </span>
        )}
      </td>
      <td class="mk">
        {changed && (
          <>
            +<span class="sr"> changed</span>
          </>
        )}
        {lost && (
          <span title="covered in the base">
            {LOST}
            <span class="sr"> was covered</span>
          </span>
        )}
      </td>
      <td class="src">
        <code>{children}</code>
      </td>
    </tr>
  );
}

function stateOf({ hits, branches }: ExcerptLine): string | undefined {
  if (hits === 0) return 'miss';
  if (branches !== undefined && branches.covered < branches.all) return 'some';
  return hits > 0 ? 'hit' : undefined;
}

function FoldRow({ row: { first, last } }: { readonly row: Extract<ExcerptRow, { kind: 'fold' }> }): VNode {
  const lines = first === last ? `Line ${first}` : `Lines ${rangeText([first, last])}`;
  return (
    <tr class="fold">
      <td colSpan={5}>{lines}, nothing missed</td>
    </tr>
  );
}

/** Old lines that are shown at one place. */
const MAX_REMOVED = 20;

function* removedRows(
  { first, count }: Extract<ExcerptRow, { kind: 'removed' }>,
  texts: ReadonlyMap<number, string>,
): Generator<VNode> {
  const shown = Math.min(count, MAX_REMOVED);
  const known = Array.from({ length: shown }, (_, index) => texts.get(first + index)).filter(
    (text) => text !== undefined,
  );
  if (known.length < shown) yield <GoneRow>{counted(count, 'line')} removed</GoneRow>;
  else {
    for (const text of known) yield <GoneRow code>{text}</GoneRow>;
    if (count > shown) yield <GoneRow>{counted(count - shown, 'more line')} removed</GoneRow>;
  }
}

function GoneRow({ children, code = false }: { readonly children: ComponentChildren; readonly code?: boolean }): VNode {
  return (
    <tr class="gone">
      <td class="ln" />
      <td class="hits" />
      <td class="br" />
      <td class="mk">
        −<span class="sr"> removed</span>
      </td>
      <td class="src">{code ? <code>{children}</code> : <i>{children}</i>}</td>
    </tr>
  );
}
