import { COVERAGE_FILE, type CoverageFile, groupId, readCoverageFile } from '@coverage/shared/coverage-file';
import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import { asFields, listOf, ruleOf } from './codecov-findings.ts';
import type { Fields, TranslatedFile } from './file-migration.ts';
import { DROPPED, StatusTranslation, toPatterns } from './status-translation.ts';

/** By table of spec: what each key of a codecov.yml is here. */
export function translateCodecov(root: Fields): TranslatedFile {
  const translation = new Translation();
  for (const [key, value] of Object.entries(root)) translation.read(key, value);
  return translation.finish();
}

class Translation extends StatusTranslation {
  read(key: string, value: unknown): void {
    const reader = this.#readers[key];
    if (reader !== undefined) reader(value);
    else (DROPPED.has(key) ? this.dropped : this.withoutEqual).push(key);
  }

  finish(): TranslatedFile {
    const file = this.file;
    for (const name of Object.keys(file.flags ?? {}))
      if (Object.keys(file.flags?.[name] ?? {}).length === 0) delete file.flags?.[name];
    if (Object.keys(file.flags ?? {}).length === 0) delete file.flags;
    const said = { dropped: this.dropped, withoutEqual: this.withoutEqual, notes: this.notes };
    return { text: Object.keys(file).length === 0 ? undefined : writeCoverageFile(file as CoverageFile), ...said };
  }

  readonly #readers: Readonly<Record<string, (value: unknown) => void>> = {
    coverage: (value) => this.#readCoverage(value),
    comment: (value) => this.#readComment(value),
    ignore: (value) => this.#readIgnore(value),
    fixes: (value) => this.#readFixes(value),
    flags: (value) => this.#readFlags('flags', asFields(value) ?? {}),
    flag_management: (value) => this.#readFlagManagement(asFields(value) ?? {}),
    component_management: (value) => this.#readComponents(asFields(value) ?? {}),
    github_checks: (value) => {
      this.file.annotations = value !== false && asFields(value)?.annotations !== false;
    },
    codecov: (value) => this.#readService(asFields(value) ?? {}),
    parsers: (value) => (isRuleOne(value) ? this.dropped : this.withoutEqual).push('parsers'),
  };

  #readCoverage(value: unknown): void {
    for (const [key, one] of Object.entries(asFields(value) ?? {})) {
      if (key === 'status') continue;
      if (key === 'ignore') this.#readIgnore(one);
      else if (key === 'fixes') this.#readFixes(one);
      else if (MISPLACED.has(key)) this.#readMisplaced(key, one);
      else this.other('coverage', key);
    }
    // Last, so that it wins over what is in the wrong place.
    this.readStatuses(asFields(asFields(value)?.status) ?? {});
  }

  /** Its author thinks that it decides. */
  #readMisplaced(key: string, value: unknown): void {
    this.readStatuses({ [key]: value });
    const effect = ruleOf(value) === undefined ? 'is off here; remove it if it is to be judged' : 'can fail here';
    this.notes.push(
      `coverage.${key}: Codecov rejects the whole file for it, since it is not below coverage.status. It is read as ` +
        `if it were there, and ${effect}.`,
    );
  }

  #readComment(value: unknown): void {
    if (ruleOf(value) === undefined) {
      this.file.comment = 'off';
      return;
    }
    for (const [key, one] of Object.entries(asFields(value) ?? {})) {
      if (key === 'after_n_builds') this.#setUploads(one);
      else if (key === 'require_changes') this.#readRequired(one);
      else this.other('comment', key);
    }
  }

  #readRequired(value: unknown): void {
    if (value === false) return;
    const words = value === true ? [] : [value].flat().map(String);
    const [drops, misses] = ['coverage_drop', 'uncovered_patch'].map((word) => words.some((one) => one.includes(word)));
    this.file.comment = drops === misses ? 'on-change' : drops ? 'on-drop' : 'on-missed';
    if (drops && misses)
      this.notes.push('comment.require_changes: a drop and missed lines together are on-change here.');
  }

  /** Exceptions last: there they win over everything, whatever the order. */
  #readIgnore(value: unknown): void {
    const patterns = this.patterns('ignore', listOf(value));
    if (patterns.length > 0) this.file.ignore = [...(this.file.ignore ?? []), ...patterns];
  }

  #readFixes(value: unknown): void {
    for (const fix of listOf(value)) {
      const [before = '', after = ''] = fix.split('::').map((part) => part.replace(/\/$/, ''));
      if (before === '' || toPatterns(before)?.[0] !== before)
        this.notes.push(
          `fixes: ${JSON.stringify(fix)} is not converted. Names of reports are found in the checkout; if some ` +
            'are not, name their beginnings in paths.',
        );
      else this.file.paths = { ...this.file.paths, [before]: after === '' ? '.' : after };
    }
  }

  #readFlags(at: string, flags: Fields): void {
    for (const [name, value] of Object.entries(flags)) {
      const { carryforward, paths, ignore, after_n_builds: uploads, statuses, ...others } = asFields(value) ?? {};
      const flag = this.flag(name);
      if (carryforward === true) flag.carry = true;
      const patterns = [...listOf(paths), ...listOf(ignore).map((one) => `!${one}`)];
      if (patterns.length > 0)
        flag.paths = this.patterns(`${at}.${name}`, listOf(paths).length > 0 ? patterns : ['**', ...patterns]);
      if (isCount(uploads)) flag.uploads = uploads;
      for (const { kind, rule } of statusesOf(statuses)) this.ruleFlag(name, kind, rule, `${at}.${name}`);
      for (const key of Object.keys(others)) this.other(`${at}.${name}`, key);
    }
  }

  #readFlagManagement({ default_rules: rules, individual_flags: flags, ...others }: Fields): void {
    const defaults = asFields(rules) ?? {};
    const named = listOfFields(flags);
    this.#readFlags(
      'flag_management',
      Object.fromEntries(named.map(({ name, ...flag }) => [String(name), { ...defaults, ...flag }])),
    );
    if (named.length === 0 && Object.keys(defaults).length > 0)
      this.notes.push('flag_management.default_rules: name each flag below flags with what it is to do.');
    for (const key of Object.keys(others)) this.other('flag_management', key);
  }

  #readComponents({ default_rules: rules, individual_components: components, ...others }: Fields): void {
    const defaults = asFields(rules) ?? {};
    for (const value of listOfFields(components)) {
      const { component_id: id, name, paths, flag_regexes: flags, statuses, ...rest } = { ...defaults, ...value };
      const called = String(name ?? id ?? 'default_component');
      const stated = listOf(paths);
      const plainFlags = listOf(flags).filter((flag) => /^\w[\w./-]*$/.test(flag));
      const files = stated.length > 0 ? this.patterns(`component ${called}`, stated) : ['**'];
      const group = this.groupOf(called, { paths: files, flags: plainFlags });
      if (typeof id === 'string' && /^[a-z0-9._-]{1,64}$/.test(id) && id !== groupId({ name: called })) group.id = id;
      if (plainFlags.length < listOf(flags).length) this.withoutEqual.push(`component ${called}.flag_regexes`);
      for (const { kind, rule } of statusesOf(statuses)) {
        if (kind === 'project') group.total = this.totalRule(rule, `component ${called}`);
        else group.changes = this.changesRule(rule, `component ${called}`);
      }
      for (const key of Object.keys(rest)) this.other(`component ${called}`, key);
    }
    for (const key of Object.keys(others)) this.other('component_management', key);
  }

  #readService({ branch, notify, ...others }: Fields): void {
    if (typeof branch === 'string')
      this.notes.push(`codecov.branch: set the setting default_branch to ${branch}. The file cannot say it.`);
    const { after_n_builds: uploads, threshold, ...rest } = asFields(notify) ?? {};
    this.#setUploads(uploads);
    if (threshold !== undefined) this.dropped.push('codecov.notify.threshold');
    for (const key of Object.keys(rest)) this.other('codecov.notify', key);
    for (const key of Object.keys(others)) this.other('codecov', key);
  }

  #setUploads(value: unknown): void {
    if (!isCount(value)) return;
    if (this.file.uploads === undefined)
      this.notes.push(
        'uploads: a build with fewer is incomplete here, and carried flags do not count. Remove it if jobs are ' +
          'skipped at times: the end of the run is known.',
      );
    this.file.uploads = Math.max(value, Number(this.file.uploads ?? 0));
  }
}

/** Statuses that stand one level too high. */
const MISPLACED: ReadonlySet<string> = new Set(['project', 'patch', 'changes']);

function statusesOf(value: unknown): readonly { readonly kind: 'project' | 'patch'; readonly rule: Fields }[] {
  return listOfFields(value).flatMap((one) => {
    const rule = ruleOf(one);
    const kind = rule?.type;
    return rule !== undefined && (kind === 'project' || kind === 'patch') ? [{ kind, rule } as const] : [];
  });
}

function listOfFields(value: unknown): readonly Fields[] {
  return [value]
    .flat()
    .map(asFields)
    .filter((one) => one !== undefined);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1000;
}

/** Lines with hits are covered here in any case (rule 1). */
function isRuleOne(parsers: unknown): boolean {
  const all = Object.values(asFields(parsers) ?? {}).map((one) => JSON.stringify(one));
  return all.length > 0 && all.every((one) => one === '{"partials_as_hits":true}');
}

const HEAD = ' How coverage is judged here. "coverage check-config" checks this file.';

/** The file's text. Each map of values is on one line. */
function writeCoverageFile(file: CoverageFile): string {
  const document = new Document(inOrder(file));
  document.commentBefore = HEAD;
  visit(document, {
    Map(_, node, path) {
      const isLeaf = node.items.every(({ value }) => isScalar(value) || (isSeq(value) && value.items.length <= 3));
      if (path.length > 1 && isLeaf) node.flow = true;
      if (isMap(node) && node.items.length === 1 && node.has('off') && path.length > 1) node.flow = true;
    },
    Seq(_, node) {
      if (node.items.every(isScalar)) node.flow = node.items.length <= 6;
    },
  });
  const text = document.toString({ lineWidth: 120, singleQuote: true });
  const read = readCoverageFile(new TextEncoder().encode(text));
  if ('problems' in read) throw new Error(`The translated file is not valid: ${JSON.stringify(read.problems)}`);
  return text;
}

/** The keys as the reference has them. */
function inOrder(file: CoverageFile): CoverageFile {
  const { keys } = COVERAGE_FILE as Extract<typeof COVERAGE_FILE, { readonly kind: 'map' }>;
  return Object.fromEntries(
    Object.keys(keys).flatMap((key) => (Object.hasOwn(file, key) ? [[key, file[key as keyof CoverageFile]]] : [])),
  );
}
