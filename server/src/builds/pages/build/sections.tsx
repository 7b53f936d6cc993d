import type { VNode } from 'preact';
import { Count, grouped } from '../../../platform/web/page-parts.tsx';
import type { Part } from '../../../platform/web/render-parts.tsx';

/** A part of a long page, which the list at its top leads to. */
export interface Section {
  readonly id: string;
  readonly name: string;
  readonly count?: number | undefined;
  /** The heading leaves the number out, since what is beside it says more. */
  readonly countBeside?: true;
  /** Beside the heading. */
  readonly aside?: VNode | undefined;
  /** Begins with a heading of its own. */
  readonly hasHeading?: true;
  readonly parts: Iterable<Part>;
}

export function* sectionParts({ id, name, count, countBeside, aside, hasHeading, parts }: Section): Generator<Part> {
  yield { tags: `<section id="${id}">` };
  yield !hasHeading && (
    <div class="head">
      <h2>
        {name}
        {count !== undefined && !countBeside && <Count of={count} />}
      </h2>
      {aside}
    </div>
  );
  yield* parts;
  yield { tags: '</section>' };
}

/** The sections of the page, by name. */
export function JumpList(props: {
  readonly sections: readonly Section[];
  readonly files: { readonly href: string; readonly count: number } | undefined;
  /** Where the whole change is shown; undefined: the build is of no pull request. */
  readonly review: string | undefined;
}): VNode {
  const { sections, files, review } = props;
  return (
    <nav class="jump" aria-label="Sections of this page">
      <ul>
        {sections.map(({ id, name, count }, index) => (
          <li>
            <a href={`#${id}`} {...(index === 0 && { 'aria-current': 'true' as const })}>
              {name}
              {count !== undefined && <Count of={count} />}
            </a>
          </li>
        ))}
        {review !== undefined && (
          <li class="out">
            <a href={review}>Review the whole change →</a>
          </li>
        )}
        {files !== undefined && files.count > 0 && (
          <li class={review === undefined ? 'out' : undefined}>
            <a href={files.href} data-files>
              {files.count === 1 ? 'The file' : `All ${grouped(files.count)} files`} →
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
