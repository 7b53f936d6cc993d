import type { VNode } from 'preact';
import type { UncoveredPlace } from '../../core/coverage/uncovered-places.ts';
import type { SiteLinks } from '../../platform/web/site-links.ts';
import type { ShownSource } from '../show-source.ts';
import type { BuildRevision } from './build-head.tsx';

/** Places that are linked; the keys find the others of the page too. */
const MAX_LINKED = 60;

/** The way to the missed lines of a page, and to the nearest ones on other pages. */
export function UncoveredLinks(props: {
  readonly shown: ShownSource & BuildRevision;
  readonly links: SiteLinks;
}): VNode {
  const { file, repo, revision } = props.shown;
  const { places, placeBefore, placeAfter, placeCount } = file;
  const linkTo = (line: number): string => props.links.file(repo, revision, file.name, line);
  return (
    <div class="head">
      <nav class="ranges" aria-label="Missed lines">
        <span class="quiet small">{placeCount === 0 ? 'Everything is covered' : 'Uncovered'}</span>
        {placeBefore !== undefined && (
          <a class="part" href={linkTo(placeBefore)} data-uncovered-before>
            ← {placeBefore}
          </a>
        )}
        {places.slice(0, MAX_LINKED).map((place) => (
          <a class={place.kind === 'missed' ? 'miss' : 'some'} href={`#L${place.first}`}>
            {showPlace(place)}
          </a>
        ))}
        {places.length > MAX_LINKED && <span class="quiet small">and more on this page</span>}
        {placeAfter !== undefined && (
          <a class="part" href={linkTo(placeAfter)} data-uncovered-after>
            {placeAfter} →
          </a>
        )}
      </nav>
      <span class="end quiet small keys">
        <kbd>n</kbd> next · <kbd>p</kbd> previous ·{' '}
        <a href={props.links.tree(repo, revision)} data-files>
          <kbd>t</kbd> find a file
        </a>
      </span>
    </div>
  );
}

function showPlace({ first, last }: UncoveredPlace): string {
  return first === last ? String(first) : `${first}–${last}`;
}
