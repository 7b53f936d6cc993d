import type { VNode } from 'preact';
import { type CauseWords, namePart } from '../../../wording/change-words.ts';
import { capitalize } from '../../../wording/phrases.ts';

/** The tones of the bar, the largest part first. */
const TONES = ['a', 'b', 'c', 'd', 'e'] as const;

interface Segment {
  readonly name: string;
  readonly shown: string;
  readonly size: number;
}

/** Where a change comes from: a bar, and a table whose rows add up to the change as it is shown. */
export function Causes(props: { readonly parts: CauseWords['parts']; readonly total: string | undefined }): VNode {
  const { parts, total } = props;
  const segments = parts
    .map(({ points, shown = points, ...named }): Segment => {
      const size = Number.parseFloat(points.replace(/^[+-]/, ''));
      return { name: capitalize(namePart(named)), shown, size: Number.isFinite(size) ? size : 0 };
    })
    .toSorted((a, b) => b.size - a.size);
  return (
    <div class="causes">
      <Bar segments={segments} />
      <table>
        <tbody>
          {segments.map(({ name, shown }, index) => (
            <tr>
              <td>
                <span class={`sw ${TONES[index] ?? 'e'}`} />
                {name}
              </td>
              <td class="num">{shown}</td>
            </tr>
          ))}
          {total !== undefined && (
            <tr>
              <td>Change, points</td>
              <td class="num">{total}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ segments }: { readonly segments: readonly Segment[] }): VNode {
  const all = segments.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  const places = segments.map(({ size }) => {
    const place = { x: before, width: all === 0 ? 0 : Math.round((size / all) * 7_100) / 10 };
    before += place.width;
    return place;
  });
  const label = segments.map(({ name, shown }) => `${name} ${shown}`).join(', ');
  return (
    <svg class="bar" viewBox="0 0 710 16" preserveAspectRatio="none" role="img" aria-label={label}>
      {places.map(({ x, width }, index) => (
        <rect class={TONES[index] ?? 'e'} x={x} width={width} height="16" />
      ))}
      {places.slice(1).map(({ x }) => (
        <rect class="gap" x={Math.max(0, x - 2)} width="2" height="16" />
      ))}
    </svg>
  );
}
