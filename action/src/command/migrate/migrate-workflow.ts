import { isMap, type Node, type Pair, visit, type YAMLMap } from 'yaml';
import { OURS } from '../../step/codecov-inputs.ts';
import type { FileMigration } from './file-migration.ts';
import { type Changes, givenIn, hasCredential, isSecret, migrateInputs } from './step-inputs.ts';
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

const NEVER_FAILS = 'Without fail_ci_if_error a step of Codecov never fails: fail-on-error: false keeps that.';

const NAME_THE_ACTION =
  'The step uses codecov/codecov-action, which only uploads to Codecov; ' +
  'name the action that replaces it with --action=<owner>/<repo>@<ref>.';

const NO_SECRETS =
  'A composite action sees no secrets: give it an input for the repo token, and pass the secret where it is used.';

/** The new server and action. */
export interface Destination {
  /** The server's address; a placeholder if none is known. */
  readonly server: string;
  /** `<owner>/<repo>@<ref>`; undefined: steps of coverallsapp/github-action keep their action. */
  readonly action: string | undefined;
}

const OTHERS = /^(coverallsapp\/github-action|codecov\/codecov-action)(?:@|$)/i;

/** The steps of a workflow, or of a composite action, that upload elsewhere. Undefined if it is not YAML. */
export function migrateWorkflow(path: string, text: string, to: Destination): FileMigration | undefined {
  const yaml = readYaml(text);
  if (yaml === undefined) return undefined;
  const steps = stepsIn(text, yaml.root);
  const credential = credentialOf(steps) ?? (isComposite(yaml.root) ? undefined : A_SECRET);
  const changes = steps.map((step) => migrateStep(step, to, credential));
  return {
    path,
    text,
    changed: applyEdits(
      text,
      changes.flatMap(({ edits }) => edits),
    ),
    notes: changes.flatMap(({ notes }) => notes),
  };
}

interface Step {
  readonly text: string;
  readonly map: YAMLMap;
  readonly uses: Pair<Node, Node | null>;
  readonly isCodecov: boolean;
}

function stepsIn(text: string, root: Node | null): readonly Step[] {
  const steps: Step[] = [];
  visit(root, {
    Map: (_, map) => {
      const uses = pairOf(map, 'uses');
      const found = OTHERS.exec(textOf(uses?.value) ?? '');
      if (uses === undefined || found === null) return undefined;
      steps.push({ text, map, uses, isCodecov: /^codecov/i.test(found[1] as string) });
      return visit.SKIP;
    },
  });
  return steps;
}

/** As workflows write it. */
const A_SECRET = ['$', '{{ secrets.COVERAGE_REPO_TOKEN }}'].join('');

/** Uploading steps and the closing step use one repo: that of the secret that the file names first. */
function credentialOf(steps: readonly Step[]): string | undefined {
  const named = steps.flatMap(({ map, isCodecov }) => {
    const given = givenIn(mapAt(map, 'with'));
    return ['repo-token', ...(isCodecov ? ['token'] : [])].map((name) => given.get(name) ?? '');
  });
  return named.find(isSecret);
}

function isComposite(root: Node | null): boolean {
  return isMap(root) && pairOf(root, 'runs') !== undefined;
}

function migrateStep(step: Step, to: Destination, credential: string | undefined): Changes {
  const { text, map, uses, isCodecov } = step;
  const line = lineAt(text, startOf(uses.key));
  const left = (sentence: string): Changes => ({ edits: [], notes: [{ line, sentence }] });
  const inputs = mapAt(map, 'with');
  const given = givenIn(inputs);
  if (isCodecov && /test_results/.test(given.get('report_type') ?? ''))
    return left('The step uploads test results, not coverage; it is left as it is.');
  if (inputs?.flow === true) return left('The inputs of this step are on one line, in braces; change it by hand.');
  const { action } = to;
  if (action === undefined) return isCodecov ? left(NAME_THE_ACTION) : keepAction(step, inputs, to.server);
  const isLeftOpen = isCodecov && !given.has('fail_ci_if_error');
  const isNamed = hasCredential(given, isCodecov);
  const added = [
    `server-url: ${to.server}`,
    ...(isNamed || credential === undefined ? [] : [`repo-token: ${credential}`]),
    ...(isLeftOpen ? [`${OURS.fail_ci_if_error}: false`] : []),
  ];
  const changed = inputs && migrateInputs({ text, map: inputs, isCodecov, credential });
  return {
    edits: [replaceNode(uses.value as Node, action), ...(changed?.edits ?? []), ...insert(step, inputs, added)],
    notes: [
      { line, sentence: `${textOf(uses.value) ?? ''} becomes ${action}.` },
      ...(isLeftOpen ? [{ line, sentence: NEVER_FAILS }] : []),
      ...(isNamed || credential !== undefined ? [] : [{ line, sentence: NO_SECRETS }]),
      ...(changed?.notes ?? []),
    ],
  };
}

/** The official action of Coveralls uploads here by its address alone. */
function keepAction(step: Step, inputs: YAMLMap | undefined, server: string): Changes {
  const { text, uses } = step;
  const address = inputs && pairOf(inputs, 'coveralls-endpoint')?.value;
  return {
    edits: address ? [replaceNode(address, server)] : insert(step, inputs, [`coveralls-endpoint: ${server}`]),
    notes: [{ line: lineAt(text, startOf(uses.key)), sentence: keptAction(server) }],
  };
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

function keptAction(server: string): string {
  return `The step keeps its action and uploads to ${server}; its secret must be the repo token of this server.`;
}
