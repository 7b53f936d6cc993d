import { reasonOf } from './output.ts';
import type { WantedRepo } from './read-repos-file.ts';
import { keyOf, type ReposApi } from './repos-api.ts';
import type { TokenFile } from './token-file.ts';
import { type Fields, isSame, splitFields } from './wanted-settings.ts';

/** What is to be done with one repo. */
export type RepoPlan =
  | {
      readonly kind: 'create' | 'change';
      readonly repo: WantedRepo;
      readonly lines: readonly string[];
      readonly settings: Fields;
    }
  | { readonly kind: 'unchanged'; readonly repo: WantedRepo }
  | { readonly kind: 'refused'; readonly repo: WantedRepo; readonly reason: string };

export type Outcome = 'created' | 'changed' | 'unchanged' | 'refused';

const READS_AT_ONCE = 8;

/** Compares what is wanted with what the server has, in the order of the file. Changes nothing. */
export async function planRepos(api: ReposApi, wanted: readonly WantedRepo[]): Promise<readonly RepoPlan[]> {
  const listed = await api.list();
  const plans = new Map<WantedRepo, RepoPlan>();
  const left = wanted.values();
  const work = async (): Promise<void> => {
    for (const repo of left) plans.set(repo, await planRepo(api, repo, listed.get(keyOf(repo))));
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return wanted.flatMap((repo) => plans.get(repo) ?? []);
}

async function planRepo(api: ReposApi, repo: WantedRepo, listed: Fields | undefined): Promise<RepoPlan> {
  const { settings } = repo;
  try {
    if (listed === undefined) {
      const lines = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      return { kind: 'create', repo, lines, settings };
    }
    const current = { ...listed, ...(await api.read(repo)) };
    const changes = Object.entries(settings).filter(([name, value]) => !isSame(name, current[name], value));
    if (changes.length === 0) return { kind: 'unchanged', repo };
    const lines = changes.map(
      ([name, value]) => `${name}: ${JSON.stringify(current[name])} -> ${JSON.stringify(value)}`,
    );
    return { kind: 'change', repo, lines, settings: Object.fromEntries(changes) };
  } catch (error) {
    return { kind: 'refused', repo, reason: reasonOf(error) };
  }
}

/** Carries one plan out; `print` is told what the server refuses. A repo that was made has its token in `tokens`. */
export async function carryOut(
  {
    api,
    tokens,
    print,
  }: { readonly api: ReposApi; readonly tokens: TokenFile; readonly print: (line: string) => void },
  plan: RepoPlan,
): Promise<Outcome> {
  if (plan.kind === 'unchanged' || plan.kind === 'refused') return plan.kind;
  const { repo, settings } = plan;
  let isMade = false;
  try {
    if (plan.kind === 'change') {
      await api.change(repo, settings);
      return 'changed';
    }
    tokens.add(nameOf(repo), await api.create(repo, settings));
    isMade = true;
    await api.change(repo, splitFields(settings).others);
    return 'created';
  } catch (error) {
    print(`    ${refused(reasonOf(error), { isMade })}`);
    return 'refused';
  }
}

/** A plan for people, a line for each setting. */
export function describePlan(plan: RepoPlan): readonly string[] {
  const first = `${plan.kind.padEnd(9)} ${nameOf(plan.repo)}`;
  if (plan.kind === 'refused') return [`${first}`, `    ${plan.reason}`];
  return plan.kind === 'unchanged' ? [first] : [first, ...plan.lines.map((line) => `    ${line}`)];
}

export function nameOf({ service, name }: WantedRepo): string {
  return `${service}/${name}`;
}

function refused(reason: string, { isMade }: { readonly isMade: boolean }): string {
  return `refused${isMade ? ', after it was created' : ''}: ${reason}`;
}
