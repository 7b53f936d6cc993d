// As whom the step speaks to the server.
import type { Texts } from './values.ts';

export const AS_REPO_TOKEN = 'The step signs its upload with the repo-token.';

export const AS_RUN = 'Uploading without a token: the git host vouches for the run.';

export const AS_GITHUB_TOKEN =
  'The step signs its upload with the github-token: there is no repo-token, and the job may ask for no id-token ' +
  '("permissions: id-token: write").';

export function asIdToken(audience: string): string {
  return (
    `The step signs its upload with an id-token of this run for ${audience}: there is no repo-token, and the job may ` +
    'ask for one.'
  );
}

/** `reason`: a clause. `next`: what is used instead. */
export function noIdToken({ reason, next }: Texts<'reason' | 'next'>): string {
  return `GitHub gave this job no id-token (${reason}); ${next}.`;
}

export const GITHUB_TOKEN_INSTEAD = 'the github-token is used instead';

export const RUN_INSTEAD = 'the step uploads without a token instead, and the git host vouches for the run';

export const NOTHING_INSTEAD = 'and there is neither a repo-token nor a github-token';

export function answeredOtherwise(status: number): string {
  return `it answered ${status} without a token`;
}

export const NO_ADDRESS = 'ACTIONS_ID_TOKEN_REQUEST_URL is no address';

/** `next`: a clause, what is tried then. */
export function tokenRefused({ token, next, said }: Texts<'token' | 'next' | 'said'>): string {
  return `The server did not take ${token}; ${next}. It said: ${said}`;
}

export const ID_TOKEN = 'the id-token';

export const GITHUB_TOKEN = 'the GitHub token of this run, which has no secrets';

export const GITHUB_TOKEN_NEXT = 'the github-token is tried instead';

export const RUN_NEXT = 'the step sends it without a token instead, and the git host vouches for the run';
