import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Timing } from './measure.ts';

/** A program that reads one report, prints what it took, and ends: its memory is its own. */
export interface Child {
  readonly name: string;
  /** Relative to this folder. */
  readonly script: string;
  readonly args: readonly string[];
}

/** What one child printed. */
interface Run {
  /** Milliseconds. */
  readonly wall: number;
  /** Milliseconds of processors. */
  readonly processor: number;
  /** The most memory that it had, in bytes. */
  readonly memory: number;
  readonly found: unknown;
}

/** What came of all runs of a child. */
export interface ChildRuns {
  /** For the processors: a busy neighbor makes only the wall clock go faster. */
  readonly timing: Timing;
  readonly fastestWall: number;
  readonly memory: number;
  readonly found: unknown;
}

const execute = promisify(execFile);

/** Why the references can not run; undefined if they are installed. */
export function withoutReferences(): string | undefined {
  const installed = existsSync(join(import.meta.dirname, 'references', 'node_modules'));
  return installed ? undefined : 'its reference is skipped; to have it: npm ci --prefix bench/references';
}

/** The references that are installed, each with its version: they are pinned. */
export function referenceVersions(): Readonly<Record<string, string>> {
  if (withoutReferences() !== undefined) return {};
  const described = readFileSync(join(import.meta.dirname, 'references', 'package.json'), 'utf8');
  return (JSON.parse(described) as { readonly dependencies: Readonly<Record<string, string>> }).dependencies;
}

/** Runs the children in turn, so that a busy neighbor hurts all of them alike. */
export async function runChildren(children: readonly Child[], rounds: number): Promise<ChildRuns[]> {
  const runs = children.map((): Run[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { script, args }] of children.entries()) {
      const { stdout } = await execute(process.execPath, [join(import.meta.dirname, script), ...args]);
      runs[index]?.push(JSON.parse(stdout) as Run);
    }
  return children.map(({ name }, index) => summed(name, runs[index] ?? []));
}

function summed(name: string, runs: readonly Run[]): ChildRuns {
  const processor = runs.map((run) => run.processor).sort((a, b) => a - b);
  return {
    timing: {
      name,
      median: processor[Math.floor(processor.length / 2)] ?? 0,
      fastest: processor[0] ?? 0,
      slowest: processor.at(-1) ?? 0,
      repetitions: processor.length,
    },
    fastestWall: Math.min(...runs.map(({ wall }) => wall)),
    memory: Math.max(...runs.map(({ memory }) => memory)),
    found: runs[0]?.found,
  };
}
