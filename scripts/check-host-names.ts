import { globSync, readdirSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

/** Hosts by the folders of their modules. */
const HOSTS = readdirSync('server/src/hosts', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['facts', 'rest'].includes(entry.name))
  .map(({ name }) => name);
/** What only one host calls so. */
const OWN_WORDS = [
  'octokit',
  'dependabot',
  'gh-readonly-queue',
  '\\bgh(?:[a-z]|\\[\\w+\\])_',
  'merge_group',
  'workflow_run',
  'pull_request_target',
];
const HOST_WORDS = new RegExp([...HOSTS, ...OWN_WORDS].join('|'), 'i');

/** Where a host may be named: its module, what is set, and the one list of services. */
const MAY_NAME_IT = /^server\/src\/(hosts\/|config\/|core\/repo\/repo\.ts$)|\.test\.tsx?$/;

/** Sources that were read, and texts in them that name a host: string literals, templates, regexps and JSX texts. */
export function findHostNames(): { readonly files: number; readonly texts: number; readonly found: readonly string[] } {
  const files = globSync('server/src/**/*.{ts,tsx}').filter((file) => !MAY_NAME_IT.test(file));
  const texts = files.flatMap((file) => textsOf(file).map((text) => ({ file, text })));
  const found = texts.filter(({ text }) => HOST_WORDS.test(text));
  return { files: files.length, texts: texts.length, found: found.map(({ file, text }) => `${file}: ${text}`) };
}

function textsOf(file: string): readonly string[] {
  const texts: string[] = [];
  visit(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: file.endsWith('x') }), texts);
  return texts;
}

/** Paths of imports are no texts: the import table decides about those. */
function visit(node: unknown, texts: string[]): void {
  if (Array.isArray(node)) for (const one of node) visit(one, texts);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { type, ...parts } = node as { readonly type?: unknown } & Readonly<Record<string, unknown>>;
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return;
  if (type === 'StringLiteral' || type === 'JSXText') texts.push(String(parts.value));
  if (type === 'TemplateElement') texts.push(String(parts.raw));
  if (type === 'RegExpLiteral') texts.push(String(parts.pattern));
  for (const part of Object.values(parts)) visit(part, texts);
}
