import { basename } from 'node:path';
import { isMap, isSeq, type Node, type Pair, visit, type YAMLMap } from 'yaml';
import { nameClients, OUR_COMMAND } from './clients-in-commands.ts';
import type { FileMigration, Note } from './file-migration.ts';
import {
  applyEdits,
  type Edit,
  indentOf,
  lineAt,
  mapAt,
  pairOf,
  readYaml,
  replaceNode,
  startOf,
  textOf,
} from './text-edits.ts';

/** For a step of an orb. */
const ORB_STEPS = {
  coveralls:
    'The orb runs the official reporter: set COVERALLS_ENDPOINT to the URL of this server, and ' +
    'COVERALLS_REPO_TOKEN to the repo token, in the environment variables of the project.',
  codecov: `The orb only sends to Codecov. Put a run step in its place: ${OUR_COMMAND}`,
} as const;

/** Where the files of other CIs keep variables for all jobs. */
const VARIABLES: Readonly<Record<string, string>> = {
  '.gitlab-ci.yml': 'variables',
  'azure-pipelines.yml': 'variables',
  'appveyor.yml': 'environment',
  '.appveyor.yml': 'environment',
};

export const CI_FILES: readonly string[] = [
  ...Object.keys(VARIABLES),
  ...['.travis.yml', '.circleci/config.yml', 'bitbucket-pipelines.yml', '.semaphore/semaphore.yml', '.cirrus.yml'],
  ...['.drone.yml', '.woodpecker.yml', '.buildkite/pipeline.yml', 'buildspec.yml'],
];

/** The variable that each program reads the address from. */
const PROGRAMS = {
  COVERAGE_ENDPOINT: /\bcoverage\.mjs\b|\bcoveralls\b/,
  COVERALLS_ENDPOINT: /\bcoveralls\b/,
  COVERALLS_HOST:
    /\bpip3? install (?:\S+ ){0,9}coveralls\b|\bpython3? -m coveralls\b|\bcoveralls --(?:service|finish)\b/,
} as const;

/** Keys of what runs programs. */
const RUNS = /script$|^(?:run|commands?|bash|pwsh|powershell|install|(?:on|after)_(?:success|failure))$/;

/**
 * The file of a CI whose jobs run a client: it is given the address for all of them, beside which the CI has the token.
 * Clients that take it in another way are named. Undefined if nothing is to do, or it is no YAML.
 */
export function migrateCiFile(path: string, text: string, server: string): FileMigration | undefined {
  const root = readYaml(text)?.root;
  if (!isMap(root)) return undefined;
  const ofGithub = ['on', 'jobs'].every((key) => pairOf(root, key) !== undefined);
  const key = ofGithub ? 'env' : VARIABLES[basename(path)];
  const commands = commandsIn(text, root);
  const found = [
    ...namesOrbs(text, root),
    ...commands.flatMap((one) => nameClients(one.source, { from: one.line, byVariable: key === undefined })),
  ].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const named = found.length === 0 ? undefined : { path, text, changed: text, notes: found };
  const names = namesFor(commands);
  if (key === undefined || names.length === 0) return named;
  const edits = setVariables({ text, root, key }, new Map(names.map((name) => [name, server])));
  const byHand = { sentence: setByHand(names, server) };
  if (edits === undefined) return { path, text, changed: text, notes: [byHand, ...found] };
  const changed = applyEdits(text, edits);
  return changed === text
    ? named
    : { path, text, changed, notes: [{ sentence: endpointSet(names, server) }, ...found] };
}

interface Commands {
  /** The number of the first line, from 1. */
  readonly line: number;
  readonly source: string;
}

/** As they are written in the file, so that each of their lines is one of its lines. */
function commandsIn(text: string, root: YAMLMap): readonly Commands[] {
  const found: Commands[] = [];
  const keep = (node: unknown): void => {
    if (isSeq(node)) node.items.forEach(keep);
    if (textOf(node) === undefined) return;
    const [start = 0, end = 0] = (node as Node).range ?? [];
    found.push({ line: lineAt(text, start), source: text.slice(start, end) });
  };
  visit(root, { Pair: (_, { key, value }) => void (RUNS.test(textOf(key) ?? '') && keep(value)) });
  return found;
}

function namesFor(commands: readonly Commands[]): readonly string[] {
  return Object.entries(PROGRAMS).flatMap(([name, program]) =>
    commands.some(({ source }) => program.test(source)) ? [name] : [],
  );
}

const ORB = /^(coveralls|codecov)\/\1@/;

/** Orbs of CircleCI, and the steps that use them. */
function namesOrbs(text: string, root: YAMLMap): readonly Note[] {
  const orbs = new Map<string, keyof typeof ORB_STEPS>();
  const notes: Note[] = [];
  const note = (node: Node, sentence: string): void => void notes.push({ line: lineAt(text, startOf(node)), sentence });
  for (const { key, value } of (mapAt(root, 'orbs')?.items ?? []) as Pair<Node, Node | null>[]) {
    const service = ORB.exec(textOf(value) ?? '')?.[1] as keyof typeof ORB_STEPS | undefined;
    if (service === undefined) continue;
    orbs.set(textOf(key) ?? '', service);
    note(
      key,
      `The orb ${textOf(value) ?? ''} is used by the steps that are named below; remove it with the last of them.`,
    );
  }
  visit(root, {
    Scalar: (_, node) => {
      const [orb = '', step] = (textOf(node) ?? '').split('/');
      const service = step === undefined || /[\s@]/.test(step) ? undefined : orbs.get(orb);
      if (service !== undefined) note(node, ORB_STEPS[service]);
    },
  });
  return notes;
}

/** Undefined if the variables are not written one in a line. */
function setVariables(
  { text, root, key }: { readonly text: string; readonly root: YAMLMap; readonly key: string },
  values: ReadonlyMap<string, string>,
): readonly Edit[] | undefined {
  const block = pairOf(root, key);
  const known = block?.value;
  if (block !== undefined && (!isMap(known) || known.flow)) return undefined;
  const pairs = isMap(known) ? known : undefined;
  const before = pairs?.items[0] ?? pairOf(root, 'jobs') ?? root.items[0];
  const start = startOf((before as Pair<Node>).key);
  const indent = pairs === undefined ? '  ' : indentOf(text, (before as Pair<Node>).key);
  const added = [...values].filter(([name]) => pairs === undefined || pairOf(pairs, name) === undefined);
  const lines = added.map(([name, value]) => `${indent}${name}: ${value}\n`).join('');
  const at = text.lastIndexOf('\n', start - 1) + 1;
  const replaced = [...values].flatMap(([name, value]) => {
    const node = pairs && pairOf(pairs, name)?.value;
    return node && textOf(node) !== value ? [replaceNode(node, value)] : [];
  });
  const put = lines === '' || pairs !== undefined ? lines : `${key}:\n${lines}\n`;
  return [...replaced, { start: at, end: at, text: put }];
}

function endpointSet(names: readonly string[], server: string): string {
  return `The jobs run a client of Coveralls: ${names.join(' and ')} tell it to upload to ${server}.`;
}

function setByHand(names: readonly string[], server: string): string {
  return (
    'The jobs run a client of Coveralls, but the variables are not written one on each line: ' +
    `set ${names.join(' and ')} to ${server} by hand.`
  );
}
