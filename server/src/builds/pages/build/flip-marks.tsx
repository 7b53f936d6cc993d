import type { VNode } from 'preact';
import { printable } from '../../../core/printable.ts';
import { Icon } from '../../../platform/web/icons.tsx';
import { shortCommit } from '../../../wording/build-name.ts';
import { counted } from '../../../wording/phrases.ts';
import type { FlipsOfBuild, ListedBlock } from '../../find-flips.ts';
import type { BuildPlace } from './build-place.ts';
import { rangeText } from './file-names.tsx';

/** Builds that a strip shows. */
export const SHOWN_BUILDS = 50;
/** For a strip: one bar and one gap a build. */
const STRIP = { step: 4, bar: 3, height: 20 } as const;

/** `210–223` */
export function placesOf({ first, last }: Pick<ListedBlock, 'first' | 'last'>): string {
  return rangeText([first, last]);
}

/** `14 lines, 2 branches` */
export function sizeOfBlock({ lines, branches }: Pick<ListedBlock, 'lines' | 'branches'>): string {
  const ofLines = lines > 0 ? [counted(lines, 'line')] : [];
  return [...ofLines, ...(branches > 0 ? [counted(branches, 'branch', 'branches')] : [])].join(', ');
}

/** Beside the lines that a file lost: some of them flip. */
export function FlipTag({ file, flips, place }: FlipsIn & { readonly file: string }): VNode | null {
  const isFlipping = flips?.missed.some((block) => block.file === file && block.lostSince === undefined);
  if (flips === undefined || !isFlipping) return null;
  return (
    <span class="tag flip">
      <Icon name="flip" />
      <a href={pageOf({ flips, place })}>flips without a change</a>
    </span>
  );
}

interface FlipsIn {
  readonly flips: FlipsOfBuild | undefined;
  readonly place: BuildPlace;
}

function pageOf({ flips, place }: FlipsIn): string {
  return place.links.ofRepo(place.repo, 'flipping', { branch: flips?.branch });
}

/** Blocks that a sentence names. */
const MOST_NAMED = 3;

/** That lines which used to flip are missed in every build since; undefined if none is. */
export function LostNote({ flips, place }: FlipsIn): VNode | null {
  const lost = flips?.missed.filter(({ lostSince }) => lostSince !== undefined) ?? [];
  const [first] = lost;
  if (first?.lostSince === undefined) return null;
  const { lostSince: since, lostFor } = first;
  const places = lost.slice(0, MOST_NAMED).map((block) => (
    <>
      {', '}
      <a href={place.file(block.file, block.first)}>
        {printable(block.file, 100)} {placesOf(block)}
      </a>
    </>
  ));
  const lines = lost.reduce((sum, block) => sum + block.lines, 0);
  const branches = lost.reduce((sum, block) => sum + block.branches, 0);
  return (
    <p class="note">
      {sizeOfBlock({ lines, branches })} that used to flip {lines + branches === 1 ? 'is' : 'are'} missed on{' '}
      <a href={pageOf({ flips, place })}>{printable(flips?.branch ?? '', 100)}</a> since{' '}
      {since.id === place.build.id ? (
        'this build'
      ) : (
        <a href={place.links.build(since.id)}>{shortCommit(since.commit)}</a>
      )}{' '}
      ({counted(lostFor, 'build')}){places}
      {lost.length > MOST_NAMED && ` and ${counted(lost.length - MOST_NAMED, 'more block')}`}. That is no longer chance:
      they are not forgiven.
    </p>
  );
}

/** Before the first line of a block, in the text of its file. */
export function FlipRow({ block, branch }: { readonly block: ListedBlock; readonly branch: string }): VNode {
  const { lines, branches, covered, known, states, lostSince } = block;
  const where = `${block.first === block.last ? 'Line' : 'Lines'} ${placesOf(block)}`;
  const what = lines > 0 ? where : `${counted(branches, 'branch', 'branches')} at line ${placesOf(block)}`;
  const isOne = lines + branches === 1;
  return (
    <tr class="note-row">
      <td colSpan={5}>
        <Icon name="flip" /> <b>{`${what} ${isOne ? 'flips' : 'flip'} without a change.`}</b>{' '}
        <FlipStrip states={states} /> Covered in {covered} of the last {counted(known, 'build')} of{' '}
        {printable(branch, 100)}.
        {lostSince !== undefined && ` Missed in all since ${shortCommit(lostSince.commit)}: lost.`}
      </td>
    </tr>
  );
}

/** Three heights, so that the strip needs no color: the oldest build left. */
export function FlipStrip({ states }: { readonly states: ListedBlock['states'] }): VNode {
  const known = states.filter((state) => state !== undefined);
  const label = `covered in ${known.filter(Boolean).length} of ${known.length} builds`;
  const width = SHOWN_BUILDS * STRIP.step;
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${STRIP.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {states.map((state, at) => {
        const height = state === undefined ? 1 : state ? STRIP.height : 6;
        const kind = state === undefined ? 'un' : state ? 'on' : 'off';
        const x = width - (at + 1) * STRIP.step;
        return <rect class={kind} x={x} y={STRIP.height - height} width={STRIP.bar} height={height} />;
      })}
    </svg>
  );
}
