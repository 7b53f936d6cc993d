import { type HostTerms, USUAL_TERMS } from '../../core/repo/git-host.ts';

/** GitLab keeps HTML comments in a note and hides them, folds `<details>`, and takes far longer notes than ours. */
export const GITLAB_TERMS: HostTerms = { ...USUAL_TERMS, pullRequest: 'merge request', symbol: '!' };
