import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { FlipLedger } from '../core/flipping/flip-ledger.ts';
import type { Repo } from '../core/repo/repo.ts';
import { type BlockOrigin, type FlipServices, findBlocksMissed } from './find-flips.ts';

/** The newest closed builds of a repo that are looked through, and those among them that are read whole. */
export const FORGIVEN_LIMITS = { builds: 200, read: 20 } as const;

/** Builds that passed although they miss a block, because only lines that flip made them fail; the newest first. */
export type Forgiven = readonly Pick<BuildSummary, 'id' | 'number' | 'commit' | 'pullRequest'>[];

/** For each block of a ledger where it was forgiven lately. */
export async function findForgiven(
  services: FlipServices,
  { repo, ledger }: { readonly repo: Repo; readonly ledger: FlipLedger },
): Promise<(of: BlockOrigin) => Forgiven> {
  const bases = new Set(ledger.builds.map(({ id }) => id));
  const { builds: limit, read } = FORGIVEN_LIMITS;
  const closed = await services.views.closed({ repoId: repo.id, scope: 'repo', before: undefined, limit });
  const forgiven = closed.filter((build) => bases.has(build.result?.base?.buildId ?? 0) && isForgiven(build));
  const found = new Map<string, Forgiven>();
  for (const { id } of forgiven.slice(0, read)) {
    const build = await services.views.find(id);
    if (build === undefined) continue;
    for (const { origin } of await findBlocksMissed(services, { build, repo }, ledger))
      found.set(keyOf(origin), [...(found.get(keyOf(origin)) ?? []), build]);
  }
  return (of) => found.get(keyOf(of)) ?? [];
}

function isForgiven({ result }: BuildSummary): boolean {
  const { verdict } = result ?? {};
  return verdict !== undefined && 'forgiven' in verdict && (verdict.forgiven?.parts.includes('unstable') ?? false);
}

function keyOf({ file, line }: BlockOrigin): string {
  return `${line} ${file}`;
}
