import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EQUAL_MUTANTS } from './equal-mutants.ts';
import { findMutants, type Mutant, mutate } from './find-mutants.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUNS_AT_ONCE = 2;

/** Sources, and the tests that have to notice a change of them: folders or the beginnings of names. */
interface Part {
  readonly sources: string;
  readonly tests: readonly string[];
}

export const PARTS: readonly Part[] = [
  {
    sources: 'server/src/core/verdict/*.ts',
    tests: ['server/src/core/verdict', 'server/src/core/builds', 'server/src/wording'],
  },
  {
    sources: 'server/src/{core/builds/{carr*,fit-carried},closing/{carr*,choose-carried}}.ts',
    tests: ['server/src/core', 'server/src/closing', 'test/http/carryforward', 'test/http/histories/carried'],
  },
  { sources: 'action/src/report/*.ts', tests: ['action/src/report', 'action/src/step/run.test'] },
  { sources: 'shared/src/**/*.ts', tests: ['shared/src'] },
];

interface Tried {
  readonly file: string;
  readonly mutant: Mutant;
  readonly source: string;
}

/** Tries each mutant of the parts whose sources have `named` in their names; prints those that no test noticed. */
export async function runMutants(named: readonly string[], print: (line: string) => void): Promise<boolean> {
  let [caught, all] = [0, 0];
  for (const { sources, tests } of PARTS) {
    const files = globSync(sources, { cwd: ROOT })
      .filter((file) => !file.endsWith('.test.ts') && (named.length === 0 || named.some((name) => file.includes(name))))
      .toSorted();
    if (files.length === 0) continue;
    const limits = await usualTimes(tests);
    for (const file of files) {
      const equal = Object.keys(EQUAL_MUTANTS[file] ?? {});
      const waiting = mutantsIn(file).filter((tried) => !equal.some((part) => changedLine(tried).includes(part)));
      const count = waiting.length;
      let survived = 0;
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (!(await survives(next, tests, limits))) continue;
          survived += 1;
          print(describe(next));
        }
      };
      await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
      print(`${file}: ${shareOf(count - survived, count)}`);
      caught += count - survived;
      all += count;
    }
  }
  print(shareOf(caught, all));
  return caught === all;
}

function mutantsIn(file: string): Tried[] {
  const source = readFileSync(resolve(ROOT, file), 'utf8');
  return findMutants(source, file).map((mutant) => ({ file, mutant, source }));
}

function shareOf(caught: number, all: number): string {
  return `${caught} of ${all} mutants caught (${((100 * caught) / Math.max(all, 1)).toFixed(1)}%)`;
}

function describe(tried: Tried): string {
  const { file, mutant, source } = tried;
  return `${file}:${mutant.line}: ${lineOf(source, mutant)}\n  survives as: ${changedLine(tried)}`;
}

function changedLine({ mutant, source }: Tried): string {
  return lineOf(mutate(source, mutant), mutant);
}

function lineOf(text: string, { line }: Mutant): string {
  return text.split('\n')[line - 1]?.trim() ?? '';
}

/** Those that start no server take a tenth of the time, and notice most. */
const PROJECTS = ['unit', 'http'] as const;

/** How long a project may take, in milliseconds. */
type Limits = Readonly<Record<(typeof PROJECTS)[number], number>>;

/** A run that takes far longer than without a mutant fails: a loop does not end any more. */
async function usualTimes(tests: readonly string[]): Promise<Limits> {
  const limits = { unit: 0, http: 0 };
  for (const project of PROJECTS) {
    const start = Date.now();
    if (!(await passesIn(project, {}, { tests, limit: 600_000 })))
      throw new Error(`The tests fail without a mutant: ${tests}`);
    limits[project] = 10 * (Date.now() - start);
  }
  return limits;
}

async function survives({ file, mutant, source }: Tried, tests: readonly string[], limits: Limits): Promise<boolean> {
  const changed = { file: resolve(ROOT, file), source: mutate(source, mutant) };
  for (const project of PROJECTS)
    if (!(await passesIn(project, changed, { tests, limit: limits[project] }))) return false;
  return true;
}

async function passesIn(
  project: string,
  mutant: { readonly file?: string; readonly source?: string },
  { tests, limit }: { readonly tests: readonly string[]; readonly limit: number },
): Promise<boolean> {
  const env = { ...process.env, MUTANT: JSON.stringify(mutant) };
  const config = relative(ROOT, fileURLToPath(new URL('vitest.mutants.config.ts', import.meta.url)));
  const args = ['run', '--config', config, '--bail', '1', '--project', project, '--passWithNoTests', ...tests];
  const running = spawn('node_modules/.bin/vitest', args, { cwd: ROOT, env, stdio: 'ignore', detached: true });
  // Its workers too: one in a loop does not end when it is asked to.
  const timer = setTimeout(() => running.pid && process.kill(-running.pid, 'SIGKILL'), limit);
  const [code] = (await once(running, 'close')) as [number | null];
  clearTimeout(timer);
  return code === 0;
}
