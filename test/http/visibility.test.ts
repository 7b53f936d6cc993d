import { afterEach, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { startService } from '../support/service.ts';

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

/** What a stranger gets for the page of a build of a repo that is public or private at the provider. */
async function strangerSees(policy: string, isPrivate: boolean): Promise<readonly number[]> {
  const github = await startGithubStandIn();
  const service = await startService({ github, env: { REQUIRE_SIGN_IN: policy } });
  stop = async () => {
    await service.stop();
    await github.close();
  };
  github.addRepo('octo/open', { private: isPrivate });
  github.addCommit('octo/open', { sha: shaOf('commit'), branch: 'main' });
  const repo = await service.newRepo({ service: 'github', name: 'octo/open' });
  const source_files = [sourceFile('src/a.ts', [1, 0])];
  const build = await service.uploadAlone({
    ...job({ repo_token: repo.token, source_files }),
    commit_sha: shaOf('commit'),
  });
  const answers = await Promise.all(['', '.json'].map((ending) => fetch(`${service.url}/builds/${build.id}${ending}`)));
  return answers.map(({ status }) => status);
}

test.each([
  ['public at the provider, and REQUIRE_SIGN_IN off: everybody', 'false', false, 200],
  ['private at the provider: nobody', 'false', true, 404],
  ['REQUIRE_SIGN_IN on: nobody', 'true', false, 404],
])('rule 30: a build of a repo that is %s', async (_, policy, isPrivate, status) => {
  expect(await strangerSees(policy, isPrivate)).toEqual([status, status]);
});
