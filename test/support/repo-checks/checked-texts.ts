import { globSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A text that people wrote: source or documentation. */
export interface CheckedText {
  /** From the root on, with slashes. */
  readonly name: string;
  readonly path: string;
  readonly isSource: boolean;
}

const SOURCES = ['{server,action,shared}/src/**/*.{ts,tsx}', '{test,scripts,bench}/**/*.{ts,tsx,mjs}', '*.{ts,mjs}'];
const DOCUMENTS = ['docs/**/*.md', '{README,CONTRIBUTING,CHANGELOG,SECURITY,CODE_OF_CONDUCT}.md'];
/** Recorded from real tools, or installed. */
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|fixtures)\//;
/** They hold what is searched for. */
const EXAMPLES: readonly string[] = ['test/repo-checks.test.ts'];

/** Every source and document, or those at some paths, which are files or folders. */
export function listTexts(paths: readonly string[] = []): readonly CheckedText[] {
  const wanted = paths.map((path) => toName(join(process.cwd(), path)));
  for (const path of paths) statSync(path);
  const isWanted = (name: string): boolean =>
    wanted.length === 0 || wanted.some((one) => one === '' || name === one || name.startsWith(`${one}/`));
  return globSync([...SOURCES, ...DOCUMENTS], { cwd: ROOT })
    .map((path) => path.split(sep).join('/'))
    .filter((name) => !NOT_OURS.test(name) && !EXAMPLES.includes(name) && isWanted(name))
    .sort()
    .map((name) => ({ name, path: join(ROOT, name), isSource: !name.endsWith('.md') }));
}

function toName(path: string): string {
  return relative(ROOT, path).split(sep).join('/').replace(/\/$/, '');
}

export interface Finding {
  /** Findings of one kind are printed together. */
  readonly kind: string;
  /** `file:line`. */
  readonly place: string;
  readonly what: string;
}

export interface CheckReport {
  readonly subject: string;
  readonly seen: number;
  readonly unit: string;
  /** A check that saw less than this proves nothing. */
  readonly min: number;
  readonly findings: readonly Finding[];
}

/** Prints what was found, kind by kind, the rarest first, and sets the exit code. */
export function report({ subject, seen, unit, min, findings }: CheckReport): void {
  const groups = [...Map.groupBy(findings, ({ kind }) => kind)].sort(([, a], [, b]) => a.length - b.length);
  for (const [kind, found] of groups) {
    for (const { place, what } of found) console.error(`${place}: ${what}`);
    console.error(`${found.length} x ${kind}\n`);
  }
  console.log(`${subject}: ${seen} ${unit}, ${findings.length} findings`);
  if (seen < min) console.error(`Only ${seen} ${unit} were seen, too few for this check to prove anything.`);
  if (seen < min || findings.length > 0) process.exitCode = 1;
}
