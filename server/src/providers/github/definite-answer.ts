import { ProviderFailure } from '../../ports/provider.ts';

/**
 * Answers of GitHub to a question that mean "there is none" (409: the repo has no commit yet); others may change with
 * the token or the hour.
 */
const NONE: ReadonlySet<number | undefined> = new Set([404, 409, 410, 422]);

/**
 * The answer to a question, undefined where GitHub definitely has none (rules.md, after rule 21). Other failures are
 * thrown.
 */
export async function definiteAnswer<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent' && !error.accessDenied && NONE.has(error.status))
      return undefined;
    throw error;
  }
}

/** The same for one request of several within a call, which fails with Octokit's own error. */
export async function definiteRequest<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && 'status' in error && NONE.has(Number(error.status))) return undefined;
    throw error;
  }
}
