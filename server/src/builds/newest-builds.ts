import type { BuildPageQuery } from '../storage/build-pages.ts';

interface Listing<B> {
  readonly list: (query: BuildPageQuery) => Promise<{ readonly builds: readonly B[] }>;
}

/** A repo's newest builds, newest first: `limit` trusted ones, and as many of unverified runs (rule 29). */
export async function newestBuilds<B extends { readonly sequence: number }>(
  builds: Listing<B>,
  { repoId, limit }: { readonly repoId: number; readonly limit: number },
): Promise<readonly B[]> {
  const sides = (['trusted', 'unverified'] as const).map((trust) =>
    builds.list({ repoId, branch: undefined, trust, offset: 0, limit }),
  );
  const found = (await Promise.all(sides)).flatMap((page) => page.builds);
  return found.toSorted((a, b) => b.sequence - a.sequence);
}
