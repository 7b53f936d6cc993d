import type { NamedGroup } from '../builds/build.ts';
import { quoteValue } from '../failure.ts';
import { statusText } from '../printable.ts';
import type { StatusNames } from '../repo/setting.ts';

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
