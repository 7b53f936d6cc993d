import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BitbucketStandIn, startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { uuidOf } from '../support/bitbucket-stand-in/present.ts';
import { type GiteaStandIn, startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

/** Rule 29: what ID tokens of Forgejo Actions and of Bitbucket Pipelines prove, and what a forger gains. */

const NAME = 'acme/shop';
const [HEAD, OTHER] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];

const jobOf = (commit: string | undefined, repo_token: string, more: object = {}) => ({
  repo_token,
  repo_name: NAME,
  service_name: 'any',
  commit_sha: commit,
  source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage: [1, 0] }],
  ...more,
});

async function buildOf(service: Service, sent: object) {
  const { build } = await service.upload(sent);
  return service.store.builds.find(Number(build));
}

async function refusalOf(service: Service, sent: object): Promise<string> {
  const { status, text } = await service.api.uploadJob(sent);
  expect(status, text).toBe(422);
  return text;
}

describe('an id-token of Forgejo Actions', () => {
  let forgejo: GiteaStandIn;
  let service: Service;
  let run: string;
  beforeAll(async () => {
    forgejo = await startGiteaStandIn({ flavor: 'forgejo' });
    forgejo.addRepo(NAME);
    forgejo.addRepo('acme/other');
    forgejo.addCommit(NAME, { sha: HEAD, branch: 'topic' });
    forgejo.addPullRequest(NAME, { number: 12, headSha: HEAD, headRef: 'topic', baseRef: 'main' });
    run = String(forgejo.addRun(NAME, { headSha: HEAD, headBranch: 'topic', event: 'pull_request' }).id);
    service = await startService({ env: { FORGEJO_URL: forgejo.url, FORGEJO_TOKEN: forgejo.token } });
    await service.newRepo({ service: 'forgejo', name: NAME });
  });
  afterAll(async () => {
    await service.stop();
    await forgejo.close();
  });

  const claimsOf = (more: object = {}) => ({
    ...{ repository: NAME, run_id: run, run_number: '3', run_attempt: '1', sha: HEAD, actor: 'mona' },
    ...{ ref: 'refs/pull/12/head', head_ref: 'topic', event_name: 'pull_request' },
    aud: `${service.url}#${randomUUID()}`,
    ...more,
  });
  const sign = (more: object = {}) => forgejo.signIdToken(claimsOf(more));
  const refused = (more: object, sent: object = {}) => refusalOf(service, jobOf(HEAD, sign(more), sent));

  test('proves its run: what it says counts, and what an upload says otherwise is refused', async () => {
    const sent = { service_number: run, service_pull_request: '12' };
    expect(await buildOf(service, jobOf(HEAD, sign(), sent))).toMatchObject({
      ...{ trust: 'provider', commit: HEAD, pullRequest: 12, branch: 'topic', number: run },
      vouchedRun: { id: run },
    });
    expect(await refused({}, { service_pull_request: '13' })).toContain('service_pull_request');
    expect(await refused({}, { repo_name: 'acme/other' })).toContain('repo_name');
    expect(await refused({ sha: undefined })).toContain('sha');
    expect(await refused({ run_id: '99' })).toContain('not show this server a run 99');
  });

  test('is of the repo that it names: before Forgejo 16 by its name, then by its number', async () => {
    const providerId = (await service.store.repos.findByName('forgejo', NAME))?.providerId;
    expect(providerId).toBeDefined();
    const named = sign({ repository_id: providerId });
    expect((await buildOf(service, jobOf(HEAD, named, { service_number: run })))?.trust).toBe('provider');
    expect(await refused({ repository_id: '4711' })).toContain('a different repo (id 4711)');
    expect(await refused({ repository: 'acme/none' })).toContain('repository');
  });

  test('carries one upload; what is behind the audience tells two jobs of the same second apart', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const [same, again] = [1, 2].map(() => ({ aud: `${service.url}#same`, iat: now, nbf: now, exp: now + 60 }));
    const flagged = (flag_name: string) => ({ flag_name, parallel: true, service_number: run });
    await service.upload(jobOf(HEAD, sign(same), flagged('unit')));
    expect(await refused(again as object, flagged('e2e'))).toContain('sent before with different content');
    await service.upload(jobOf(HEAD, sign({ ...same, aud: `${service.url}#another` }), flagged('e2e')));
    for (const aud of [`${service.url}#`, `${service.url}#a b`, `${service.url}.evil.example#a`])
      expect(await refused({ aud }), aud).toContain('audience');
  });
});

describe('an id-token of Bitbucket Pipelines', () => {
  let bitbucket: BitbucketStandIn;
  let service: Service;
  const runs: Record<'push' | 'pull' | 'tag' | 'ended', number> = { push: 0, pull: 0, tag: 0, ended: 0 };
  beforeAll(async () => {
    bitbucket = await startBitbucketStandIn();
    bitbucket.addRepo(NAME);
    bitbucket.addRepo('eve/shop');
    bitbucket.addCommit(NAME, { sha: OTHER, branch: 'main' });
    bitbucket.addCommit(NAME, { sha: HEAD, parents: [OTHER], branch: 'topic' });
    bitbucket.addPullRequest(NAME, { number: 12, headSha: HEAD, headRef: 'topic', baseRef: 'main' });
    const add = (more: object) => bitbucket.addRun(NAME, { headSha: HEAD, headBranch: 'topic', ...more }).id;
    runs.push = add({ headSha: OTHER, headBranch: 'main' });
    runs.pull = add({ event: 'pull_request' });
    runs.tag = add({ headSha: OTHER, headBranch: 'main', event: 'tag' });
    runs.ended = add({ status: 'completed', conclusion: 'success' });
    const env = { BITBUCKET_API_URL: bitbucket.url, BITBUCKET_TOKEN: bitbucket.token };
    service = await startService({ env });
    await service.newRepo({ service: 'bitbucket', name: NAME });
  });
  afterAll(async () => {
    await service.stop();
    await bitbucket.close();
    expect(bitbucket.violations()).toEqual([]);
  });

  interface Of {
    readonly run: number;
    readonly workspace?: string;
    readonly claims?: object;
  }
  const sign = ({ run, workspace = 'acme', claims }: Of) =>
    bitbucket.signIdToken(workspace, {
      ...{ repositoryUuid: bitbucket.idOf(NAME), pipelineUuid: uuidOf(run), stepUuid: randomUUID() },
      ...{ workspaceUuid: uuidOf(1), aud: [service.url], ...claims },
    });
  const refused = (of: Of, sent: object = {}) => refusalOf(service, jobOf(undefined, sign(of), sent));
  const asked = (run: number): number =>
    bitbucket.requests().filter(({ path }) => path.endsWith(encodeURIComponent(uuidOf(run)))).length;

  test('proves its pipeline, of which Bitbucket says the commit and the pull request, asked once', async () => {
    const pull = sign({ run: runs.pull });
    expect(await buildOf(service, jobOf(undefined, pull, { service_number: '2', parallel: true }))).toMatchObject({
      ...{ trust: 'provider', commit: HEAD, pullRequest: 12, branch: 'topic', number: '2' },
      vouchedRun: { id: uuidOf(runs.pull) },
    });
    const leg = jobOf(HEAD, sign({ run: runs.pull }), { service_number: '2', parallel: true, flag_name: 'e2e' });
    await service.upload(leg);
    expect(asked(runs.pull)).toBe(1);
    const push = await buildOf(service, jobOf(OTHER, sign({ run: runs.push })));
    expect(push).toMatchObject({ commit: OTHER, branch: 'main' });
    expect(push?.pullRequest).toBeUndefined();
  });

  test('does not speak for a commit, a branch or a pull request that its pipeline is not of', async () => {
    expect(await refused({ run: runs.push }, { commit_sha: HEAD })).toContain('commit_sha');
    expect(await refused({ run: runs.push }, { service_number: '2' })).toContain('service_number');
    expect(await refused({ run: runs.push }, { service_branch: 'topic' })).toContain('service_branch');
    expect(await refused({ run: runs.pull }, { service_pull_request: '13' })).toContain('service_pull_request');
    const tag = await buildOf(service, jobOf(OTHER, sign({ run: runs.tag })));
    expect(tag).toMatchObject({ trust: 'provider', tag: true, number: '3' });
  });

  test('counts while its pipeline runs, and in the repo that the pipeline is of', async () => {
    const ended = `The pipeline ${uuidOf(runs.ended)} has ended`;
    expect(await refused({ run: runs.ended })).toContain(ended);
    expect(await refused({ run: 99 })).toContain(
      `Bitbucket does not show this server a pipeline ${uuidOf(99)} in ` + `${NAME}.`,
    );
    const elsewhere = { repositoryUuid: bitbucket.idOf('eve/shop') };
    expect(await refused({ run: runs.push, workspace: 'eve', claims: elsewhere })).toContain(
      'not show this server a pipeline',
    );
    expect(await refused({ run: runs.push, claims: { pipelineUuid: 'none' } })).toContain('pipelineUuid');
  });

  test('is signed by the workspace of the repo, for this server', async () => {
    // Anybody who has a workspace of their own signs nothing for another.
    expect(await refused({ run: runs.push, workspace: 'eve' })).toContain('repositoryUuid');
    const byId = { run: runs.push, workspace: encodeURIComponent(uuidOf(1)) };
    expect((await buildOf(service, jobOf(OTHER, sign(byId))))?.trust).toBe('provider');
    expect(await refused({ ...byId, claims: { workspaceUuid: uuidOf(2) } })).toContain('repositoryUuid');
    expect(await refused({ run: runs.push, claims: { aud: 'ari:cloud:bitbucket::workspace/1' } })).toContain(
      'audience',
    );
    expect(await refused({ run: runs.push, workspace: '..' })).toContain('It names the issuer');
  });

  test('of a workspace that there is none of is asked about ten times a minute, of one address', async () => {
    const body = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'none' })).toString('base64url');
    const madeUp = (count: number): string => {
      const iss = `${bitbucket.url}/workspaces/made-up-${count}/pipelines-config/identity/oidc`;
      return `${body}.${Buffer.from(JSON.stringify({ iss })).toString('base64url')}.AAAA`;
    };
    const isDiscovery = ({ path }: { readonly path: string }): boolean => path.includes('/made-up-');
    const end = bitbucket.faults.when((request) =>
      isDiscovery(request) ? { kind: 'status', status: 404 } : undefined,
    );
    for (let count = 0; count < 10; count += 1)
      expect((await service.api.uploadJob(jobOf(HEAD, madeUp(count)))).status).toBe(503);
    for (const count of [10, 11]) {
      const { status, text } = await service.api.uploadJob(jobOf(HEAD, madeUp(count)));
      expect([status, text]).toEqual([
        429,
        expect.stringContaining('sent 10 ID tokens within a minute whose issuers gave no keys'),
      ]);
    }
    end();
    expect((await buildOf(service, jobOf(OTHER, sign({ run: runs.push }))))?.trust).toBe('provider');
    await service.time.pass(60_000);
    expect((await service.api.uploadJob(jobOf(HEAD, madeUp(12)))).status).not.toBe(429);
  });

  test('waits where Bitbucket does not answer, and is not believed where it refuses', async () => {
    const sent = () => jobOf(OTHER, sign({ run: 98 }));
    const end = bitbucket.faults.when(({ path }) =>
      path.includes('/pipelines/') ? { kind: 'status', status: 503 } : undefined,
    );
    const away = await service.api.uploadJob(sent());
    end();
    expect([away.status, away.text]).toEqual([503, expect.stringContaining('could not be checked')]);
    const endDenied = bitbucket.faults.when(({ path }) =>
      path.includes('/pipelines/') ? { kind: 'status', status: 403 } : undefined,
    );
    expect(await refusalOf(service, sent())).toContain('Bitbucket refused (403)');
    endDenied();
  });
});
