import type { VNode } from 'preact';

/** The outline, then its content, on a field of 16. */
export const SHAPES = {
  ok: ['M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13', 'm5 8.2 2.1 2.1L11 6'],
  fail: ['M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z', 'm5.8 5.8 4.4 4.4m0-4.4-4.4 4.4'],
  incomplete: ['M8 1.8 14.8 14H1.2z', 'M8 6.5v3.2m0 2.1v.1'],
  would: ['M8 1.2 14.8 8 8 14.8 1.2 8z', 'M8 4.9v3.6m0 2.2v.1'],
  pending: ['M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13', 'M8 4.8V8l2 1.4'],
  info: ['M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13', 'M8 7.4v3.6M8 4.9V5'],
  find: ['M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9', 'm10.4 10.4 3.6 3.6'],
  folder: ['M1.5 12.8V3.2h4.6l1.6 1.9h6.8v7.7z'],
  lock: ['M3 7.5h10v7H3z', 'M5.2 7.5V4.8a2.8 2.8 0 0 1 5.6 0v2.7'],
  flip: ['M1 11.5h3v-7h4v7h4v-7h3'],
  document: ['M3.5 1.5h5.6l3.4 3.4v9.6h-9zM9 1.5V5h3.5'],
} as const;

export type IconName = keyof typeof SHAPES;

/** A second cue beside color. `label`: what it says if no word beside it does. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }): VNode {
  return (
    <svg
      class={`i ${name}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** The shapes that `Icon` uses: once in each page. */
export function IconSprite(): VNode {
  return (
    <svg class="sprite" aria-hidden="true">
      <defs>
        {Object.entries<readonly string[]>(SHAPES).map(([name, [outline, mark]]) => (
          <symbol id={`i-${name}`} viewBox="0 0 16 16">
            <path d={outline} {...(name === 'pending' && { 'stroke-dasharray': '2 2.1' })} />
            {mark !== undefined && <path d={mark} />}
          </symbol>
        ))}
      </defs>
    </svg>
  );
}

/** The mark of the service. */
export function Logo(): VNode {
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 3.5a8.5 8.5 0 1 1-8.2 6.3" />
    </svg>
  );
}
