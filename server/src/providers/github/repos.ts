import type { Provider } from '../../ports/provider.ts';
import type { RepoFacts } from '../../ports/provider-facts.ts';
import { isNumericId, splitRepoName } from './addresses.ts';
import { fieldsOf, idOf, textOf } from './answers.ts';
import type { GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { definiteAnswer } from './definite-answer.ts';
import { OPERATIONS } from './operations.ts';

/** Repos at GitHub. One request each, and one more where an old name leads to a new one. */
export function createRepos(calls: GithubCalls): Pick<Provider, 'describeRepo' | 'describeRepoById'> {
  return {
    describeRepo: ({ repo }) =>
      definiteAnswer(
        calls(async ({ client, ask }) => {
          const { data } = await client.rest.repos.get({ ...splitRepoName(repo), request: ask(OPERATIONS.readRepo) });
          return toRepoFacts(data);
        }),
      ),
    describeRepoById: async ({ id }) => {
      if (!isNumericId(id)) return undefined;
      return definiteAnswer(
        calls(async ({ client, ask }) => {
          // Not in GitHub's description, yet where its own redirects of renamed repos lead
          // (developer.github.com/changes, 2015-04-17), and promised to stay
          // (github.com/KnpLabs/php-github-api/pull/579).
          const { data } = await client.request('GET /repositories/{id}', {
            id: Number(id),
            request: ask(OPERATIONS.readRepo),
          });
          return toRepoFacts(data);
        }),
      );
    },
  };
}

function toRepoFacts(answer: unknown): RepoFacts {
  const repo = fieldsOf(answer);
  const identity = identityOf(repo);
  const defaultBranch = textOf(repo.default_branch);
  if (identity === undefined || defaultBranch === undefined || typeof repo.private !== 'boolean') {
    throw unexpectedAnswer(OPERATIONS.readRepo);
  }
  // An `internal` repo of an Enterprise is `private` too.
  return {
    ...identity,
    defaultBranch,
    visibility: repo.private ? 'private' : 'public',
    parent: identityOf(fieldsOf(repo.parent)),
  };
}

function identityOf(
  repo: Readonly<Record<string, unknown>>,
): { readonly id: string; readonly name: string } | undefined {
  const id = idOf(repo.id);
  const name = textOf(repo.full_name);
  return id === undefined || name === undefined ? undefined : { id: String(id), name };
}
