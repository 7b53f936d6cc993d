import { basename } from 'node:path';
import { isMap, type Node, type Pair, visit, type YAMLMap } from 'yaml';
import * as say from '../../messages/command/migrate.ts';
import type { FileMigration } from './file-migration.ts';
import { applyEdits, type Edit, indentOf, pairOf, readYaml, replaceNode, startOf, textOf } from './text-edits.ts';

/** Where the files of other CIs keep variables for all jobs. */
const VARIABLES: Readonly<Record<string, string>> = {
  '.gitlab-ci.yml': 'variables',
  'azure-pipelines.yml': 'variables',
  'appveyor.yml': 'environment',
  '.appveyor.yml': 'environment',
};

export const CI_FILES = Object.keys(VARIABLES);

/** The variable that each program reads the address from. */
const PROGRAMS = { COVERAGE_ENDPOINT: /\bcoverage\.mjs\b|\bcoveralls\b/, COVERALLS_ENDPOINT: /\bcoveralls\b/ } as const;

/** Keys of what runs programs. */
const RUNS = /script$|^(?:run|bash|pwsh|powershell|on_success)$/;

/**
 * The file of a CI whose jobs run a client: it is given the address for all of them, beside which the CI has the token.
 * Undefined where nothing is to do, it is no YAML, or of no CI that is known.
 */
export function migrateCiFile(path: string, text: string, server: string): FileMigration | undefined {
  const root = readYaml(text)?.root;
  if (!isMap(root)) return undefined;
  const ofGithub = ['on', 'jobs'].every((key) => pairOf(root, key) !== undefined);
  const key = ofGithub ? 'env' : VARIABLES[basename(path)];
  const names = namesFor(root);
  if (key === undefined || names.length === 0) return undefined;
  const edits = setVariables({ text, root, key }, new Map(names.map((name) => [name, server])));
  if (edits === undefined) return { path, text, changed: text, notes: [{ sentence: say.setByHand(names, server) }] };
  const changed = applyEdits(text, edits);
  return changed === text ? undefined : { path, text, changed, notes: [{ sentence: say.endpointSet(names, server) }] };
}

function namesFor(root: YAMLMap): readonly string[] {
  const texts: string[] = [];
  const keep = { Scalar: (_: unknown, node: unknown) => void texts.push(textOf(node) ?? '') };
  visit(root, {
    Pair: (_, { key, value }) => void (value && RUNS.test(textOf(key) ?? '') && visit(value as Node, keep)),
  });
  return Object.entries(PROGRAMS).flatMap(([name, program]) => (texts.some((one) => program.test(one)) ? [name] : []));
}

/** Undefined where the variables are not written one in a line. */
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
