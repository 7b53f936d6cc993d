import { type CoverageFile, type FileGroup, MAX_GROUP_STATUSES } from './declaration.ts';

interface Contradiction {
  /** For the value that is to be changed. */
  readonly path: string;
  readonly message: string;
}

/** What no single key says: values that do not go together. */
export function findContradictions(file: CoverageFile): readonly Contradiction[] {
  const groups = file.groups ?? [];
  return [...groups.flatMap(ofGroup), ...sameNames(groups), ...tooManyStatuses(groups), ...withoutBase(file)];
}

/** What a group is called by addresses and in stored results: its id, else its name. */
export function groupId(group: Pick<FileGroup, 'id' | 'name' | 'owner'>): string {
  return group.id ?? slugOf(groupName(group));
}

export function groupName({ name, owner }: Pick<FileGroup, 'name' | 'owner'>): string {
  return name ?? owner ?? '';
}

export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-');
  return plain.replaceAll(/^-|-$/g, '').slice(0, 64) || 'group';
}

const SOURCES = ['paths', 'owner', 'each'] as const;

function ofGroup(group: FileGroup, index: number): readonly Contradiction[] {
  const at = `groups[${index}]`;
  const sources = SOURCES.filter((name) => group[name] !== undefined);
  const found: Contradiction[] = [];
  if (sources.length === 0 && group.flags === undefined)
    found.push({ path: at, message: 'This group has no files. Give it `paths`, `owner`, `each` or `flags`.' });
  if (sources.length > 1)
    found.push({
      path: `${at}.${sources[1]}`,
      message: `A group has its files from one of \`${sources.join('` and `')}\`. Remove the others.`,
    });
  if (group.name === undefined && group.owner === undefined && group.each === undefined)
    found.push({ path: at, message: 'This group has no `name`. Give it one.' });
  if (group.each !== undefined && (group.name ?? '{1}').split('{1}').length !== 2)
    found.push({ path: `${at}.name`, message: 'With `each` the name holds `{1}` once, for what the `*` found.' });
  if (group.each !== undefined && group.id !== undefined)
    found.push({
      path: `${at}.id`,
      message: 'With `each` there are several groups, so that they share no `id`. Remove it.',
    });
  if (group.each !== undefined && group.status === true)
    found.push({
      path: `${at}.status`,
      message: 'With `each` groups have no commit statuses of their own. Remove `status`.',
    });
  return found;
}

/** Names and ids, without regard to case: two groups of one name would share one commit status. */
function sameNames(groups: readonly FileGroup[]): readonly Contradiction[] {
  const seen = new Map<string, number>();
  return groups.flatMap((group, index) => {
    if (group.each !== undefined) return [];
    const names = new Set([groupName(group).toLowerCase(), `id ${groupId(group)}`]);
    const first = [...names].map((name) => seen.get(name)).find((one) => one !== undefined);
    for (const name of names) seen.set(name, index);
    if (first === undefined) return [];
    const path = `groups[${index}].${group.id === undefined ? 'name' : 'id'}`;
    return [
      {
        path,
        message: `Group ${first + 1} of this list has this name already. Give this one another \`name\` or \`id\`.`,
      },
    ];
  });
}

function tooManyStatuses(groups: readonly FileGroup[]): readonly Contradiction[] {
  const withStatus = [...groups.keys()].filter((index) => groups[index]?.status === true);
  const over = withStatus[MAX_GROUP_STATUSES];
  if (over === undefined) return [];
  const message = `${withStatus.length} groups have a commit status of their own. At most ${MAX_GROUP_STATUSES} may.`;
  return [{ path: `groups[${over}].status`, message }];
}

/** `drop` of changed lines is counted from the base's total, so that it needs `minimum: base`. */
function withoutBase(file: CoverageFile): readonly Contradiction[] {
  const rules = [
    ['changes', file.changes],
    ...Object.entries(file.flags ?? {}).map(([name, flag]) => [`flags.${name}.changes`, flag.changes] as const),
    ...(file.groups ?? []).map((group, index) => [`groups[${index}].changes`, group.changes] as const),
  ] as const;
  return rules.flatMap(([path, rule]) =>
    rule?.drop !== undefined && rule.minimum !== 'base'
      ? [
          {
            path: `${path}.drop`,
            message:
              'Changed lines have no `drop` of their own: `minimum: base` allows it. Add that, or remove `drop`.',
          },
        ]
      : [],
  );
}
