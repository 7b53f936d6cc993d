import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BadValue, readBaseUrl } from '../../config/values.ts';
import { Failure } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import { UsageError } from '../command/command-line.ts';
import { carryOut, describePlan, type Outcome, planRepos, type RepoPlan } from './apply-repos.ts';
import { readReposFile } from './read-repos-file.ts';
import { createReposApi, type ReposApi } from './repos-api.ts';
import { makeTokenFile } from './token-file.ts';

/** Where the lines of a command go. */
export interface Output {
  /** What was asked for. */
  readonly print: (line: string) => void;
  /** For people. */
  readonly note: (line: string) => void;
}

/** What a command line asks for. */
export interface Asked {
  readonly file: string;
  readonly server: string;
  readonly token: string;
  readonly tokens: string;
  readonly dryRun: boolean;
}

/** Throws a UsageError for what is not understood; undefined: help is asked for. */
export function readAsked(args: readonly string[], env: NodeJS.ProcessEnv): Asked | undefined {
  const { positionals, values } = readArguments(args);
  const [command, file, ...others] = positionals;
  if (values.help || command === 'help') return undefined;
  if (command !== 'apply')
    throw new UsageError(command === undefined ? 'Say what to do: apply.' : notUnderstood(positionals));
  if (file === undefined) throw new UsageError('Say which file lists the repos: apply <file>.');
  if (others.length > 0) throw new UsageError(notUnderstood(others));
  const { COVERAGE_TOKEN: token = '', COVERAGE_SERVER = '' } = env;
  if (token === '') throw new UsageError('Set COVERAGE_TOKEN to a personal token: npm run token -- create.');
  const { server = COVERAGE_SERVER, tokens = 'repo-tokens.txt', 'dry-run': dryRun = false } = values;
  return { file, server: readServer(server), token, tokens: resolve(tokens), dryRun };
}

function readArguments(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const aSwitch = { type: 'boolean' } as const;
    const options = { server: text, tokens: text, 'dry-run': aSwitch, help: { ...aSwitch, short: 'h' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readServer(text: string): string {
  if (text === '') throw new UsageError('Say which server: --server <url>, or COVERAGE_SERVER.');
  try {
    return readBaseUrl(text);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new UsageError(`The address of the server ${error.message}.`);
  }
}

/** Makes and changes the repos of a file. Answers the exit code; throws a Failure where it cannot go on. */
export async function applyRepos(
  { file, server, token, tokens, dryRun }: Asked,
  output: Output,
  fetch: Fetch,
): Promise<number> {
  const wanted = readReposFile(readText(file), file);
  const api = createReposApi({ server, token, fetch });
  const plans = await planRepos(api, wanted);
  const done = dryRun ? plans.map(({ kind }) => kind) : await carryOutAll(plans, { api, tokens }, output);
  if (dryRun) for (const line of plans.flatMap(describePlan)) output.print(line);
  output.print(summary(done));
  if (dryRun) output.note('A dry run: nothing was changed.');
  return done.some((one) => one === 'refused') ? 1 : 0;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('not-found', `${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** Whatever ends it, the tokens of the repos that were made are in the file, and it is said where. */
async function carryOutAll(
  plans: readonly RepoPlan[],
  { api, tokens: path }: { readonly api: ReposApi; readonly tokens: string },
  { print, note }: Output,
): Promise<readonly Outcome[]> {
  const makesSome = plans.some(({ kind }) => kind === 'create');
  const tokens = makesSome ? makeTokenFile(path) : { add: () => undefined, close: () => 0 };
  const outcomes: Outcome[] = [];
  try {
    for (const plan of plans) {
      for (const line of describePlan(plan)) print(line);
      outcomes.push(await carryOut({ api, tokens, print }, plan));
    }
  } finally {
    const kept = tokens.close();
    if (kept > 0) note(`The tokens of ${counted(kept, 'new repo')} are in ${path}.`);
  }
  return outcomes;
}

function summary(all: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(all, (one) => one)).map(([what, same]) => `${same?.length} ${what}`);
  return `${counted(all.length, 'repo')}: ${counts.join(', ')}`;
}

function notUnderstood(words: readonly string[]): string {
  return `This is not understood: ${words.join(' ')}`;
}
