import { type HostRefs, type HostTerms, USUAL_TERMS } from '../core/repo/git-host.ts';
import type { OpenTokenView } from '../ports/provider.ts';

/**
 * For a host that shows HTML as text. A definition of a link is shown nowhere, and stays in the text of a comment. Of
 * both Bitbuckets it is told that 32,768 characters fit.
 */
export const PLAIN_TERMS: HostTerms = {
  ...USUAL_TERMS,
  countsStatuses: true,
  comment: {
    maxLength: 32_000,
    html: false,
    marker: (text) => `[//]: # (${text.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('\\', '%5C')})`,
  },
};

/** For a host that makes no refs of its own. */
export const NO_REFS: HostRefs = { pullRequestOf: () => undefined, queueOf: () => undefined };

/** For a host none of whose tokens is taken: never asked. */
export const NO_TOKEN_VIEW: OpenTokenView = () => ({
  readRepo: async () => undefined,
  findInstalled: async () => ({ repo: undefined, covered: 0 }),
  readRun: async () => undefined,
  describeCommit: async () => undefined,
  describePullRequest: async () => undefined,
});
