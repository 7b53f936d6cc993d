import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { startBitbucketServerStandIn } from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { type BitbucketStandIn, startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { uuidOf } from '../support/bitbucket-stand-in/present.ts';
import { shaOf } from '../support/coverage-api.ts';
import type { HostContents, HostSetUp } from '../support/github-stand-in/host-set-up.ts';
import { ALL, type HostForks, openHostForks } from '../support/host-forks.ts';
import { type Service, startService } from '../support/service.ts';

/** Rule 29 at both Bitbuckets, where no run of a fork is believed: its pipelines run in the fork, or there is no CI. */

const NAME = 'acme/shop';
const [EVES, MALLORYS] = ['eve/shop', 'mallory/shop'];
const [MAIN, TOPIC, EVE, MALLORY] = ['main', 'topic', 'eve', 'mallory'].map(shaOf) as [string, string, string, string];
const EVES_TOKEN = 'BBDC-token-of-eve-0123456789abcdefghijklmnopqrstu';

interface Stand extends HostSetUp, HostContents {
  violations(): readonly unknown[];
  close(): Promise<void>;
}

interface Running {
  readonly host: Stand;
  readonly service: Service;
  readonly forks: HostForks;
  readonly token: string;
  readonly main: Build;
}

async function connect(host: Stand, about: { service: string; ci: string; env: Record<string, string> }) {
  host.addRepo(NAME);
  for (const name of [EVES, MALLORYS]) host.addRepo(name, { parent: NAME });
  host.addCommit(NAME, { sha: MAIN, branch: 'main' });
  for (const sha of [TOPIC, EVE]) host.addCommit(NAME, { sha, parents: [MAIN] });
  const change = { baseRef: 'main', baseSha: MAIN };
  host.addPullRequest(NAME, { ...change, number: 12, headSha: TOPIC, headRef: 'topic' });
  host.addPullRequest(NAME, { ...change, number: 13, headSha: EVE, headRef: 'main', headRepo: EVES });
  host.addPullRequest(NAME, { ...change, number: 14, headSha: MALLORY, headRef: 'fix', headRepo: MALLORYS });
  const service = await startService({ env: about.env });
  const { token } = await service.newRepo({ service: about.service, name: NAME });
  const told = () => ({
    comments: [12, 13, 14].map((number) => host.comments(NAME, number)),
    statuses: [MAIN, TOPIC, EVE, MALLORY].map((sha) => host.statuses(NAME, sha)),
  });
  const forks = await openHostForks({ service, host: about.service, ci: about.ci, repo: NAME, told });
  const sent = { repo_token: token, service_number: '71', service_branch: 'main', commit_sha: MAIN };
  return { host, service, forks, token, main: await forks.uploaded(sent, ALL) };
}

async function end({ host, service }: Running): Promise<void> {
  await service.stop();
  await host.close();
  expect(host.violations()).toEqual([]);
}

/** What a job of Eve's pull request sends, without a token. */
const OF_EVE = { repo_token: undefined, service_number: '5', service_pull_request: '13', commit_sha: EVE };

const KINDS = [
  {
    kind: 'Bitbucket Cloud',
    open: async (): Promise<Running> => {
      const host = await startBitbucketStandIn();
      const env = { BITBUCKET_API_URL: host.url, BITBUCKET_TOKEN: host.token };
      return connect(host, { service: 'bitbucket', ci: 'bitbucket', env });
    },
  },
  {
    kind: 'Bitbucket Data Center',
    open: async (): Promise<Running> => {
      const host = await startBitbucketServerStandIn();
      host.addPerson(EVES_TOKEN, { login: 'eve', access: { [EVES]: 'admin', [NAME]: 'read' } });
      const env = { BITBUCKET_SERVER_URL: host.url, BITBUCKET_SERVER_TOKEN: host.token };
      return connect(host, { service: 'stash', ci: 'jenkins', env });
    },
  },
];

describe.each(KINDS)('a fork at $kind', ({ open }) => {
  let at: Running;
  beforeAll(async () => {
    at = await open();
  });
  afterAll(() => end(at));

  const runOf = (repo: string, headSha: string, headBranch: string, event: string): string =>
    uuidOf(at.host.addRun(repo, { headSha, headBranch, event }).id);

  test.each<[string, () => object]>([
    ['its pull request', () => OF_EVE],
    ['a run that is not there', () => ({ ...OF_EVE, service_number: uuidOf(4711) })],
    ['a run of the fork', () => ({ ...OF_EVE, service_number: runOf(EVES, EVE, 'main', 'push') })],
    ['a run of the repo', () => ({ ...OF_EVE, service_number: runOf(NAME, MAIN, 'main', 'push'), commit_sha: MAIN })],
    [
      'a run of a pull request of the repo itself',
      () => ({
        ...{ ...OF_EVE, service_number: runOf(NAME, TOPIC, 'topic', 'pull_request') },
        ...{ service_pull_request: '12', commit_sha: TOPIC },
      }),
    ],
    ['the branch main', () => ({ ...OF_EVE, service_pull_request: undefined, service_branch: 'main' })],
    ["another's pull request", () => ({ ...OF_EVE, service_pull_request: '14', commit_sha: MALLORY })],
    ["its author's own token", () => ({ ...OF_EVE, repo_token: EVES_TOKEN })],
  ])('gains nothing where it names %s, even if forks are accepted', async (_, forge) => {
    const fields = forge();
    await at.forks.set({ accept_forks: true });
    const before = await at.forks.everything();
    const { status, text } = await at.forks.upload(fields);
    expect([status, text.includes('BITBUCKET_PIPELINE_UUID')]).toEqual([422, false]);
    expect(await at.forks.everything()).toEqual(before);
  });

  test('closes no build of others', async () => {
    const before = await at.forks.everything();
    for (const repo_token of [undefined, EVES_TOKEN])
      expect((await at.forks.close({ repo_token, repo_name: NAME }, at.main.number)).status).toBe(422);
    expect(await at.forks.everything()).toEqual(before);
  });

  test('whose branch is called main moves nothing of main, by the repo token', async () => {
    const claims = { service_branch: 'main', compare_sha: MAIN };
    const build = await at.forks.uploaded({ ...OF_EVE, repo_token: at.token, ...claims });
    expect(build).toMatchObject({ trust: 'secret', pullRequest: 13, commit: EVE });
    expect(build.id).not.toBe(at.main.id);
    expect(await at.forks.badge()).toContain('coverage: 100');
    expect(at.host.comments(NAME, 13)).toHaveLength(1);
  });
});

describe('id-tokens of a pipeline in a fork at Bitbucket Cloud', () => {
  let at: Running & { readonly host: BitbucketStandIn };
  beforeAll(async () => {
    at = (await KINDS[0]?.open()) as typeof at;
  });
  afterAll(() => end(at));

  /** By default as Eve's workspace signs it for a pipeline of her fork. */
  const signed = (claims: object = {}, workspace = 'eve') => {
    const run = at.host.addRun(EVES, { headSha: EVE, headBranch: 'main', actor: 'eve' });
    const own = { repositoryUuid: at.host.idOf(EVES), pipelineUuid: uuidOf(run.id), workspaceUuid: uuidOf(2) };
    return at.host.signIdToken(workspace, { ...own, aud: [at.service.url], ...claims });
  };
  const ofRepo = () => ({ repositoryUuid: at.host.idOf(NAME) });

  test.each<[string, () => object, string]>([
    ['alone', () => ({ repo_token: signed(), repo_name: undefined, service_number: undefined }), 'eve/shop'],
    ['with the name of the repo', () => ({ repo_token: signed() }), 'is for "eve/shop"'],
    ["with the repo's id in it", () => ({ repo_token: signed(ofRepo()) }), 'claim repositoryUuid'],
    [
      "with the repo's id and its workspace's",
      () => ({ repo_token: signed({ ...ofRepo(), workspaceUuid: uuidOf(1) }) }),
      'claim repositoryUuid',
    ],
    [
      "for another's pull request",
      () => ({ repo_token: signed(), service_pull_request: '12', commit_sha: TOPIC }),
      'is for "eve/shop"',
    ],
    [
      'for a commit of the repo',
      () => ({ repo_token: signed(), service_pull_request: undefined, commit_sha: MAIN }),
      'is for "eve/shop"',
    ],
  ])('gain nothing %s', async (_, forge, sentence) => {
    const fields = forge();
    const before = await at.forks.everything();
    const { status, json } = await at.forks.upload({ ...OF_EVE, ...fields });
    expect([status, json.message]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await at.forks.everything()).toEqual(before);
  });

  test('and a push of the repo that names a pull request of another commit says nothing there', async () => {
    const { id, runNumber } = at.host.addRun(NAME, { headSha: MAIN, headBranch: 'main' });
    const claims = { ...ofRepo(), pipelineUuid: uuidOf(id), workspaceUuid: uuidOf(1) };
    const sent = { service_number: String(runNumber), commit_sha: MAIN, service_pull_request: '12' };
    const build = await at.forks.uploaded({ ...sent, repo_token: signed(claims, 'acme') }, ALL);
    expect([build.trust, build.pullRequest, build.branch]).toEqual(['provider', undefined, 'main']);
    expect(at.host.comments(NAME, 12)).toEqual([]);
  });

  test('and one that was copied carries the same upload again, and no other', async () => {
    const { id, runNumber } = at.host.addRun(NAME, { headSha: MAIN, headBranch: 'main' });
    const repo_token = signed({ ...ofRepo(), pipelineUuid: uuidOf(id), workspaceUuid: uuidOf(1) }, 'acme');
    const sent = { repo_token, service_number: String(runNumber), commit_sha: MAIN, parallel: true };
    for (const _ of [1, 2]) expect((await at.forks.upload(sent)).status).toBe(200);
    const { status, text } = await at.forks.upload(sent, ALL);
    expect([status, text]).toEqual([422, expect.stringContaining('sent before with different content')]);
  });
});
