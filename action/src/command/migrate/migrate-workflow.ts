import { type Node, type Pair, visit, type YAMLMap } from 'yaml';
import * as say from '../../messages/command/migrate.ts';
import type { FileMigration, Note } from './file-migration.ts';
import {
  CODECOV_INPUTS,
  COVERALLS_INPUTS,
  type Fate,
  UNKNOWN_TO_CODECOV,
  UNKNOWN_TO_COVERALLS,
} from './inputs-of-others.ts';
import {
  addAfter,
  applyEdits,
  type Edit,
  indentOf,
  lineAt,
  mapAt,
  pairOf,
  readYaml,
  removePair,
  replaceNode,
  startOf,
  textOf,
} from './text-edits.ts';

/** Where everything goes. */
export interface Destination {
  /** The server's address; a placeholder where none is known. */
  readonly server: string;
  /** `<owner>/<repo>@<ref>`; undefined: steps of coverallsapp/github-action keep their action. */
  readonly action: string | undefined;
}

const OTHERS = /^(coverallsapp\/github-action|codecov\/codecov-action)(?:@|$)/i;

/** The steps of a workflow, or of a composite action, that upload elsewhere. Undefined where it is no YAML. */
export function migrateWorkflow(path: string, text: string, to: Destination): FileMigration | undefined {
  const yaml = readYaml(text);
  if (yaml === undefined) return undefined;
  const edits: Edit[] = [];
  const notes: Note[] = [];
  visit(yaml.root, {
    Map: (_, map) => {
      const uses = pairOf(map, 'uses');
      const found = OTHERS.exec(textOf(uses?.value) ?? '');
      if (uses === undefined || found === null) return undefined;
      const changed = migrateStep({ text, map, uses, isCodecov: /^codecov/i.test(found[1] as string) }, to);
      edits.push(...changed.edits);
      notes.push(...changed.notes);
      return visit.SKIP;
    },
  });
  return { path, text, changed: applyEdits(text, edits), notes };
}

interface Step {
  readonly text: string;
  readonly map: YAMLMap;
  readonly uses: Pair<Node, Node | null>;
  readonly isCodecov: boolean;
}

function migrateStep(
  step: Step,
  to: Destination,
): { readonly edits: readonly Edit[]; readonly notes: readonly Note[] } {
  const { text, map, uses, isCodecov } = step;
  const line = lineAt(text, startOf(uses.key));
  const given = mapAt(map, 'with');
  if (isCodecov && /test_results/.test(textOf(given && pairOf(given, 'report_type')?.value) ?? ''))
    return { edits: [], notes: [{ line, sentence: say.TEST_RESULTS }] };
  if (pairOf(map, 'with') !== undefined && given?.flow !== undefined && given.flow)
    return { edits: [], notes: [{ line, sentence: say.FLOW_MAP }] };
  if (isCodecov && to.action === undefined) return { edits: [], notes: [{ line, sentence: say.NAME_THE_ACTION }] };
  const action = to.action;
  const kept = action === undefined;
  const ofUses = kept ? [] : [replaceNode(uses.value as Node, action)];
  const inputs = given === undefined ? undefined : migrateInputs({ ...step, given, keepsAction: kept });
  const names = new Set(given?.items.map((pair) => textOf(pair.key) ?? '') ?? []);
  const added = addedInputs({ names, isCodecov, kept }, to.server);
  const address = given && pairOf(given, 'coveralls-endpoint')?.value;
  const ofAddress = address && kept ? [replaceNode(address, to.server)] : [];
  return {
    edits: [...ofUses, ...ofAddress, ...(inputs?.edits ?? []), ...insert(step, given, added)],
    notes: [
      { line, sentence: kept ? say.keptAction(to.server) : say.otherAction(textOf(uses.value) ?? '', action) },
      ...(inputs?.notes ?? []),
    ],
  };
}

/** As workflows write it. */
const A_SECRET = ['$', '{{ secrets.COVERAGE_REPO_TOKEN }}'].join('');

function addedInputs(
  {
    names,
    isCodecov,
    kept,
  }: { readonly names: ReadonlySet<string>; readonly isCodecov: boolean; readonly kept: boolean },
  server: string,
): readonly string[] {
  if (kept) return names.has('coveralls-endpoint') ? [] : [`coveralls-endpoint: ${server}`];
  const token = ['repo-token', 'github-token', ...(isCodecov ? ['token', 'use_oidc'] : [])].some((one) =>
    names.has(one),
  );
  return [`server-url: ${server}`, ...(token ? [] : [`repo-token: ${A_SECRET}`])];
}

/** At the end of the step's inputs, which it may not have yet. */
function insert({ text, map, uses }: Step, given: YAMLMap | undefined, lines: readonly string[]): readonly Edit[] {
  if (lines.length === 0) return [];
  const first = given?.items[0] as Pair<Node, Node | null> | undefined;
  if (first !== undefined) {
    const indent = indentOf(text, first.key);
    const start = startOf(first.key) - indent.length;
    return [{ start, end: start, text: lines.map((line) => `${indent}${line}\n`).join('') }];
  }
  const empty = pairOf(map, 'with');
  const indent = indentOf(text, uses.key);
  const block = ['with:', ...lines.map((line) => `  ${line}`)].join(`\n${indent}`);
  return empty === undefined
    ? [addAfter(text, uses, block)]
    : [{ ...removePair(text, empty), text: `${indent}${block}\n` }];
}

function migrateInputs({
  text,
  given,
  isCodecov,
  keepsAction,
}: Step & { readonly given: YAMLMap; readonly keepsAction: boolean }) {
  const edits: Edit[] = [];
  const notes: Note[] = [];
  if (keepsAction) return { edits, notes };
  for (const pair of given.items as Pair<Node, Node | null>[]) {
    const name = textOf(pair.key) ?? '';
    const fate = fateOf(name, isCodecov);
    const line = lineAt(text, startOf(pair.key));
    if (fate.kind === 'removed') {
      edits.push(removePair(text, pair));
      notes.push({ line, sentence: say.inputRemoved(name, fate.why) });
    }
    if (fate.kind !== 'renamed') continue;
    edits.push(replaceNode(pair.key, fate.to));
    const value = textOf(pair.value);
    if (value !== undefined && fate.value !== undefined && fate.value(value) !== value && !value.includes('\n'))
      edits.push(replaceNode(pair.value as Node, JSON.stringify(fate.value(value))));
    notes.push({ line, sentence: say.inputRenamed(name, fate.to) });
    if (fate.to === 'repo-token') notes.push({ line, sentence: say.SECRET_OF_OTHERS });
    if (name === 'flags' && value?.includes(',')) notes.push({ line, sentence: say.SEVERAL_FLAGS });
  }
  return { edits, notes };
}

/** The address is stated by us. */
function fateOf(name: string, isCodecov: boolean): Fate {
  if (name === 'coveralls-endpoint' || name === 'server-url') return { kind: 'removed', why: 'needless' };
  const known = (isCodecov ? CODECOV_INPUTS : COVERALLS_INPUTS)[name];
  return known ?? (isCodecov ? UNKNOWN_TO_CODECOV : UNKNOWN_TO_COVERALLS);
}
