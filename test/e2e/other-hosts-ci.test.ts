import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { uuidOf } from '../support/bitbucket-stand-in/present.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import { runCommand } from '../support/run-command.ts';
import { pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { type Service, startService } from '../support/service.ts';

/** The built action and command in the CI of Gitea, Forgejo and Bitbucket, without the repo's token. */

const NAME = 'acme/shop';
const JOB_TOKEN = '0123456789'.repeat(4);

let repo: GitRepo;
let head: string;
beforeAll(() => {
  repo = createGitRepo();
  head = repo.commit('Add the cart', {
    'a.js': 'a();\nb();\n',
    'lcov.info': 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n',
  });
});
afterAll(() => repo.remove());

const trustOf = async (service: Service) => (await service.store.builds.find(1))?.trust;

describe.each(['gitea', 'forgejo'] as const)('the action at %s', (flavor) => {
  test('uploads the legs of a job with what the host gives them, and closes', async () => {
    const host = await startGiteaStandIn({ flavor });
    host.addRepo(NAME);
    host.addCommit(NAME, { sha: head, branch: 'main' });
    host.addJob(JOB_TOKEN, { repo: NAME });
    const runId = String(host.addRun(NAME, { headSha: head, headBranch: 'main' }).id);
    const setting = flavor.toUpperCase();
    const service = await startService({ env: { [`${setting}_URL`]: host.url, [`${setting}_TOKEN`]: host.token } });
    await service.newRepo({ service: flavor, name: NAME });
    const claims = { repository: NAME, run_id: runId, run_number: '1', run_attempt: '1', sha: head };
    const ofRun = { ref: 'refs/heads/main', event_name: 'push', actor: 'mona', ...claims };
    // Forgejo's runner says that it is Gitea's as well.
    const marks = { GITEA_ACTIONS: 'true', ...(flavor === 'forgejo' && { FORGEJO_ACTIONS: 'true' }) };
    const step = (inputs: Record<string, string>) =>
      runAction({
        ...{ workspace: repo.directory, event: pushEvent({ repo: NAME, branch: 'main', sha: head }), runId },
        env: { ...marks, GITHUB_SERVER_URL: host.url, ...(flavor === 'forgejo' && host.allowIdTokens(ofRun)) },
        githubToken: JOB_TOKEN,
        inputs: { 'server-url': service.url, ...inputs },
      });
    const leg = (flag: string) => step({ parallel: 'true', 'flag-name': flag });
    const legs = await Promise.all([leg('unit'), leg('e2e')]);
    expect(legs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const how = flavor === 'forgejo' ? 'an ID token of this run' : 'the github-token';
    expect(legs[0].stdout).toContain(`Using ${how}`);
    const { exitCode, stdout, outputs } = await step({ 'parallel-finished': 'true' });
    expect([exitCode, outputs.coverage], stdout).toEqual([0, '50.00']);
    expect(await trustOf(service)).toBe('provider');
    expect(await service.store.jobs.list({ buildId: 1, offset: 0, limit: 9 })).toHaveLength(2);
    await service.stop();
    await host.close();
  });
});

test('the command in a step of Bitbucket Pipelines with `oidc` needs no secret', async () => {
  const host = await startBitbucketStandIn();
  host.addRepo(NAME);
  host.addCommit(NAME, { sha: head, branch: 'main' });
  const run = host.addRun(NAME, { headSha: head, headBranch: 'main' });
  const service = await startService({ env: { BITBUCKET_API_URL: host.url, BITBUCKET_TOKEN: host.token } });
  await service.newRepo({ service: 'bitbucket', name: NAME });
  const ids = { repositoryUuid: host.idOf(NAME), pipelineUuid: uuidOf(run.id), stepUuid: uuidOf(1) };
  const step = {
    ...{ BITBUCKET_BUILD_NUMBER: String(run.runNumber), BITBUCKET_COMMIT: head, BITBUCKET_BRANCH: 'main' },
    ...{ BITBUCKET_STEP_UUID: ids.stepUuid, BITBUCKET_REPO_FULL_NAME: NAME, COVERAGE_ENDPOINT: service.url },
    BITBUCKET_STEP_OIDC_TOKEN: host.signIdToken('acme', { ...ids, aud: [service.url] }),
  };
  const { code, stderr } = await runCommand(['report'], { folder: repo.directory, env: step });
  expect([code, stderr]).toEqual([0, expect.stringContaining('a run of Bitbucket Pipelines')]);
  expect(await trustOf(service)).toBe('provider');
  const elsewhere = { ...step, BITBUCKET_BUILD_NUMBER: '', CIRCLECI: 'true' };
  expect((await runCommand(['report'], { folder: repo.directory, env: elsewhere })).stderr).toContain(
    'No repo token is set.',
  );
  await service.stop();
  await host.close();
});
