import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';

interface Named {
  readonly name: string;
}

/** A person or a bot: initials, and the name, of which at most `limit` characters are shown. */
export function Person({ name, limit }: Named & { readonly limit: number }): VNode {
  return (
    <span class="person">
      <Face name={name} /> {printable(name, limit)}
    </span>
  );
}

/** Initials in a color that follows from the name: no other server is asked for a picture. Bots get a square. */
export function Face({ name }: Named): VNode {
  const sum = [...name].reduce((before, letter) => before + (letter.codePointAt(0) ?? 0), 0);
  const kind = name.endsWith(BOT) ? ' bot' : COLORS[sum % COLORS.length];
  return (
    <span class={`face${kind}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

const BOT = '[bot]';
const COLORS = ['', ' f1', ' f2', ' f3'] as const;

/** The first letters of the first two words. */
function initialsOf(name: string): string {
  const words = name.replace(BOT, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
}
