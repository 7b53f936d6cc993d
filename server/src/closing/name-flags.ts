import type { CarryforwardRequest } from '../core/builds/build.ts';
import { namedFlags } from '../core/builds/carryforward.ts';
import type { BuildStore } from '../storage/build-store.ts';

/** Closed builds whose flags are known for certain; an older flag is asked for by its whole name. */
const BUILDS = 10;
const MAX_LOOKUPS = 20;

/** Tells the names of a request from its lists: a flag's name may hold commas. Only then is the store asked. */
export async function nameFlags(
  builds: Pick<BuildStore, 'closed' | 'withFlag'>,
  repoId: number,
  request: CarryforwardRequest | undefined,
): Promise<CarryforwardRequest | undefined> {
  if (request === undefined || request === 'all') return request;
  const lists = request.filter((entry) => entry.includes(','));
  if (lists.length === 0) return request;
  const scope = { repoId, scope: 'repo', before: undefined } as const;
  const newest = await builds.closed({ ...scope, limit: BUILDS });
  const known = new Set(newest.flatMap(({ result }) => result?.flags.map(({ name }) => name) ?? []));
  for (const flag of lists.filter((entry) => !known.has(entry)).slice(0, MAX_LOOKUPS))
    if ((await builds.withFlag({ ...scope, flag, limit: 1 })).length > 0) known.add(flag);
  return namedFlags(request, known);
}
