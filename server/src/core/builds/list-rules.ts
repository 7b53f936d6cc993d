import { type CoverageFile, groupId } from '@coverage/shared/coverage-file/declared';
import { showLimit } from '../coverage/percent.ts';
import { effectiveRules, type RuleSources } from '../repo/repo-rules.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings, type SettingName, SWITCHES_IN_FILE } from '../repo/settings.ts';
import {
  type JudgedRules,
  MAX_CHANGED_RULES,
  MAX_RULE_VALUES,
  type RulesProposal,
  type RuleValue,
} from './judged-rules.ts';

/** The keys of the file that have their like in the settings. */
const OF_SETTINGS: Readonly<Record<string, SettingName>> = {
  'total.minimum': 'minimum',
  'total.drop': 'allowedDrop',
  'changes.minimum': 'patchMinimum',
  comment: 'commentMode',
  ...Object.fromEntries(SWITCHES_IN_FILE.map(({ name, key }) => [key, name])),
};

/** What the settings say in the words of the file. */
function readAs(name: SettingName, settings: RepoSettings): string {
  return show(name === 'commentMode' && !settings.commentOnPullRequests ? 'off' : settings[name]);
}

/** The rules that decide in place of settings, by these: what the repo's own file or the server says. */
export function rulesOfSettings(values: readonly RuleValue[]): ReadonlyMap<SettingName, RuleValue> {
  return new Map(
    values.flatMap((value) => {
      const name = OF_SETTINGS[value.key];
      return name === undefined || !['file', 'server'].includes(value.from) ? [] : [[name, value] as const];
    }),
  );
}

/** The value of a rule that nothing states. */
export const NOT_SET = 'not set';

/** What holds without a word. */
const DEFAULTS: Readonly<Record<string, string>> = { elsewhere: 'show', untouched: 'pass', uploads: 'run' };

/** Every rule that is in force, with its source. `lines`: where each is in the file. */
export function listRules(sources: RuleSources, lines: ReadonlyMap<string, number> = new Map()): readonly RuleValue[] {
  const { settings, file = {}, floors } = sources;
  const isStricter = settings.configFile === 'stricter';
  const { settings: effective } = effectiveRules(sources);
  const stated = new Map(flatten(file));
  const known = Object.entries(OF_SETTINGS).map(([key, name]): RuleValue => {
    const value = readAs(name, effective);
    const floor = { 'total.minimum': floors.minTotal, 'changes.minimum': floors.minChanges }[key] ?? null;
    const isOfFile = stated.has(key) && (!isStricter || readAs(name, settings) !== value);
    if (floor !== null && value === showLimit(floor) && stated.get(key)?.value !== value)
      return { key, value, from: 'server' };
    if (isOfFile) return { key, value, from: 'file', ...lineOf(lines, stated.get(key)?.path) };
    return { key, value, from: readAs(name, DEFAULT_REPO_SETTINGS) === value ? 'default' : 'settings' };
  });
  const names = new Set(known.map(({ key }) => key));
  const ofFile = [...stated].flatMap(([key, { value, path }]): readonly RuleValue[] =>
    names.has(key) || key === 'version' ? [] : [{ key, value, from: 'file', ...lineOf(lines, path) }],
  );
  const defaults = Object.entries(DEFAULTS).flatMap(([key, value]): readonly RuleValue[] =>
    stated.has(key) ? [] : [{ key, value, from: 'default' }],
  );
  return [...known, ...ofFile, ...defaults].slice(0, MAX_RULE_VALUES);
}

/** What another file would change of the values, in the order of the keys. */
export function compareRules(
  before: readonly RuleValue[],
  after: readonly RuleValue[],
): Pick<RulesProposal, 'changes' | 'more'> {
  const [was, is] = [before, after].map((values) => new Map(values.map(({ key, value }) => [key, value])));
  const keys = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const changes = keys
    .map((key) => ({ key, from: was?.get(key), to: is?.get(key) }))
    .filter(({ from, to }) => from !== to);
  return { changes: changes.slice(0, MAX_CHANGED_RULES), more: Math.max(0, changes.length - MAX_CHANGED_RULES) };
}

/** Whether two builds were made of the same files by the same names, by what was in force for each. */
export function saysSameFiles(one: JudgedRules | undefined, other: JudgedRules | undefined): boolean {
  const [ofOne, ofOther] = [one, other].map((rules) => {
    const values = (rules?.values ?? []).filter(({ key }) => key === 'ignore' || key.startsWith('paths.'));
    return JSON.stringify(values.map(({ key, value }) => [key, value]));
  });
  return ofOne === ofOther;
}

function lineOf(lines: ReadonlyMap<string, number>, path: string | undefined): { readonly line?: number } {
  const line = path === undefined ? undefined : lines.get(path);
  return line === undefined ? {} : { line };
}

/** Leaves by their keys. A group's are named by its id, so that its place in the list is no change. */
function* flatten(file: CoverageFile): Generator<readonly [string, { readonly value: string; readonly path: string }]> {
  for (const [key, value] of Object.entries(file)) {
    if (key === 'groups') {
      for (const [index, group] of (file.groups ?? []).entries()) {
        const name = group.each === undefined ? groupId(group) : `each:${group.each}`;
        yield* leaves(group, `groups.${name}`, `groups[${index}]`);
      }
    } else yield* leaves(value, key, key);
  }
}

function* leaves(
  value: unknown,
  key: string,
  path: string,
): Generator<readonly [string, { readonly value: string; readonly path: string }]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) yield [key, { value: show(value), path }];
  else for (const [name, inner] of Object.entries(value)) yield* leaves(inner, `${key}.${name}`, `${path}.${name}`);
}

function show(value: unknown): string {
  if (value === null || value === undefined) return NOT_SET;
  if (typeof value === 'number') return showLimit(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}
