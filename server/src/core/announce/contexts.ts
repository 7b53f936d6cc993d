import type { Build, NamedGroup, OpenedContext } from '../builds/build.ts';
import { quoteValue } from '../failure.ts';
import { statusText } from '../printable.ts';
import type { StatusNames } from '../repo/setting.ts';
import type { Timestamp } from '../time.ts';

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

/** Stands for the flag's name in the template of flags. */
const FLAG = '<flag>';

/** For a template. With a flag's name a context stays below GitHub's 255. */
const MAX_STATUS_NAME = 100;
const MAX_FLAG_NAME = 100;

/** Names that other services use, so that a repo that moves here needs no change of its branch protection. */
export const STATUS_NAME_SETS = {
  coveralls: { build: 'coverage/coveralls', flag: 'Coveralls - <flag>', patch: 'coverage/coveralls/patch' },
  codecov: { build: 'codecov/project', flag: 'codecov/project/<flag>', patch: 'codecov/patch' },
} as const satisfies Readonly<Record<string, StatusNames>>;

/** What a context is about: the build, the lines that it changed, one of its flags or groups of files. */
export type StatusPlace = 'build' | 'patch' | { readonly flag: string } | { readonly group: NamedGroup };

/** Rule 22: the names of a repo that states none; the word is the server's STATUS_CONTEXT. */
export function serverStatusNames(word: string): StatusNames {
  return { build: word, flag: `${word} (${FLAG})`, patch: `${word}/patch` };
}

/**
 * The name of the check run, by the word of the server's commit statuses; none of the server's own contexts is called
 * so.
 */
export function checkName(contextWord: string): string {
  return `${contextWord} annotations`;
}

/** The text of a context. Flags come from uploads: hostile (rule 26). */
export function nameContext(names: StatusNames, place: StatusPlace): string {
  if (typeof place === 'string') return names[place];
  const name = 'flag' in place ? place.flag : place.group.name;
  return names.flag.replace(FLAG, () => statusText(name, MAX_FLAG_NAME));
}

/** What is wrong with a value that is meant to be StatusNames, one text each; none: it is StatusNames. */
export function findStatusNamesProblems(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`must be {"build", "flag", "patch"}, not ${quoteValue(value)}`];
  const { build, flag, patch, ...others } = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(others).map((name) => `${quoteValue(name, 40)} is unknown (known: build, flag, patch)`);
  const problems = Object.entries({ build, flag, patch }).flatMap(([name, template]) =>
    findTemplateProblems(name, template),
  );
  if (unknown.length + problems.length > 0) return [...unknown, ...problems];
  // GitHub ignores case: two equal names would be one context, on which two verdicts fight.
  const distinct = new Set([build, flag, patch].map((template) => String(template).toLowerCase()));
  return distinct.size === 3 ? [] : ['build, flag and patch must differ by more than case'];
}

function findTemplateProblems(name: string, template: unknown): readonly string[] {
  if (typeof template !== 'string' || template === '') return [`${name} must be a text, not ${quoteValue(template)}`];
  if ([...template].length > MAX_STATUS_NAME) return [`${name} is longer than ${MAX_STATUS_NAME} characters`];
  const problems: string[] = [];
  if (statusText(template, MAX_STATUS_NAME) !== template)
    problems.push(`${name} must be printable, without emoji or blanks around it: ${quoteValue(template)}`);
  const places = template.split(FLAG).length - 1;
  if (name === 'flag' && places !== 1) problems.push(`flag must hold ${FLAG} exactly once: ${quoteValue(template)}`);
  if (name !== 'flag' && places > 0) problems.push(`${name} must not hold ${FLAG}: ${quoteValue(template)}`);
  return problems;
}
