import { ProviderFailure } from '../ports/provider.ts';

const REDIRECTED: ReadonlySet<number | undefined> = new Set([301, 302, 307, 308]);

/**
 * One call about a repo, at a host that does not say what a former name answers: it may lead to the repo, which only a
 * question may follow, or to nothing. Either way the call is repeated where the repo is now, if `find` finds it there.
 */
export async function runWhereItIs<T>(
  path: string,
  run: (path: string) => Promise<T>,
  find: () => Promise<string | undefined>,
): Promise<T> {
  try {
    return await run(path);
  } catch (error) {
    const status = error instanceof ProviderFailure && error.kind === 'permanent' ? error.status : undefined;
    const moved = REDIRECTED.has(status) || status === 404 ? await find() : undefined;
    if (moved === undefined) throw error;
    return run(moved);
  }
}
