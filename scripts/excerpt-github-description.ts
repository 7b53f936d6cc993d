import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DESCRIBED } from '../test/support/github-stand-in/described.ts';

/*
 * Writes the part of GitHub's OpenAPI description that the tests' GitHub stand-in checks itself against. The whole
 * package takes 414 MB, so it is fetched when this runs and never installed.
 */

type Json = { readonly [key: string]: unknown };

const PACKAGE = '@octokit/openapi@23.0.2';
const SOURCE = 'generated/api.github.com.json';
const target = join(import.meta.dirname, '../test/support/github-stand-in/github-description.json');

/** Keys that say nothing about what is valid. */
const PROSE = new Set(['default', 'description', 'example', 'examples', 'externalDocs', 'headers', 'summary', 'title']);

function fetchPackage(): { readonly description: Json; readonly license: string } {
  const folder = mkdtempSync(join(tmpdir(), 'github-description-'));
  try {
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const packed = execFileSync('npm', ['pack', '--silent', PACKAGE], options).trim();
    const files = [`package/${SOURCE}`, 'package/LICENSE'];
    execFileSync('tar', ['-xzf', packed, ...files], options);
    const [description = '', license = ''] = files.map((file) => readFileSync(join(folder, file), 'utf8'));
    return { description: JSON.parse(description) as Json, license };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Without prose. Keys under `properties` are names of data: they all stay. */
function pruned(node: unknown, namesData = false): unknown {
  if (Array.isArray(node)) return node.map((one) => pruned(one));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => namesData || !(PROSE.has(key) || key.startsWith('x-')));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'enum' ? value : pruned(value, key === 'properties' && !namesData)]),
  );
}

function sorted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sorted);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, sorted(value)]));
}

function lookUp(description: Json, path: readonly string[]): unknown {
  const found = path.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], description);
  if (found === undefined) throw new Error(`${PACKAGE} has no ${path.join(' ')}`);
  return found;
}

function pathsOf(description: Json): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, template } of DESCRIBED.operations) {
    const place = ['paths', template, method.toLowerCase()];
    const { parameters, requestBody, responses } = lookUp(description, place) as Json;
    const described = pruned({ parameters, requestBody, responses });
    paths[template] = { ...paths[template], [method.toLowerCase()]: described };
  }
  return paths;
}

/** Everything below `components` that these parts refer to, with what that refers to. */
function componentsOf(description: Json, parts: unknown): Json {
  const components: Record<string, Record<string, unknown>> = {};
  const add = (kind: string, name: string): void => {
    if (components[kind]?.[name] !== undefined) return;
    const component = pruned(lookUp(description, ['components', kind, name]));
    components[kind] = { ...components[kind], [name]: component };
    addReferences(component);
  };
  const addReferences = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const [, kind, name] = (key === '$ref' && /^#\/components\/([^/]+)\/([^/]+)$/.exec(String(value))) || [];
      if (kind !== undefined && name !== undefined) add(kind, name);
      else addReferences(value);
    }
  };
  addReferences(parts);
  for (const name of DESCRIBED.schemas) add('schemas', name);
  return components;
}

const { description, license } = fetchPackage();
const about = `Excerpt of ${SOURCE} of ${PACKAGE}, made by scripts/excerpt-github-description.ts; not to be edited.`;
const paths = pathsOf(description);
const parts = sorted({ paths, components: componentsOf(description, paths) }) as Json;
const text = `${JSON.stringify({ about, license, ...parts }, null, 1)}\n`;
writeFileSync(target, text);
console.log(`${target}: ${Math.round(text.length / 1_000)} KB, ${DESCRIBED.operations.length} operations`);
