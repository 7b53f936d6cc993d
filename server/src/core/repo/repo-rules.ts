import type { ChangesRule, CoverageFile, FileFlag, FileGroup, FileRule } from '@coverage/shared/coverage-file/declared';
import { groupId, groupName } from '@coverage/shared/coverage-file/declared';
import { pathList } from '@coverage/shared/path-patterns';
import type { Timestamp } from '../time.ts';
import type { FlagSettings, PatchMinimum } from './setting.ts';
import { type RepoSettings, SWITCHES_IN_FILE } from './settings.ts';

/** What the server's owner asks of every repo: percent, null if nothing is asked. */
export interface RuleFloors {
  readonly minTotal: number | null;
  readonly minChanges: number | null;
}

export const NO_FLOORS: RuleFloors = { minTotal: null, minChanges: null };

/** A rule for a total: percent and percentage points; both null: no decrease is allowed. */
export interface TotalRule {
  readonly minimum: number | null;
  readonly allowedDrop: number | null;
  readonly informational: boolean;
}

/** A rule for changed lines. `allowedDrop`: below the base's total, with a minimum of `base`. */
export interface LinesRule {
  readonly minimum: PatchMinimum;
  readonly allowedDrop: number;
  readonly informational: boolean;
}

/** Where the files of a group come from. */
export type GroupFiles =
  | { readonly kind: 'paths'; readonly patterns: readonly string[] }
  | { readonly kind: 'each'; readonly pattern: string }
  | { readonly kind: 'owner'; readonly owner: string };

/** One entry of `groups`; with `each` it makes several groups. Undefined rules: a number, and no check. */
export interface GroupRule {
  readonly id: string;
  /** Hostile text. With `each` it holds `{1}`. */
  readonly name: string;
  readonly files: GroupFiles;
  /** Only what the reports of these flags cover; none: all. */
  readonly flags: readonly string[];
  readonly total: TotalRule | undefined;
  readonly changes: LinesRule | undefined;
  /** Its rules decide too where the change touches none of its files. */
  readonly judgesUntouched: boolean;
  /** It has a commit status of its own. */
  readonly hasStatus: boolean;
}

/** What the repo's file says of a flag besides its thresholds. */
export interface FlagRule {
  /** How many uploads it has; undefined if it is not set. */
  readonly uploads: number | undefined;
  /** Patterns in order of the files that count of its reports; undefined: all. */
  readonly paths: readonly string[] | undefined;
  /** For the changed lines, by its reports alone. */
  readonly changes: LinesRule | undefined;
}

/** All that a build is judged by: the settings of its repo, and above them the repo's own file. */
export interface RepoRules {
  /** With what the file says in their words. */
  readonly settings: RepoSettings;
  readonly total: Pick<TotalRule, 'informational'>;
  readonly changes: Omit<LinesRule, 'minimum'>;
  /** Percentage points below the best total of the default branch; undefined: no ratchet. */
  readonly ratchet: number | undefined;
  /** Patterns in order of files that do not count. */
  readonly ignore: readonly string[];
  /** Beginnings of names in reports, and the folders of the repo that they stand for. */
  readonly paths: Readonly<Record<string, string>>;
  /** Flags that builds without them take from earlier ones. */
  readonly carry: readonly string[];
  /** How many uploads a build has; undefined: as many as its run sends. */
  readonly uploads: number | undefined;
  readonly flags: ReadonlyMap<string, FlagRule>;
  readonly elsewhere: 'off' | 'show' | 'fail';
  readonly groups: readonly GroupRule[];
  readonly owners: boolean;
  readonly floors: RuleFloors;
}

export interface RuleSources {
  readonly settings: RepoSettings;
  /** Undefined: the repo has none, or the setting `config_file` is off. */
  readonly file: CoverageFile | undefined;
  readonly floors: RuleFloors;
  readonly at: Timestamp;
  /** The branch that a pull request goes to, or that was pushed; undefined: not known. */
  readonly branch: string | undefined;
}

/** A drop of everything: nothing that was measured falls further. */
const ANY_DROP = 100;

/** The file goes before the settings, key by key; `stricter`: only where it asks for more. Floors hold for both. */
export function effectiveRules({ settings, file: stated, floors, at, branch }: RuleSources): RepoRules {
  const file = settings.configFile === 'stricter' ? stricterFile(settings, stated ?? {}) : (stated ?? {});
  const isJudged = file.branches === undefined || branch === undefined || pathList(file.branches)(branch);
  const informational = !isJudged || (file.informational ?? settings.informational);
  const total = totalRule(file.total, { ...settings, informational }, at);
  const changes = linesRule(file.changes, { minimum: settings.patchMinimum, informational }, at);
  const flags = flagSettings(file, settings, at);
  return {
    settings: {
      ...settings,
      ...Object.fromEntries(SWITCHES_IN_FILE.map(({ name, key }) => [name, file[key] ?? settings[name]])),
      informational,
      minimum: atLeast(total.minimum, floors.minTotal),
      allowedDrop: total.allowedDrop,
      patchMinimum: linesAtLeast(changes.minimum, floors.minChanges),
      flagSettings: flags,
      ...commentSettings(file),
    },
    total,
    changes,
    ratchet: file.total?.ratchet === undefined ? undefined : (file.total.ratchet.tolerance ?? 0),
    ignore: file.ignore ?? [],
    paths: file.paths ?? {},
    carry: Object.entries(file.flags ?? {}).flatMap(([name, { carry }]) => (carry === true ? [name] : [])),
    uploads: typeof file.uploads === 'number' ? file.uploads : undefined,
    flags: new Map(Object.entries(file.flags ?? {}).map(([name, flag]) => [name, flagRule(flag, informational, at)])),
    elsewhere: file.elsewhere ?? 'show',
    groups: (file.groups ?? []).map((group) => groupRule(group, { untouched: file.untouched, informational, at })),
    owners: file.owners === true,
    floors,
  };
}

/** Until its day begins a rule is informational; without a day as it says, else as what stands above it. */
function isInformational(rule: FileRule | ChangesRule | undefined, above: boolean, at: Timestamp): boolean {
  if (above) return true;
  if (rule?.until !== undefined) return at < Date.parse(`${rule.until}T00:00:00Z`);
  return rule?.informational === true;
}

function totalRule(rule: FileRule | undefined, above: TotalRule, at: Timestamp): TotalRule {
  const informational = isInformational(rule, above.informational, at);
  if (rule?.off === true) return { minimum: null, allowedDrop: ANY_DROP, informational };
  return {
    minimum: rule?.minimum ?? above.minimum,
    allowedDrop: rule?.drop ?? above.allowedDrop,
    informational,
  };
}

function linesRule(
  rule: ChangesRule | undefined,
  above: { readonly minimum: PatchMinimum; readonly informational: boolean },
  at: Timestamp,
): LinesRule {
  const informational = isInformational(rule, above.informational, at);
  if (rule?.off === true) return { minimum: null, allowedDrop: 0, informational };
  return { minimum: rule?.minimum ?? above.minimum, allowedDrop: rule?.drop ?? 0, informational };
}

/** A file's rule for a flag, above the repo's own settings for it. */
function flagSettings(file: CoverageFile, settings: RepoSettings, at: Timestamp): readonly FlagSettings[] {
  const stated = new Map(Object.entries(file.flags ?? {}));
  const names = new Set([...settings.flagSettings.map(({ flag }) => flag), ...stated.keys()]);
  return [...names].map((flag) => {
    const known = settings.flagSettings.find((one) => one.flag === flag);
    const none = { minimum: null, allowedDrop: null, informational: false };
    return { flag, ...totalRule(stated.get(flag), known ?? none, at) };
  });
}

function flagRule({ uploads, paths, changes }: FileFlag, informational: boolean, at: Timestamp): FlagRule {
  return { uploads, paths, changes: partRule(changes, informational, at) };
}

/** For the changed lines of a flag or a group; undefined: they are not judged. */
function partRule(rule: ChangesRule | undefined, informational: boolean, at: Timestamp): LinesRule | undefined {
  return rule === undefined || rule.off === true ? undefined : linesRule(rule, { minimum: null, informational }, at);
}

function groupRule(
  group: FileGroup,
  { untouched, informational, at }: { untouched: CoverageFile['untouched']; informational: boolean; at: Timestamp },
): GroupRule {
  const { total, changes, flags = [] } = group;
  const isHint = isInformational(group as FileRule, informational, at);
  const none = { minimum: null, allowedDrop: null, informational: isHint };
  const name = group.name ?? (group.each === undefined ? groupName(group) : '{1}');
  return {
    id: group.each === undefined ? groupId(group) : `each:${group.each}`,
    name,
    files: filesOf(group),
    flags,
    total: total === undefined || total.off === true ? undefined : totalRule(total, none, at),
    changes: partRule(changes, isHint, at),
    judgesUntouched: (group.untouched ?? untouched) === 'judge',
    hasStatus: group.status === true,
  };
}

function filesOf({ paths, each, owner }: FileGroup): GroupFiles {
  if (each !== undefined) return { kind: 'each', pattern: each };
  return owner === undefined ? { kind: 'paths', patterns: paths ?? ['**'] } : { kind: 'owner', owner };
}

function commentSettings({
  comment,
}: CoverageFile): Partial<Pick<RepoSettings, 'commentOnPullRequests' | 'commentMode'>> {
  if (comment === undefined) return {};
  return comment === 'off' ? { commentOnPullRequests: false } : { commentOnPullRequests: true, commentMode: comment };
}

/** What remains of a file that may only ask for more than the settings do. */
function stricterFile(settings: RepoSettings, file: CoverageFile): CoverageFile {
  const { total, changes, flags, groups, owners, comment, elsewhere, uploads } = file;
  const own = new Map(settings.flagSettings.map((one) => [one.flag, one]));
  return {
    ...{ comment, owners, elsewhere, uploads },
    ...Object.fromEntries(
      SWITCHES_IN_FILE.map(({ name, key, inFile }) => [
        key,
        inFile === 'lenient' ? settings[name] && file[key] !== false : file[key],
      ]),
    ),
    total: { ...stricterRule(settings, total), ...(total?.ratchet && { ratchet: total.ratchet }) },
    changes: { minimum: stricterMinimum(settings.patchMinimum, changes) ?? undefined },
    flags: Object.fromEntries(
      Object.entries(flags ?? {}).map(([name, flag]) => [
        name,
        {
          ...stricterRule(own.get(name) ?? { minimum: null, allowedDrop: settings.allowedDrop }, flag),
          ...{ carry: flag.carry, uploads: flag.uploads, changes: flag.changes },
        },
      ]),
    ),
    groups,
  } as CoverageFile;
}

/** With neither a minimum nor a drop the settings allow no decrease, which a minimum alone would lift. */
function stricterRule(
  { minimum, allowedDrop }: Pick<TotalRule, 'minimum' | 'allowedDrop'>,
  rule: FileRule | undefined,
): Pick<FileRule, 'minimum' | 'drop'> {
  if (rule?.off === true || (rule?.minimum === undefined && rule?.drop === undefined)) return {};
  const min = allowedDrop ?? (minimum === null ? 0 : undefined);
  const drops = [min, rule.drop].filter((one) => one !== undefined);
  return {
    ...(rule.minimum !== undefined && { minimum: Math.max(rule.minimum, minimum ?? 0) }),
    ...(drops.length > 0 && { drop: Math.min(...drops) }),
  };
}

/** A number and the base's total cannot be compared beforehand: the settings' own stays. */
function stricterMinimum(minimum: PatchMinimum, rule: ChangesRule | undefined): PatchMinimum {
  if (rule === undefined || rule.off === true || rule.minimum === undefined) return minimum;
  if (minimum === null) return rule.minimum;
  return minimum === 'base' || rule.minimum === 'base' ? minimum : Math.max(minimum, rule.minimum);
}

function atLeast(minimum: number | null, floor: number | null): number | null {
  return floor === null ? minimum : Math.max(minimum ?? 0, floor);
}

function linesAtLeast(minimum: PatchMinimum, floor: number | null): PatchMinimum {
  return minimum === 'base' ? minimum : atLeast(minimum, floor);
}
