import { asFields, type Findings, listOf } from './codecov-findings.ts';
import type { Fields } from './file-migration.ts';

const STATUS = 'coverage.status';
const KNOWN_RULE: ReadonlySet<string> = new Set([
  ...['target', 'threshold', 'informational', 'enabled', 'removed_code_behavior'],
]);

/** `coverage.status`: the statuses of builds, flags and changed lines. */
export function readStatuses(value: unknown, found: Findings): void {
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

/** Undefined where it is off. `off` and `no` are texts in YAML 1.2. */
function ruleOf(value: unknown): Fields | undefined {
  if (value === false || /^(?:off|no)$/i.test(String(value)) || asFields(value)?.enabled === false) return undefined;
  return asFields(value) ?? {};
}

/**
 * A fixed target is met at the target less the threshold, whatever the base has. With `auto`, the default, the target
 * is the base's total, and the threshold what it may fall by.
 */
function limitsOf(rule: Fields): { readonly minimum: number | null; readonly drop: number | null } {
  const [target, threshold] = [percentOf(rule.target), percentOf(rule.threshold)];
  if (target === null) return { minimum: null, drop: threshold };
  return { minimum: Math.max(0, Number((target - (threshold ?? 0)).toFixed(10))), drop: null };
}

function percentOf(value: unknown): number | null {
  const number = Number.parseFloat(String(value ?? '').replace('%', ''));
  return Number.isFinite(number) && number >= 0 && number <= 100 ? number : null;
}
