import type { Build, OpenedContext } from '../builds/build.ts';
import type { StatusNames } from '../repo/setting.ts';
import type { Timestamp } from '../time.ts';
import { nameContext, type StatusPlace } from './status-names.ts';

/** The names in force, and those before renames that an open pull request continues to get until it closes. */
export interface ContextNames {
  readonly names: StatusNames;
  readonly formerNames: readonly StatusNames[];
}

/**
 * The contexts of one place of a build. An opened context keeps its text (rule 22); after a rename an open pull request
 * has each under all its names, since its branch's protection may ask for any.
 */
export function contextsOf(
  build: Build,
  { names, formerNames }: ContextNames,
): (place: StatusPlace) => readonly OpenedContext[] {
  const opened = Map.groupBy(build.openedContexts, (one) => placeKey(placeOf(one)));
  return (place) => {
    const before = opened.get(placeKey(place)) ?? [];
    if (formerNames.length === 0 && before.length > 0) return before;
    return distinctContexts([...before, ...[names, ...formerNames].map((one) => toContext(one, place))]);
  };
}

/**
 * Whether a build shows that its pull request was open before its repo's contexts were renamed, or still has the
 * names of then.
 */
export function hadFormerNames(
  build: Pick<Build, 'createdAt' | 'openedContexts' | 'facts'>,
  renamed: { readonly names: StatusNames; readonly formerNames: StatusNames; readonly at: Timestamp },
): boolean {
  const openSince = build.facts?.pull?.openedAt ?? build.createdAt;
  if (Math.min(openSince, build.createdAt) < renamed.at) return true;
  return build.openedContexts.some((opened) => {
    const [text, former] = [renamed.names, renamed.formerNames].map((names) =>
      nameContext(names, placeOf(opened)).toLowerCase(),
    );
    return former !== text && opened.context.toLowerCase() === former;
  });
}

/** Each text once, the first of several: GitHub ignores case. */
export function distinctContexts(contexts: readonly OpenedContext[]): readonly OpenedContext[] {
  const byText = new Map<string, OpenedContext>();
  for (const one of contexts) if (!byText.has(one.context.toLowerCase())) byText.set(one.context.toLowerCase(), one);
  return [...byText.values()];
}

function toContext(names: StatusNames, place: StatusPlace): OpenedContext {
  const context = nameContext(names, place);
  if (place === 'patch') return { context, flag: undefined, patch: true };
  if (place === 'build') return { context, flag: undefined };
  return 'flag' in place ? { context, flag: place.flag } : { context, flag: undefined, group: place.group };
}

/** Flags equal except for case share their contexts (rule 22). */
function placeKey(place: StatusPlace): string {
  if (typeof place === 'string') return place;
  return 'flag' in place ? `flag ${place.flag.toLowerCase()}` : `group ${place.group.id}`;
}

/** What a context is about. */
export function placeOf({ flag, patch, group }: OpenedContext): StatusPlace {
  if (patch === true) return 'patch';
  if (group !== undefined) return { group };
  return flag === undefined ? 'build' : { flag };
}
