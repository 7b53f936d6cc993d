import type { VNode } from 'preact';
import { LINES_ON_PAGE } from '../../core/announce/links.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import type { NoText } from '../../core/repo/no-text.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { countOf, grouped } from '../../platform/web/page-parts.tsx';
import { type Part, rowParts } from '../../platform/web/render-parts.tsx';
import type { SiteLinks } from '../../platform/web/site-links.ts';
import { counted } from '../../wording/phrases.ts';
import type { ShownSource } from '../show-source.ts';
import { codeRows } from './build/code-rows.tsx';
import { type BuildRevision, buildEyebrow, buildFrame } from './build-head.tsx';
import { UncoveredLinks } from './uncovered-links.tsx';

/** One file of a build, line by line, with its text where the reader may see it (rule 30). */
export const renderFilePage = (shown: ShownSource & BuildRevision, page: PageContext): Iterable<string> => {
  const frame = buildFrame({ ...shown, current: 'Files', title: printable(shown.file.name, 300) }, page);
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: ShownSource & BuildRevision, page: PageContext): Generator<Part> {
  const { links } = page;
  yield buildEyebrow(shown, links);
  yield <FileHead shown={shown} links={links} />;
  yield <FileFacts shown={shown} />;
  yield { tags: '<section>' };
  yield <UncoveredLinks shown={shown} links={links} />;
  if (typeof shown.text === 'string') yield <p class="note">{explainNoText(shown.text, shown.host)}</p>;
  if (shown.count > 0) {
    const plain = typeof shown.text !== 'string' && shown.text.highlights === 'pending';
    yield* rowParts(
      `<div class="file"><div class="scroll" role="region" aria-label="Source" tabindex="0">` +
        `<table class="code"${plain ? ' data-plain' : ''}><tbody>`,
      codeRows(shown),
      '</tbody></table></div></div>',
    );
    yield <Legend hasFlips={shown.flips !== undefined} />;
  }
  yield <LinePager shown={shown} links={links} />;
  yield { tags: '</section>' };
}

function FileHead({ shown, links }: { readonly shown: ShownSource & BuildRevision; readonly links: SiteLinks }): VNode {
  const { repo, file, edit, flips, revision, host, hostPage } = shown;
  const parts = file.name.split('/');
  const name = parts.pop() ?? '';
  return (
    <div class="head">
      <h1>
        {parts.map((folder, index) => (
          <>
            <a class="dir" href={links.tree(repo, revision, `${parts.slice(0, index + 1).join('/')}/`)}>
              {printable(folder, 100)}
            </a>
            <span class="dir">/</span>
          </>
        ))}
        {printable(name, 200)}
      </h1>
      {flips !== undefined && (
        <span class="tag flip">
          <Icon name="flip" />
          <a href={links.ofRepo(repo, 'flipping', { branch: flips.branch })}>{countFlips(flips.blocks)}</a>
        </span>
      )}
      {edit !== undefined && <span class="tag">{edit.kind === 'added' ? 'new in this change' : 'changed'}</span>}
      {host !== undefined && hostPage !== undefined && (
        <span class="end row">
          <a class="btn" href={hostPage} rel="nofollow noopener">
            View on {host} ↗
          </a>
        </span>
      )}
    </div>
  );
}

/** `14 lines flip` */
function countFlips(blocks: NonNullable<ShownSource['flips']>['blocks']): string {
  const lines = new Set(blocks.flatMap(({ places }) => places)).size;
  return `${counted(lines, 'line')} ${lines === 1 ? 'flips' : 'flip'}`;
}

function FileFacts({ shown }: { readonly shown: ShownSource }): VNode {
  const { file, base, patch, build, flags } = shown;
  const { coveredLines, relevantLines, coveredBranches, branches } = file.totals;
  const change = changeOf(file.totals, base);
  const isNew = base === undefined && build.result?.base !== undefined;
  return (
    <dl class="facts">
      <div>
        <dt>Coverage</dt>
        <dd>
          <b>{showPercent(totalPercent(file.totals))}</b>{' '}
          {change === undefined ? (
            isNew && <span class="quiet">new</span>
          ) : (
            <span class={change.numerator < 0n ? 'down' : change.numerator > 0n ? 'up' : 'quiet'}>
              {showChange(change)}
            </span>
          )}
        </dd>
      </div>
      <Count name="Lines" covered={coveredLines} all={relevantLines} />
      <Count name="Branches" covered={coveredBranches} all={branches} />
      {patch !== undefined && <Count name="Changed lines" covered={patch.coveredLines} all={patch.relevantLines} />}
      {flags.length > 0 && (
        <div>
          <dt>Flags</dt>
          <dd>{flags.map((flag) => printable(flag, 60)).join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

function Count(props: { readonly name: string; readonly covered: number; readonly all: number }): VNode {
  const { name, covered, all } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{countOf(covered, all)}</dd>
    </div>
  );
}

function Legend({ hasFlips }: { readonly hasFlips: boolean }): VNode {
  return (
    <p class="legend legend-below">
      <span class="hit">covered</span>
      <span class="some">partly: branches taken of all</span>
      <span class="miss">missed</span>
      <span class="plus">changed here</span>
      {hasFlips && (
        <span class="flips">
          <Icon name="flip" /> flips without a change
        </span>
      )}
    </p>
  );
}

/** The way to the other lines of a long file. */
function LinePager(props: { readonly shown: ShownSource & BuildRevision; readonly links: SiteLinks }): VNode | null {
  const { shown, links } = props;
  const { repo, revision, file, offset, count, lines } = shown;
  if (lines <= LINES_ON_PAGE) return null;
  const linkTo = (line: number): string => links.file(repo, revision, file.name, line);
  return (
    <nav class="row after" aria-label="Lines">
      {offset > 0 && <a href={linkTo(offset - LINES_ON_PAGE + 1)}>← earlier lines</a>}
      <span class="quiet">
        lines {grouped(offset + 1)}–{grouped(offset + count)} of {grouped(lines)}
      </span>
      {offset + count < lines && <a href={linkTo(offset + count + 1)}>later lines →</a>}
    </nav>
  );
}

/** Why a file's text is not shown, and what to do. `host`: the git host's name; undefined for a repo of none. */
function explainNoText(why: NoText, host: string | undefined): string {
  const name = host ?? 'the git host';
  const sentences: Readonly<Record<NoText, string>> = {
    token: 'The text is not shown: repo tokens can only read numbers.',
    'host-private': `The text is not shown: no upload included it, and at ${name} the repo is private.`,
    'no-commit': 'No upload included the text of this file, or said which commit was tested.',
    'no-host':
      host === undefined
        ? 'No upload included the text of this file. Our action sends it with send-source: all.'
        : `No upload included the text of this file, and this server does not ask ${host} for it.`,
    'not-found':
      `No upload included the text of this file, and ${name} answered that there is none at this commit, ` +
      'or that this server may not see it.',
    'too-large': `No upload included the text of this file, and at ${name} it has more than 4 MiB.`,
    'not-text': `No upload sent the text of this file, and what ${name} has at this commit is not text.`,
    refused: `No upload included the text of this file, and ${name} does not give it to this server.`,
    unavailable: `No upload included the text of this file, and ${name} has not answered yet. Reload in a moment.`,
    busy: `No upload included the text of this file, and ${name} was asked for many others. Reload in a minute.`,
  };
  return sentences[why];
}
