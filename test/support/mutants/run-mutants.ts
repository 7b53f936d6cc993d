import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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
    const waiting = files.flatMap((file): Tried[] => {
      const source = readFileSync(resolve(ROOT, file), 'utf8');
      return findMutants(source, file).map((mutant) => ({ file, mutant, source }));
    });
    const survivors: Tried[] = [];
    all += waiting.length;
    if (waiting.length > 0 && !(await passes({}, tests))) throw new Error(`The tests fail without a mutant: ${tests}`);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        if (await survives(next, tests)) survivors.push(next);
        else caught += 1;
    };
    await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
    for (const one of survivors) print(describe(one));
  }
  print(`${caught} of ${all} mutants caught (${((100 * caught) / Math.max(all, 1)).toFixed(1)}%)`);
  return caught === all;
}

function describe({ file, mutant, source }: Tried): string {
  const line = (text: string): string => text.split('\n')[mutant.line - 1]?.trim() ?? '';
  return `${file}:${mutant.line}: ${line(source)}\n  survives as: ${line(mutate(source, mutant))}`;
}

function survives({ file, mutant, source }: Tried, tests: readonly string[]): Promise<boolean> {
  return passes({ file: resolve(ROOT, file), source: mutate(source, mutant) }, tests);
}

/** A run that takes far longer than usual fails too: a loop does not end any more. */
async function passes(mutant: { readonly file?: string; readonly source?: string }, tests: readonly string[]) {
  // Those that start no server take a tenth of the time, and notice most.
  return (await passesIn('unit', mutant, tests)) && (await passesIn('http', mutant, tests));
}

async function passesIn(project: string, mutant: object, tests: readonly string[]): Promise<boolean> {
  const env = { ...process.env, MUTANT: JSON.stringify(mutant) };
  const config = relative(ROOT, fileURLToPath(new URL('vitest.mutants.config.ts', import.meta.url)));
  const args = ['run', '--config', config, '--bail', '1', '--project', project, '--passWithNoTests', ...tests];
  const running = spawn('node_modules/.bin/vitest', args, { cwd: ROOT, env, stdio: 'ignore', timeout: 300_000 });
  const [code] = (await once(running, 'close')) as [number | null];
  return code === 0;
}
