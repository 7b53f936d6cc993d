import { githubTraits } from '../../server/src/hosts/github/traits.ts';
import type { Host } from '../../server/src/ports/host.ts';

/** GitHub without a sign-in, except for what a test sets. */
export function githubHost({ provider, app, ...change }: Partial<Host> = {}): Host {
  return {
    ...githubTraits({ provider, app }),
    webhook: undefined,
    signIn: undefined,
    idTokens: undefined,
    openTokenView: () => Promise.reject(new Error('not asked here')) as never,
    checkUp: () => Promise.reject(new Error('not asked here')),
    appSetup: undefined,
    linksOf: () => ({ lines: undefined, pull: undefined }),
    ...change,
  };
}

/** GitHub without a sign-in. */
export const GITHUB = githubHost();
