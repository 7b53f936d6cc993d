import type { VNode } from 'preact';
import { type Ratio, showPercent } from '../../core/coverage/percent.ts';
import type { Paged, PartOf } from '../paging.ts';

/** `7 of 8 (87.50%)` */
export function rate(covered: number, all: number, percent: Ratio | undefined): string {
  return `${covered} of ${all}${percent ? ` (${showPercent(percent)})` : ''}`;
}

/** How many there are, behind a heading: apart from it for a screen reader. */
export function Count({ of }: { readonly of: number }): VNode {
  return (
    <>
      {' '}
      <span class="count">{grouped(of)}</span>
    </>
  );
}

/** The way to the pages before and after; nothing if one page holds all. */
export function Pager(props: { readonly paged: Paged; readonly link: (page: number) => string }): VNode | null {
  const { paged, link } = props;
  const { page, pages } = paged;
  if (pages <= 1 && page === 1) return null;
  // From beyond the last page the way back leads to the last.
  const before = Math.min(page - 1, Math.max(pages, 1));
  return (
    <nav class="row small after" aria-label="Pages">
      {before >= 1 && <a href={link(before)}>← page {before}</a>}{' '}
      <span class="quiet">
        page {page} of {pages}
      </span>{' '}
      {page < pages && <a href={link(page + 1)}>page {page + 1} →</a>}
    </nav>
  );
}

/** Which entries of a long list are shown, and the way to the others; nothing if one page holds all. */
export function PartPager(props: {
  /** What the entries are called, in the plural. */
  readonly what: string;
  readonly part: PartOf<unknown>;
  readonly link: (page: number) => string;
}): VNode | null {
  const { what, part, link } = props;
  const { page, pages, total, offset, entries } = part;
  if (pages <= 1 && page === 1) return null;
  const shown = entries.length === 0 ? 'none' : `${grouped(offset + 1)} to ${grouped(offset + entries.length)}`;
  return (
    <>
      <p class="quiet">
        {what} {shown} of {grouped(total)}
      </p>
      <Pager paged={part} link={link} />
    </>
  );
}

/** Made once: making one takes longer than using it. */
const ENGLISH = new Intl.NumberFormat('en');

/** `12,408` */
export function grouped(count: number): string {
  return count >= 0 && count < 1_000 ? String(count) : ENGLISH.format(count);
}

/** `15 of 29`, with grouped digits. */
export function countOf(covered: number, all: number): string {
  return all === 0 ? 'none' : `${grouped(covered)} of ${grouped(all)}`;
}
