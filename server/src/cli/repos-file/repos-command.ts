import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BadValue, readBaseUrl } from '../../config/values.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import { isRepoService, type RepoAddress } from '../../core/repo/repo-name.ts';
import { counted } from '../../core/sentences.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import { UsageError } from '../command/command-line.ts';
import { carryOut, describePlan, type Outcome, planRepos, type RepoPlan } from './apply-repos.ts';
import { type Output, reasonOf, summary } from './output.ts';
import { readReposFile } from './read-repos-file.ts';
import { createReposApi, keyOf, type ReposApi } from './repos-api.ts';
import { makeTokenFile } from './token-file.ts';

/** What a command line asks for. */
type Asked = AskedServer & {
  readonly dryRun: boolean;
} & (
    | { readonly command: 'apply'; readonly file: string; readonly tokens: string }
    /** `<service>/<owner>/<name>`, or a service: all its repos. */
    | { readonly command: 'webhooks'; readonly names: readonly string[] }
  );

interface AskedServer {
  readonly server: string;
  readonly token: string;
}

/** Throws a UsageError for what is not understood; undefined: help is asked for. */
export function readAsked(args: readonly string[], env: NodeJS.ProcessEnv): Asked | undefined {
  const { positionals, values } = readArguments(args);
  const [command, ...words] = positionals;
  if (values.help || command === 'help') return undefined;
  if (command !== 'apply' && command !== 'webhooks')
    throw new UsageError(command === undefined ? 'Say what to do: apply, or webhooks.' : notUnderstood(positionals));
  const [file, ...others] = words;
  if (file === undefined)
    throw new UsageError(
      command === 'apply'
        ? 'Say which file lists the repos: apply <file>.'
        : 'Say which repos: webhooks <service>, or webhooks <service>/<owner>/<name> ...',
    );
  if (command === 'apply' && others.length > 0) throw new UsageError(notUnderstood(others));
  const { COVERAGE_TOKEN: token = '', COVERAGE_SERVER = '' } = env;
  if (token === '') throw new UsageError('Set COVERAGE_TOKEN to a personal token: npm run token -- create.');
  const { server = COVERAGE_SERVER, tokens = 'repo-tokens.txt', 'dry-run': dryRun = false } = values;
  const asked = { server: readServer(server), token, dryRun };
  return command === 'apply'
    ? { ...asked, command, file, tokens: resolve(tokens) }
    : { ...asked, command, names: words };
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
  if (text === '') throw new UsageError('Name the server: --server <url>, or COVERAGE_SERVER.');
  try {
    return readBaseUrl(text);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new UsageError(`The URL of the server ${error.message}.`);
  }
}

/** Does what is asked for. Answers the exit code; throws a Failure if it cannot go on. */
export function runRepos(asked: Asked, output: Output, fetch: Fetch): Promise<number> {
  const api = createReposApi({ ...asked, fetch });
  return asked.command === 'apply' ? applyRepos(asked, api, output) : setWebhooks(asked, api, output);
}

/** Makes and changes the repos of a file. */
async function applyRepos(
  { file, tokens, dryRun }: Extract<Asked, { command: 'apply' }>,
  api: ReposApi,
  output: Output,
): Promise<number> {
  const wanted = readReposFile(readText(file), file);
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

/** However it ends, the tokens of the repos that were created are in the file, and its path is printed. */
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

function notUnderstood(words: readonly string[]): string {
  return `Unknown arguments: ${words.join(' ')}`;
}

/**
 * Makes or repairs the webhooks of the repos that are named, or of all of a service. Answers the exit code; throws a
 * Failure if it cannot go on.
 */
async function setWebhooks(
  { names, dryRun }: { readonly names: readonly string[]; readonly dryRun: boolean },
  api: ReposApi,
  { print, note }: Output,
): Promise<number> {
  const outcomes: string[] = [];
  for (const repo of await findNamed(api, names)) {
    const { outcome, reason } = dryRun ? { outcome: 'set' } : await setWebhook(api, repo);
    print(`${outcome.padEnd(9)} ${repo.service}/${repo.name}`);
    if (reason !== undefined) print(`    ${reason}`);
    outcomes.push(outcome);
  }
  print(summary(outcomes));
  if (dryRun) note('A dry run: nothing was changed.');
  return outcomes.includes('refused') ? 1 : 0;
}

interface Done {
  readonly outcome: string;
  readonly reason?: string;
}

async function setWebhook(api: ReposApi, repo: RepoAddress): Promise<Done> {
  try {
    return { outcome: await api.setWebhook(repo) };
  } catch (error) {
    return { outcome: 'refused', reason: reasonOf(error) };
  }
}

async function findNamed(api: ReposApi, names: readonly string[]): Promise<readonly RepoAddress[]> {
  const listed = await api.list();
  return names.flatMap((name) => {
    if (isRepoService(name)) return [...listed.values()].filter(({ service }) => service === name);
    const [service = '', ...parts] = name.split('/');
    const repo = isRepoService(service) ? listed.get(keyOf({ service, name: parts.join('/') })) : undefined;
    if (repo !== undefined) return [repo];
    throw new Failure('not-found', `The server shows no repo ${quoteValue(name)} to the holder of COVERAGE_TOKEN.`);
  });
}
