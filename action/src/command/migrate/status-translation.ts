import { type CoverageFile, type FileGroup, type FileRule, groupId } from '@coverage/shared/coverage-file';
import { asFields, type Limits, limitsOf, listOf, ruleOf } from './codecov-findings.ts';
import type { Fields } from './file-migration.ts';
import { translatePattern } from './regex-to-globs.ts';

type Written<Value> = { -readonly [Name in keyof Value]: Value[Name] };
type WrittenRule = Written<FileRule>;
interface WrittenGroup extends Omit<Written<FileGroup>, 'total' | 'changes'> {
  total?: WrittenRule;
  changes?: Written<NonNullable<FileGroup['changes']>>;
}

/** Decide nothing here: the run's end is known, numbers have two decimals, and the file of the base is the one read. */
export const DROPPED: ReadonlySet<string> = new Set(
  (
    'precision round range behavior layout require_base require_head require_ci_to_pass wait_for_ci if_ci_failed ' +
    'if_no_uploads if_not_found only_pulls base ci token max_report_age strict_yaml_branch bot url slug ' +
    'disable_default_path_fixes manual_trigger notify_error delay notify no_upload_behavior default_rules ' +
    'show_carryforward_flags hide_project_coverage hide_comment_details show_critical_paths joined required ' +
    'measurement include_changes disable_approx carryforward_behavior flag_coverage_not_uploaded_behavior ' +
    'skip_if_assumes assume name archive uploads ui allow_coverage_offsets against cli'
  ).split(' '),
);

/** The statuses of a codecov.yml as rules: of the total, of changed lines, of flags and of groups. */
export class StatusTranslation {
  protected readonly file: Written<Omit<CoverageFile, 'groups' | 'flags' | 'total' | 'changes'>> & {
    total?: WrittenRule;
    changes?: WrittenGroup['changes'];
    flags?: Record<string, Written<NonNullable<CoverageFile['flags']>[string]>>;
    groups?: WrittenGroup[];
  } = {};
  protected readonly dropped: string[] = [];
  protected readonly withoutEqual: string[] = [];
  protected readonly notes: string[] = [];

  protected other(path: string, key: string): void {
    (DROPPED.has(key) ? this.dropped : this.withoutEqual).push(`${path}.${key}`);
  }

  protected readStatuses(status: Fields): void {
    for (const [kind, value] of Object.entries(status)) {
      if (kind === 'project' || kind === 'patch') this.#readKind(kind, value);
      else if (kind === 'changes') {
        if (ruleOf(value) !== undefined && value !== null) this.file.elsewhere = 'fail';
      } else this.other('coverage.status', kind);
    }
  }

  #readKind(kind: 'project' | 'patch', value: unknown): void {
    const at = `coverage.status.${kind}`;
    const named = Object.entries(asFields(value) ?? { default: value });
    const whole = named.find(([name]) => name === 'default') ?? named.find(([, one]) => isOfWhole(one));
    for (const [name, one] of named) {
      const rule = ruleOf(one);
      if (name === whole?.[0]) this.#setWhole(kind, rule, `${at}.${name}`);
      else if (rule !== undefined) this.#readNamed(kind, { name, rule, at: `${at}.${name}` });
      this.#readOthers(`${at}.${name}`, rule ?? {});
    }
  }

  #setWhole(kind: 'project' | 'patch', rule: Fields | undefined, at: string): void {
    const branches = listOf(rule?.branches).flatMap((one) => (/^[\w./*-]+$/.test(one) ? [one] : []));
    if (branches.length > 0) this.file.branches = [...new Set([...(this.file.branches ?? []), ...branches])];
    if (kind === 'patch') {
      this.file.changes = rule === undefined ? { off: true } : this.changesRule(rule, at);
      return;
    }
    this.file.total = rule === undefined ? { off: true } : this.totalRule(rule, at);
    const removed = String(rule?.removed_code_behavior ?? 'adjust_base');
    const forgives = removed === 'adjust_base' || removed === 'removals_only';
    if (this.file.total.drop !== undefined && forgives) this.file.ignore_removed_code = true;
    else if (!forgives && ruleOf(rule?.removed_code_behavior) !== undefined)
      this.withoutEqual.push(`${at}.removed_code_behavior`);
  }

  protected totalRule(rule: Fields, at: string): WrittenRule {
    const limits = limitsOf(rule);
    if (neverFails(limits)) {
      this.notes.push(`${at}: this never failed on Codecov, so it is off here. Set a limit that can fail.`);
      return { off: true };
    }
    const { minimum, drop } = limits;
    return { ...(minimum === null ? { drop: drop ?? 0 } : { minimum }), ...informationalOf(rule) };
  }

  protected changesRule(rule: Fields, at: string): NonNullable<WrittenGroup['changes']> {
    const limits = limitsOf(rule);
    if (neverFails(limits)) {
      this.notes.push(`${at}: this never failed on Codecov, so it is off here. Set a limit that can fail.`);
      return { off: true };
    }
    const { minimum, drop } = limits;
    const auto = drop === null || drop === 0 ? { minimum: 'base' as const } : { minimum: 'base' as const, drop };
    return { ...(minimum === null ? auto : { minimum }), ...informationalOf(rule) };
  }

  /** With flags alone they are flags here; with paths a group of that name. */
  #readNamed(kind: 'project' | 'patch', { name, rule, at }: { name: string; rule: Fields; at: string }): void {
    const [flags, paths] = [listOf(rule.flags), listOf(rule.paths)];
    if (paths.length === 0 && flags.length > 0) {
      for (const flag of flags) this.ruleFlag(flag, kind, rule, at);
      return;
    }
    const group = this.groupOf(name, {
      paths: paths.length > 0 ? this.patterns(`${at}.paths`, paths) : ['**'],
      flags,
    });
    if (kind === 'project') group.total = this.totalRule(rule, at);
    else group.changes = this.changesRule(rule, at);
  }

  protected ruleFlag(flag: string, kind: 'project' | 'patch', rule: Fields, at: string): void {
    const known = this.flag(flag);
    if (kind === 'project') Object.assign(known, this.totalRule(rule, at));
    else known.changes = this.changesRule(rule, at);
  }

  protected flag(name: string) {
    this.file.flags ??= {};
    this.file.flags[name] ??= {};
    return this.file.flags[name] as Written<NonNullable<CoverageFile['flags']>[string]>;
  }

  /** The one with this name. Its rules for the total and for changed lines may be in two places. */
  protected groupOf(
    name: string,
    { paths, flags }: { readonly paths: readonly string[]; readonly flags: readonly string[] },
  ): WrittenGroup {
    this.file.groups ??= [];
    const { groups } = this.file;
    const plain = [...name].slice(0, 60).join('');
    const same = groups.find((one) => one.name?.toLowerCase() === plain.toLowerCase());
    if (same !== undefined) return same;
    const group: WrittenGroup = { name: plain, paths, ...(flags.length > 0 && { flags }) };
    for (let count = 2; groups.some((one) => groupId(one) === groupId(group)); count += 1)
      group.id = `${groupId({ name: plain })}-${count}`;
    groups.push(group);
    return group;
  }

  /** What a rule says beside its limits. */
  #readOthers(at: string, rule: Fields): void {
    for (const key of Object.keys(rule)) if (!KNOWN_RULE.has(key)) this.other(at, key);
  }

  protected patterns(at: string, stated: readonly string[]): readonly string[] {
    const found = stated.flatMap((pattern) => {
      const isException = pattern.startsWith('!');
      const translated = toPatterns(isException ? pattern.slice(1) : pattern);
      if (translated === undefined)
        this.notes.push(
          `${at}: ${JSON.stringify(pattern)} is not converted: no pattern here matches exactly the same.`,
        );
      return (translated ?? []).map((one) => ({ pattern: isException ? `!${one}` : one, isException }));
    });
    return found.toSorted((a, b) => Number(a.isException) - Number(b.isException)).map(({ pattern }) => pattern);
  }
}

const KNOWN_RULE: ReadonlySet<string> = new Set(
  'target threshold informational enabled removed_code_behavior flags paths branches'.split(' '),
);

/** Neither flags nor paths: of the whole. */
function isOfWhole(value: unknown): boolean {
  const rule = ruleOf(value);
  return rule !== undefined && listOf(rule.flags).length === 0 && listOf(rule.paths).length === 0;
}

function informationalOf(rule: Fields): { readonly informational?: true } {
  return rule.informational === true ? { informational: true } : {};
}

/** A minimum of nothing, or a drop of everything. */
function neverFails({ minimum, drop }: Limits): boolean {
  return minimum === null ? drop !== null && drop >= 100 : minimum <= 1;
}

/** In a list, blanks are no end of a pattern; braces stand for themselves there. */
export function toPatterns(stated: string): readonly string[] | undefined {
  const braces = stated.replaceAll('{', '[{]');
  const translated = translatePattern(/\s/.test(stated) ? stated.replaceAll(/\s/g, '?') : stated);
  if (translated === 'braces') return /[\\]/.test(stated) ? undefined : [braces];
  return Array.isArray(translated) ? (translated as readonly string[]) : undefined;
}
