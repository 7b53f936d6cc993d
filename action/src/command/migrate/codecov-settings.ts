import { type Document, parseDocument } from 'yaml';
import { asFields, Findings, limitsOf, listOf, ruleOf } from './codecov-findings.ts';
import { translateCodecov } from './coverage-file.ts';
import type { CodecovSettings, Fields } from './file-migration.ts';
import { isPlain, type NoPattern, translatePattern } from './regex-to-globs.ts';

const WHY_NOT = {
  regex:
    'it is a regular expression that no pattern here matches exactly. ' +
    'Name the files that it means in the input exclude of the action.',
  negated:
    'exclude has no exceptions. Name the files that do not count in the input exclude of the action, without this one.',
  braces:
    'Codecov takes its braces or backslashes literally. If they stand for alternatives, write them in the ' +
    'input exclude.',
  blank: 'the input exclude ends a pattern at a blank. Put a ? in its place if that means the same files.',
  fix: 'path-map knows no patterns. Name each beginning of a path in the input path-map of the action.',
} as const;

/** Undefined if it is no YAML map. */
export function readCodecov(text: string): CodecovSettings | undefined {
  const document = parseDocument(text);
  const root = asFields(tryToRead(document));
  if (root === undefined) return undefined;
  const found = new Findings(text, document);
  for (const [key, value] of Object.entries(root)) (READERS[key] ?? unknown(key))(value, found);
  found.file = translateCodecov(root);
  return found;
}

type Reader = (value: unknown, found: Findings) => void;

const unknown =
  (key: string): Reader =>
  (_, found) =>
    void found.withoutEqual.push(key);

const READERS: Readonly<Record<string, Reader>> = {
  coverage: readCoverage,
  comment: readComment,
  ignore: readIgnore,
  fixes: readFixes,
  flags: (value, found) => readFlags('flags', asFields(value) ?? {}, found),
  flag_management: readFlagManagement,
  github_checks: (value, found) => {
    const wanted = value !== false && asFields(value)?.annotations !== false;
    found.set('github_checks.annotations', 'annotations', wanted);
  },
  codecov: readService,
};

function readCoverage(value: unknown, found: Findings): void {
  for (const [key, one] of Object.entries(asFields(value) ?? {})) {
    if (key === 'status') readStatuses(one, found);
    else found.withoutEqual.push(`coverage.${key}`);
  }
}

function readComment(value: unknown, found: Findings): void {
  if (value === false || value === 'off') found.set('comment', 'comment_on_pull_requests', false);
  for (const [key, one] of Object.entries(asFields(value) ?? {})) {
    if (key === 'require_changes' && one === true) found.set('comment.require_changes', 'comment_mode', 'on-change');
    else found.withoutEqual.push(`comment.${key}`);
  }
}

function readIgnore(value: unknown, found: Findings): void {
  const patterns = listOf(value).flatMap((pattern, index) => {
    const translated = translatePattern(pattern);
    if (Array.isArray(translated)) return translated;
    found.note(['ignore', index], patternRefused('ignore', pattern, translated as NoPattern));
    return [];
  });
  if (patterns.length > 0) found.give('ignore', 'exclude', patterns.join(' '));
}

/** `before::after` */
function readFixes(value: unknown, found: Findings): void {
  const moves = listOf(value).flatMap((fix, index) => {
    const [before = '', after = ''] = fix.split('::').map((part) => part.replace(/\/$/, ''));
    if (before !== '' && isPlain(before) && !/[=\n]/.test(before)) return [`${before}=${after}`];
    found.note(['fixes', index], before === '' ? prefixAdded(fix, after) : patternRefused('fixes', fix, 'fix'));
    return [];
  });
  if (moves.length > 0) found.give('fixes', 'path-map', moves.join('\n'));
}

function readFlags(at: string, flags: Fields, found: Findings): void {
  const carried = Object.entries(flags).filter(([, flag]) => asFields(flag)?.carryforward === true);
  if (carried.length > 0)
    found.give(`${at}.<flag>.carryforward`, 'carryforward', carried.map(([name]) => name).join(','));
  for (const [name, flag] of Object.entries(flags))
    for (const key of Object.keys(asFields(flag) ?? {}))
      if (key !== 'carryforward' && key !== 'name') found.withoutEqual.push(`${at}.${name}.${key}`);
}

function readFlagManagement(value: unknown, found: Findings): void {
  const { default_rules: rules, individual_flags: flags, ...others } = asFields(value) ?? {};
  if (asFields(rules)?.carryforward === true)
    found.give('flag_management.default_rules.carryforward', 'carryforward', 'all');
  const named = Array.isArray(flags) ? flags.map((flag) => asFields(flag) ?? {}) : [];
  readFlags('flag_management', Object.fromEntries(named.map((flag) => [String(flag.name ?? ''), flag])), found);
  found.withoutEqual.push(...Object.keys(others).map((key) => `flag_management.${key}`));
}

function readService(value: unknown, found: Findings): void {
  const { branch, notify, ...others } = asFields(value) ?? {};
  if (typeof branch === 'string') found.set('codecov.branch', 'default_branch', branch);
  const { after_n_builds: jobs, ...rest } = asFields(notify) ?? {};
  if (typeof jobs === 'number') found.give('codecov.notify.after_n_builds', 'expected-jobs', String(jobs));
  found.withoutEqual.push(
    ...Object.keys(others).map((key) => `codecov.${key}`),
    ...Object.keys(rest).map((key) => `codecov.notify.${key}`),
  );
}

function tryToRead(document: Document): unknown {
  try {
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch {
    return undefined;
  }
}

/** For a pattern in codecov.yml. */
function patternRefused(key: string, pattern: string, why: keyof typeof WHY_NOT): string {
  return `${key}: ${JSON.stringify(pattern)} is not converted: ${WHY_NOT[why]}`;
}

function prefixAdded(fix: string, folder: string): string {
  return (
    `fixes: ${JSON.stringify(fix)} is not converted: path-map adds no folder to every name. Names of reports are ` +
    `found in the checkout; if some are not, set the input base-path of the action to ${folder}.`
  );
}

const STATUS = 'coverage.status';
const KNOWN_RULE: ReadonlySet<string> = new Set([
  ...['target', 'threshold', 'informational', 'enabled', 'removed_code_behavior'],
]);

/** `coverage.status`: the statuses of builds, flags and changed lines. */
function readStatuses(value: unknown, found: Findings): void {
  const status = asFields(value) ?? {};
  for (const kind of Object.keys(status)) {
    if (kind === 'project') readProject(status.project, found);
    else if (kind === 'patch') readPatch(status.patch, found);
    else if (kind !== 'default_rules') found.withoutEqual.push(`${STATUS}.${kind}`);
  }
}

/** `default` is the build's own status; others are of flags. */
function readProject(value: unknown, found: Findings): void {
  const at = `${STATUS}.project`;
  const { default: own, ...others } = asFields(value) ?? { default: value };
  const rule = ruleOf(own);
  if (rule === undefined) found.set(at, 'send_build_status', false);
  else if (own !== undefined) readBuild(`${at}.default`, rule, found);
  const repoDrop = found.settings.commit_status_fail_change_threshold ?? null;
  const flags = Object.entries(others).flatMap(([name, one]) => {
    const stated = ruleOf(one);
    const of = listOf(stated?.flags);
    if (stated === undefined || of.length === 0) found.withoutEqual.push(`${at}.${name}`);
    return of.map((flag) => ({ flag, ...flagLimits(limitsOf(stated ?? {}), repoDrop !== null) }));
  });
  if (flags.length > 0) found.set(`${at}.<flag>`, 'flag_settings', flags);
}

function readBuild(at: string, rule: Fields, found: Findings): void {
  const { minimum, drop } = limitsOf(rule);
  found.set(`${at}.target`, 'commit_status_fail_threshold', minimum);
  found.set(`${at}.threshold`, 'commit_status_fail_change_threshold', drop);
  if (rule.informational === true) found.set(`${at}.informational`, 'informational', true);
  const removed = rule.removed_code_behavior ?? 'adjust_base';
  // Codecov's default takes removed code out of the base, if the target is the base.
  if (minimum === null && (removed === 'adjust_base' || removed === 'removals_only'))
    found.set(`${at}.removed_code_behavior`, 'ignore_removed_code', true);
  else if (minimum === null && ruleOf(removed) !== undefined) found.withoutEqual.push(`${at}.removed_code_behavior`);
  nameOthers(at, rule, found);
}

/** A flag without an allowed drop has the repo's, which a fixed target must not meet. */
function flagLimits({ minimum, drop }: ReturnType<typeof limitsOf>, repoHasDrop: boolean) {
  if (minimum === null) return { minimum, allowed_drop: drop ?? 0 };
  return { minimum, allowed_drop: repoHasDrop ? 100 : null };
}

function readPatch(value: unknown, found: Findings): void {
  const at = `${STATUS}.patch`;
  const { default: own, ...others } = asFields(value) ?? { default: value };
  const rule = ruleOf(own);
  found.withoutEqual.push(...Object.keys(others).map((name) => `${at}.${name}`));
  found.set(at, 'patch_status', rule !== undefined);
  if (rule === undefined || (own === undefined && Object.keys(others).length > 0)) return;
  const { minimum, drop } = limitsOf(rule);
  // Without a minimum changed lines are shown, and never fail.
  found.set(`${at}.default.target`, 'patch_minimum', rule.informational === true ? null : (minimum ?? 'base'));
  if (minimum === null && drop !== null && drop > 0 && rule.informational !== true)
    found.note(
      ['coverage', 'status', 'patch', 'default', 'threshold'],
      `coverage.status.patch.default.threshold: on Codecov changed lines may be ${drop} points below the base's ` +
        'total. patch_minimum "base" allows none; give a number in its place if that is too strict.',
    );
  nameOthers(`${at}.default`, rule, found);
}

function nameOthers(at: string, rule: Fields, found: Findings): void {
  for (const key of Object.keys(rule)) if (!KNOWN_RULE.has(key)) found.withoutEqual.push(`${at}.${key}`);
}
