import type { VNode } from 'preact';
import { defaultBranches } from '../../core/builds/base-branches.ts';
import { placesOf as decimalsOf, showPart } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { shortCommit } from '../../wording/build-name.ts';
import { counted } from '../../wording/phrases.ts';
import { FORGIVEN_LIMITS, type Forgiven } from '../find-forgiven.ts';
import type { FlippingRow, ListedFlipping } from '../list-flipping.ts';
import { FlipStrip, placesOf, SHOWN_BUILDS, sizeOfBlock } from './build/flip-marks.tsx';
import { Choice } from './files-filter.tsx';

/** The lines of a branch that flip without a change, as a to-do for those who fix tests. */
export const renderFlippingPage = (listed: ListedFlipping, page: PageContext): Iterable<string> => {
  const { repo, maintains, newest } = listed;
  const frame = {
    title: `Flipping lines · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Flipping lines', href: page.links.ofRepo(repo, 'flipping') }),
    tabs: repoTabs({ repo, current: undefined, commit: newest?.commit, maintains }, page.links),
  };
  return renderPage(page, frame, mainParts(listed, page));
};

function* mainParts(listed: ListedFlipping, page: PageContext): Generator<Part> {
  const { repo, branch, blocks, total, builds } = listed;
  const name = printable(branch ?? '', 100);
  yield (
    <div class="head">
      <h1>Flipping lines</h1>
      <span class="quiet">covered in one build, missed in the next, without a change</span>
    </div>
  );
  yield (
    <p class="lead-in">
      {summarize(listed)} {total > 0 && <Allowed listed={listed} page={page} />}
    </p>
  );
  if (blocks.length === 0) {
    yield <BranchChoice listed={listed} page={page} />;
    return;
  }
  yield { tags: '<section class="tight">' };
  yield (
    <div class="head">
      <h2>
        Blocks
        <Count of={total} />
      </h2>
      <BranchChoice listed={listed} page={page} />
      <a class={hasChoice(listed) ? undefined : 'end'} href={page.links.ofRepo(repo, 'flipping.json', { branch })}>
        JSON
      </a>
    </div>
  );
  const columns: readonly Column[] = [
    { name: 'Block', kind: 'grow' },
    { name: `Last ${Math.min(builds, SHOWN_BUILDS)} builds of ${name}` },
    { name: 'Covered', kind: 'num' },
    { name: 'Last flip' },
    { name: 'Forgiven here' },
  ];
  const rows = blocks.map((block) => blockRow(block, listed, page));
  yield* listTable({ label: 'Blocks that flip', columns, rows });
  yield { tags: '</section>' };
  yield (
    <p class="quiet small after">
      Tall is covered, short is missed, and flat is unknown, because the text changed or no job measured it. A block is
      listed after three flips in 50 builds, or if two builds of the same tree disagree. It leaves the list after 50
      builds without a flip, or when its lines change. A block that is missed too often in a row is lost. Builds that
      would fail only because of such lines are forgiven and pass: the newest {FORGIVEN_LIMITS.read} among the last{' '}
      {FORGIVEN_LIMITS.builds} of the repo.
    </p>
  );
}

function summarize(listed: ListedFlipping): string {
  const { branch, builds, isComplete } = listed;
  const name = printable(branch ?? 'the default branch', 100);
  if (builds < 2) return `Nothing is known yet: each build of ${name} is compared with the one before it.`;
  const left = isComplete ? '' : ' In one of these builds too many lines changed at once: those are not followed.';
  return `${summarizeBlocks(listed, name)}${left}`;
}

function summarizeBlocks({ builds, total, usual, worth }: ListedFlipping, branch: string): string {
  if (total === 0) return `No line of ${branch} flips in its last ${builds} recorded builds.`;
  const range = usual.least === usual.most ? `${usual.most}` : `${usual.least} to ${usual.most}`;
  const blocks = `${counted(total, 'block')} ${total === 1 ? 'flips' : 'flip'}`;
  const points = worth && worth.numerator > 0n ? showPart(worth, decimalsOf(worth)).slice(1) : undefined;
  const most = points === undefined ? '' : `, which is worth up to ${points} points`;
  return `${blocks} on ${branch}. A build usually misses ${range} of them${most}.`;
}

interface OfList {
  readonly listed: ListedFlipping;
  readonly page: PageContext;
}

/** What the repo's settings make of them. */
function Allowed({ listed: { repo, maintains }, page }: OfList): VNode {
  const text = repo.settings.ignoreUnstableLines
    ? 'A drop that only these lines cause passes.'
    : 'A drop that they cause fails like any other.';
  return maintains ? <a href={page.links.ofRepo(repo, 'settings')}>{text}</a> : <span>{text}</span>;
}

function hasChoice({ branch, branches }: ListedFlipping): boolean {
  return branches.some((one) => one !== branch);
}

function BranchChoice({ listed, page }: OfList): VNode | null {
  const { repo, branch, branches } = listed;
  if (!hasChoice(listed)) return null;
  const defaults = defaultBranches(repo);
  const options = branches.map((name) => {
    const mark = defaults.includes(name) ? ' (default)' : '';
    return [name, `${printable(name, 60)}${mark}`] as const;
  });
  return (
    <form class="filter end" action={page.links.ofRepo(repo, 'flipping')}>
      <Choice label="Branch" name="branch" options={options} chosen={branch ?? ''} />
      <button type="submit">Show</button>
    </form>
  );
}

function ForgivenText(props: OfList & { readonly forgiven: Forgiven }): VNode {
  const { forgiven, listed, page } = props;
  const [last] = forgiven;
  if (last === undefined) return <span class="quiet small">never forgiven</span>;
  const { repo } = listed;
  const { links } = page;
  const where =
    last.pullRequest === undefined ? (
      <a href={links.build(last.id)}>{shortCommit(last.commit ?? last.number)}</a>
    ) : (
      <a href={links.pull(repo, last.pullRequest)}>{links.numberOf(repo, last.pullRequest)}</a>
    );
  const times = forgiven.length === 1 ? 'forgiven once, in ' : `forgiven ${forgiven.length} times, last in `;
  return (
    <span class="small">
      {times}
      {where}
    </span>
  );
}

function blockRow(block: FlippingRow, listed: ListedFlipping, page: PageContext): VNode {
  const { repo, newest } = listed;
  const { file, first, covered, known, flippedIn, lostSince } = block;
  const [folder, base] = [file.slice(0, file.lastIndexOf('/') + 1), file.slice(file.lastIndexOf('/') + 1)];
  const href = page.links.file(repo, newest?.commit ?? '', file, first);
  return (
    <Row>
      <Cell class="main">
        <a class="path" href={href}>
          <span class="dir">{printable(folder)}</span>
          {printable(base)}
        </a>
        <span class="sub">
          {placesOf(block)} · {sizeOfBlock(block)}{' '}
          {lostSince !== undefined && (
            <a class="tag bad" href={page.links.build(lostSince.id)}>
              lost since {shortCommit(lostSince.commit)}
            </a>
          )}
        </span>
      </Cell>
      <Cell class="barcell">
        <FlipStrip states={block.states} />
      </Cell>
      <Cell class="num lead">{Math.floor((100 * covered) / Math.max(1, known))}%</Cell>
      <Cell class="when" label="last flip">
        {flippedIn === undefined ? null : (
          <a href={page.links.build(flippedIn.id)}>
            <When at={flippedIn.at} now={page.now} />
          </a>
        )}
      </Cell>
      <Cell class="wide">
        <ForgivenText forgiven={block.forgiven} listed={listed} page={page} />
      </Cell>
    </Row>
  );
}
