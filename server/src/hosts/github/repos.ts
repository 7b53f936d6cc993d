import type { Provider } from '../../ports/provider.ts';
import type { RepoFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isNumericId, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import type { CallsOf } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { askDefinitely } from './requests.ts';

/** Repos at GitHub. One request each, and one more where an old name leads to a new one. */
export function createRepos(callsOf: CallsOf): Pick<Provider, 'describeRepo' | 'describeRepoById'> {
  return {
    describeRepo: ({ repo }) =>
      askDefinitely(callsOf(repo), OPERATIONS.readRepo, {
        send: (rest, options) => rest.repos.get({ ...splitRepoName(repo), request: options }),
        read: toRepoFacts,
      }),
    describeRepoById: async ({ id, name }) => {
      if (!isNumericId(id)) return undefined;
      return askDefinitely(callsOf(name), OPERATIONS.readRepo, {
        // Not in GitHub's description, yet where its own redirects of renamed repos lead
        // (developer.github.com/changes, 2015-04-17), and promised to stay
        // (github.com/KnpLabs/php-github-api/pull/579).
        send: (_, options, client) => client.request('GET /repositories/{id}', { id: Number(id), request: options }),
        read: toRepoFacts,
      });
    },
  };
}

function toRepoFacts(repo: Fields): RepoFacts | undefined {
  const identity = identityOf(repo);
  const defaultBranch = textOf(repo.default_branch);
  if (identity === undefined || defaultBranch === undefined || typeof repo.private !== 'boolean') return undefined;
  // An `internal` repo of an Enterprise is `private` too.
  const visibility = repo.private ? 'private' : 'public';
  return { ...identity, defaultBranch, visibility, parent: identityOf(fieldsOf(repo.parent)) };
}

/** Which repo it is; undefined when the answer is not GitHub's. */
export function identityOf(repo: Fields): { readonly id: string; readonly name: string } | undefined {
  const id = idOf(repo.id);
  const name = textOf(repo.full_name);
  return id === undefined || name === undefined ? undefined : { id: String(id), name };
}
