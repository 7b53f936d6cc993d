import type { Repo } from '../../core/repo/repo.ts';
import type { Clock } from '../../platform/clock.ts';
import { FIRST_PARENT_LIMIT, type FirstParents } from '../../ports/provider-facts.ts';
import type { FactStore } from '../../storage/store.ts';
import type { AskProvider, Unavailable } from './ask-provider.ts';
import type { Deadline } from './deadline.ts';

interface Services {
  readonly facts: Pick<FactStore, 'find' | 'put'>;
  readonly askProvider: AskProvider;
  readonly clock: Clock;
}

/** First parents of a commit, nearest first, without the commit itself: at most FIRST_PARENT_LIMIT. */
export interface Ancestors {
  readonly commits: readonly string[];
  /** Whether there may be more of them, to be asked for. */
  readonly more: boolean;
}

interface KnownAncestors {
  readonly kind: 'answer';
  readonly value: Ancestors;
}

interface Asked {
  readonly repo: Repo;
  readonly commit: string;
  readonly deadline: Deadline;
}

/**
 * What came before a commit, as far as one call to its provider says. `beyond`: how many are known already; the answer
 * continues from there. Answers are kept, so that a long history of merges is walked once, over several evaluations.
 */
export async function listAncestors(
  { facts, askProvider, clock }: Services,
  { repo, commit, beyond, deadline }: Asked & { readonly beyond: number },
): Promise<KnownAncestors | Unavailable> {
  const key = `ancestry/${commit}`;
  const known = (await facts.find(repo.id, key)) as FirstParents | undefined;
  if (known !== undefined && (known.commits.length > beyond || known.end !== 'cut')) return toAncestors(known);
  const call = {
    repo: repo.name,
    commit: known?.commits.at(-1) ?? commit,
    limit: FIRST_PARENT_LIMIT - (known?.commits.length ?? 0),
  };
  const answer = await askProvider({ repo, deadline, ask: (provider) => provider.listFirstParents(call) });
  if (answer.kind === 'unavailable') return answer;
  // Refused, or nothing is known beyond: it is not kept, since that may change.
  if (answer.value === undefined) return { kind: 'answer', value: { commits: known?.commits ?? [], more: false } };
  const longer = join(known, answer.value);
  await facts.put({ repoId: repo.id, key, value: longer, at: clock.now() });
  return toAncestors(longer);
}

/** What came before a commit, as far as it can be learned now. */
export interface Lineage extends Partial<Omit<Unavailable, 'kind'>> {
  readonly commits: readonly string[];
  /** Whether nothing came before these. */
  readonly isWhole: boolean;
  /** The provider gave no answer: it may give one later. */
  readonly unavailable?: boolean | undefined;
}

/** Asks until there are no more of them, or FIRST_PARENT_LIMIT are there, or the deadline ends. */
export async function walkAncestors(
  services: Services,
  { commit, ...asked }: Omit<Asked, 'commit'> & { readonly commit: string | undefined },
): Promise<Lineage> {
  let commits: readonly string[] = [];
  for (let more = commit !== undefined; more; ) {
    const answer = await listAncestors(services, { ...asked, commit: commit as string, beyond: commits.length });
    if (answer.kind === 'unavailable') return { ...answer, commits, isWhole: false, unavailable: true };
    ({ commits, more } = answer.value);
  }
  // For a first commit nothing is before, and for one that nobody knows nothing is known: both have none.
  return { commits, isWhole: commits.length > 0 && commits.length < FIRST_PARENT_LIMIT };
}

function toAncestors({ commits, end }: FirstParents): KnownAncestors {
  return { kind: 'answer', value: { commits, more: end === 'cut' } };
}

/** A provider that knows nothing beyond is not asked again. */
function join(known: FirstParents | undefined, more: FirstParents): FirstParents {
  return { commits: [...(known?.commits ?? []), ...more.commits], end: more.commits.length === 0 ? 'root' : more.end };
}
