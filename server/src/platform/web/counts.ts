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
