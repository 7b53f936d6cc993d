import type { Setting, Values } from './setting.ts';

/**
 * What a repo's owner may set (api.md "Repos"). One whose default is undefined may be left open: then the server or the
 * git host says.
 */
export const SETTINGS = {
  commentOnPullRequests: { key: 'comment_on_pull_requests', kind: 'switch', default: true, setAt: 'repo' },
  sendBuildStatus: {
    key: 'send_build_status',
    /** As the documented update answer names it (api.md "Repos"). */
    alias: 'use_status',
    kind: 'switch',
    default: true,
    setAt: 'repo',
    label: 'Send commit statuses',
  },
  /** Minimum total, in percent. */
  minimum: {
    key: 'commit_status_fail_threshold',
    kind: 'limit',
    default: null,
    setAt: 'repo',
    label: 'Minimum',
    unit: '%',
    help: 'The total of every build.',
    input: 'minimum',
  },
  /** Largest allowed drop, in percentage points. */
  allowedDrop: {
    key: 'commit_status_fail_change_threshold',
    kind: 'limit',
    default: null,
    setAt: 'repo',
    label: 'Allowed drop',
    unit: 'points',
    help: 'From the base, for the total and each flag.',
    input: 'allowed_drop',
  },
  /** Whether changed lines get a commit status of their own (rule 22). */
  patchStatus: {
    key: 'patch_status',
    kind: 'switch',
    default: false,
    label: 'Separate status for changed lines',
    help: 'Always there if changed lines have a minimum.',
  },
  /** Minimum of the coverage of changed lines, in percent. */
  patchMinimum: {
    key: 'patch_minimum',
    kind: 'limit-or-base',
    default: null,
    label: 'Changed lines',
    unit: '% at least',
    help: 'A separate check. Write base for the total of the base build.',
  },
  /** Undefined: the server's (rule 13). */
  quietPeriod: {
    key: 'quiet_period',
    kind: 'duration',
    default: undefined,
    label: 'Finish a build after',
    open: 'server default',
    help: 'The time without a new job, such as 45s, 30m or 2h.',
  },
  /** Flags that are expected; undefined: learned from the base (rule 13). */
  expectedFlags: {
    key: 'expected_flags',
    kind: 'flags',
    default: undefined,
    label: 'Expected flags',
    help:
      'One per line. A build that closes at its deadline without them is incomplete. ' +
      'If this is empty, they are learned from the base.',
  },
  /** What single flags are judged by; one that is not named is judged as the repo. */
  flagSettings: { key: 'flag_settings', kind: 'flag-settings', default: [] },
  /** The names of contexts; undefined: by the server's STATUS_CONTEXT. */
  statusNames: { key: 'status_names', kind: 'status-names', default: undefined },
  /** What the build's own context says; undefined: as its git host requires statuses. */
  coverageStatus: {
    key: 'coverage_status',
    kind: 'choice',
    choices: { total: 'Only the total', overall: 'All checks together' },
    default: undefined,
    label: 'The status of the build stands for',
    open: 'Default of the git host',
    help: 'With all checks together, one required status is enough.',
  },
  /**
   * The names before each change, the last first, at most MAX_FORMER_NAMES: pull requests that were open then get both
   * until they close.
   */
  formerStatusNames: { key: 'former_status_names', kind: 'former-names', default: [], setAt: 'nowhere' },
  /** The default branch by the repo's own setting; undefined: the provider's, else `main`, `master` (rule 18). */
  defaultBranch: { key: 'default_branch', kind: 'branch', default: undefined, label: 'Default branch' },
  /** Undefined: the provider's where known, else private (rule 30). */
  visibility: {
    key: 'visibility',
    kind: 'choice',
    choices: { private: 'Private', public: 'Public' },
    default: undefined,
    label: 'Visibility',
    open: 'Same as at the git host, or private if unknown',
  },
  /** Whether runs without secrets may upload (rule 29); undefined: where the repo is public. */
  acceptForks: {
    key: 'accept_forks',
    kind: 'switch',
    default: undefined,
    label: 'Uploads from forks, without a secret',
    open: 'Only if the repo is public',
    on: 'Accept, marked as unverified',
    off: 'Reject',
  },
  /** How many days builds are kept, and how many builds; undefined: as the server keeps them. */
  retentionDays: {
    key: 'retention_days',
    kind: 'count',
    of: 'days',
    max: 36_500,
    default: undefined,
    label: 'Keep builds for (days)',
    open: 'server default',
    help: 'The newest build of each branch, and the bases of open pull requests, are always kept.',
  },
  retentionBuilds: {
    key: 'retention_builds',
    kind: 'count',
    of: 'builds',
    max: 10_000_000,
    default: undefined,
    label: 'Keep at most (builds)',
    open: 'server default',
  },
  /**
   * Whether uncovered changed lines of pull requests are marked beside the code; only where the server signs in as a
   * GitHub App.
   */
  annotations: {
    key: 'annotations',
    kind: 'switch',
    default: false,
    inFile: 'neutral',
    label: 'Mark missed changed lines beside the code',
    help: 'With a check run that never fails.',
  },
  /**
   * `on-change`: no comment while coverage is unchanged and every check passes; `on-missed`: none while every changed
   * line is covered and every check passes.
   */
  commentMode: {
    key: 'comment_mode',
    kind: 'choice',
    choices: {
      always: 'Always',
      'on-change': 'When coverage changes or a check fails',
      'on-drop': 'When coverage falls or a check fails',
      'on-missed': 'When changed lines are missed or a check fails',
    },
    default: 'always',
  },
  /**
   * Whether the repo's own file (coverage.yml) goes before these settings; `stricter`: only where it asks for more. Of
   * repos that were made before there was such a file: off.
   */
  configFile: {
    key: 'config_file',
    kind: 'choice',
    choices: { on: 'Overrides these settings', stricter: 'Only if it is stricter', off: 'Not read' },
    default: 'on',
    label: 'coverage.yml',
    help: 'The file in the repo, read at the base of each change.',
  },
  /** The last time that the ratchet was lowered by hand; undefined: never. */
  ratchetReset: { key: 'ratchet_reset', kind: 'ratchet-reset', default: undefined, setAt: 'nowhere' },
  /** Verdicts are shown, and no status ever fails. */
  informational: {
    key: 'informational',
    kind: 'switch',
    default: false,
    inFile: 'lenient',
    label: 'Informational',
    help: 'Say what would fail, but always succeed.',
  },
  /** Removed code alone does not fail a build. */
  ignoreRemovedCode: {
    key: 'ignore_removed_code',
    kind: 'switch',
    default: false,
    inFile: 'lenient',
    label: 'Don’t fail when coverage only fell because code was removed',
  },
  /** Loss in files that the change does not touch does not fail a build by itself. */
  ignoreUntouchedFiles: {
    key: 'ignore_untouched_files',
    kind: 'switch',
    default: false,
    inFile: 'lenient',
    label: 'Don’t fail when coverage only fell in files the change doesn’t touch',
  },
  /** Lines that flip without a change of their text do not fail a build by themselves. */
  ignoreUnstableLines: {
    key: 'ignore_unstable_lines',
    kind: 'switch',
    default: false,
    inFile: 'lenient',
    label: 'Don’t fail when coverage only fell in lines that flip without a change',
    help: 'Applies once the branch has 50 recorded builds, to at most as many lines as usually flip at once.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

/** The parts of the settings page that are saved by themselves, each with its settings as the page shows them. */
export const SECTIONS = {
  thresholds: [
    'minimum',
    'allowedDrop',
    'patchMinimum',
    'ignoreRemovedCode',
    'ignoreUntouchedFiles',
    'ignoreUnstableLines',
  ],
  statuses: ['sendBuildStatus', 'informational', 'patchStatus', 'coverageStatus', 'statusNames'],
  comment: ['commentOnPullRequests', 'commentMode', 'annotations'],
  builds: [
    'configFile',
    'expectedFlags',
    'defaultBranch',
    'quietPeriod',
    'retentionDays',
    'retentionBuilds',
    'visibility',
    'acceptForks',
  ],
  flags: ['flagSettings'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

export type SettingsSection = keyof typeof SECTIONS;

type ValueOf<One> = One extends { readonly choices: infer Choices }
  ? keyof Choices
  : One extends { readonly kind: infer Kind extends keyof Values }
    ? Values[Kind]
    : never;

export type RepoSettings = {
  readonly [Name in SettingName]:
    | ValueOf<(typeof SETTINGS)[Name]>
    | Extract<(typeof SETTINGS)[Name]['default'], undefined>;
};

export type NamedSetting = Setting & { readonly name: SettingName };

export const ALL_SETTINGS = Object.entries<Setting>(SETTINGS).map(([name, setting]) => ({
  name,
  ...setting,
})) as readonly NamedSetting[];

export const settingsOf = (section: SettingsSection): readonly NamedSetting[] =>
  SECTIONS[section].map((name) => ({ name, ...SETTINGS[name] }));

type InFile = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly inFile: string } ? Name : never;
}[SettingName];

/** Switches that the repo's own file may say too. */
export const SWITCHES_IN_FILE = Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) =>
  setting.kind === 'switch' && setting.inFile !== undefined ? [{ name, key: setting.key, inFile: setting.inFile }] : [],
) as readonly {
  readonly name: InFile;
  readonly key: (typeof SETTINGS)[InFile]['key'];
  readonly inFile: 'lenient' | 'neutral';
}[];

export const DEFAULT_REPO_SETTINGS = Object.fromEntries(
  ALL_SETTINGS.map(({ name, default: value }) => [name, value]),
) as unknown as RepoSettings;
