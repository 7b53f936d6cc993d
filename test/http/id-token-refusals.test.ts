import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { shaOf } from '../support/coverage-api.ts';
import type { IdTokenClaims, Signing } from '../support/github-stand-in/id-tokens.ts';
import { type IdTokenScene, PULL, startIdTokenScene } from '../support/id-token-scene.ts';
import type { Upload } from '../support/provider-token-scene.ts';
import { startService } from '../support/service.ts';

let scene: IdTokenScene;
beforeAll(async () => {
  scene = await startIdTokenScene({ ALLOWED_OWNERS: 'tools' });
  await scene.service.newRepo({ service: 'github', name: 'acme/shop' });
});
afterEach(() => scene.github.faults.clear());
afterAll(() => scene.end());

const now = (): number => Math.floor(Date.now() / 1_000);
const OTHER = shaOf('another commit');

/** Nothing of a refused upload is stored, no repo is made for it, and the sentence never shows the token. */
async function refused(token: string, fields: Upload, sentence: string): Promise<void> {
  const { repos } = scene.service.store;
  const before = await repos.list({ after: undefined, limit: 100 });
  const { status, json } = await scene.uploadWith(token, fields);
  expect([status, json]).toEqual([422, { message: expect.stringContaining(sentence), error: true }]);
  expect(json.message).not.toContain(token.slice(0, 20));
  expect(await scene.builds()).toBe(0);
  const known = await repos.list({ after: undefined, limit: 100 });
  expect(known.map(({ id, name }) => ({ id, name }))).toEqual(before.map(({ id, name }) => ({ id, name })));
}

describe('an id-token is refused', () => {
  test.each<[string, () => IdTokenClaims, Signing, string]>([
    [
      'of another issuer',
      () => ({ iss: 'https://issuer.example' }),
      {},
      'It names the issuer "https://issuer.example"',
    ],
    [
      'for another server',
      () => ({ aud: 'https://other.example' }),
      {},
      'for the audience "https://other.example", but',
    ],
    ['for nobody', () => ({ aud: undefined }), {}, 'Its claim aud is missing or wrong'],
    ['without a signature', () => ({}), { alg: 'none' }, 'It is signed by "none", and only RS256 is accepted'],
    ['signed with the public key', () => ({}), { alg: 'HS256' }, 'It is signed by "HS256", and only RS256'],
    ['signed otherwise', () => ({}), { alg: 'RS512' }, 'It is signed by "RS512", and only RS256'],
    ['that has expired', () => ({ exp: now() - 60 }), {}, 'It expired at '],
    ['that is not valid yet', () => ({ nbf: now() + 90 }), {}, ' on (nbf), and it is '],
    ['from the future', () => ({ iat: now() + 90, nbf: undefined }), {}, ' on (iat), and it is '],
    ['without an end', () => ({ exp: undefined }), {}, 'Its claim exp is missing'],
    ['with an empty id', () => ({ jti: '' }), {}, 'Its claim jti is missing or wrong'],
    [
      'of an unknown key',
      () => ({}),
      { kid: 'unknown' },
      'with the key "unknown", which is not one of http://127.0.0.1:',
    ],
    ['of no commit', () => ({ sha: undefined }), {}, 'Its claim sha is missing or wrong'],
    ['of a strange repo', () => ({ repository: '../../x' }), {}, 'Its claim repository is missing or wrong'],
    ['of a bot that gets no secrets', () => ({ actor: 'dependabot[bot]' }), {}, 'was started by Dependabot'],
  ])('%s', (_, claims, signing, sentence) => refused(scene.token(claims(), signing), {}, sentence));

  test('whose claims were changed afterward', () => {
    const [head, , signature] = scene.token().split('.');
    const [, claims] = scene.token({ run_attempt: '9' }).split('.');
    return refused(`${head}.${claims}.${signature}`, {}, 'Its signature is wrong.');
  });
});

describe('what comes beside an id-token has to agree', () => {
  test.each<[string, () => Upload, string]>([
    [
      'repo',
      () => ({ repo_name: 'acme/other' }),
      'repo_name is "acme/other", but the ID token in repo_token is for "acme',
    ],
    ['commit', () => ({ commit_sha: OTHER }), `commit_sha is "${OTHER}", but the ID token in repo_token is for "`],
    ['tested commit', () => ({ service_tested_sha: OTHER }), `service_tested_sha is "${OTHER}", but`],
    ['run', () => ({ service_number: scene.runs.pull }), 'service_number is "'],
    ['attempt', () => ({ service_attempt: 2 }), 'service_attempt is "2", but the ID token in repo_token is for "1"'],
    ['event', () => ({ service_event_type: 'schedule' }), 'service_event_type is "schedule", but'],
    [
      'ref',
      () => ({ service_branch: 'release' }),
      'service_branch is "release", but the ID token in repo_token is for "ma',
    ],
  ])('%s', (_, fields, sentence) => refused(scene.token(), fields(), sentence));

  test.each<[string, IdTokenClaims, Upload, string]>([
    ['another pull request', {}, { service_pull_request: '8' }, 'service_pull_request is "8", but the ID token in'],
    ['another merge commit', {}, { service_tested_sha: OTHER }, `service_tested_sha is "${OTHER}", but`],
    ['another head', {}, { commit_sha: OTHER }, `merges ${PULL.head}, but the job is for "${OTHER}"`],
    ['a head that the tested commit does not merge', { sha: PULL.head }, { commit_sha: OTHER }, 'but the job is for "'],
    ['a run that GitHub does not show', { run_id: '99' }, {}, 'GitHub does not show this server a run 99 in the repo'],
  ])('on a pull request: %s', (_, claims, fields, sentence) =>
    refused(scene.token({ ...scene.ofPull, ...claims }), { commit_sha: PULL.head, ...fields }, sentence),
  );

  test.each(['pull_request', 'pull_request_target'])("a fork's run, started by %s", (event_name) =>
    refused(
      scene.token({ ...scene.ofPull, run_id: scene.runs.fork, event_name }),
      { commit_sha: '' },
      `The run ${scene.runs.fork} builds a commit of a fork`,
    ),
  );

  test('what GitHub refuses to tell', async () => {
    scene.github.faults.when(({ path }) => (path.includes('/actions/') ? { kind: 'status', status: 403 } : undefined));
    await refused(scene.token(scene.ofPull), { commit_sha: PULL.head }, 'GitHub refused (403) to show this server');
  });
});

describe('the repo of an id-token', () => {
  test('that is not here is not made, nor under an allowed owner where the upload is refused', async () => {
    const { github, service } = scene;
    github.addRepo('tools/cli');
    for (const name of ['acme/other', 'tools/cli']) github.addRun(name, { headSha: OTHER });
    const of = (repo: string) => github.issueIdToken(repo, { aud: service.url });
    await refused(of('acme/other'), { commit_sha: '' }, 'this server has no github repo "acme/other"');
    await refused(of('tools/cli'), { commit_sha: PULL.head }, 'commit_sha is "');
  });

  test('is known by its id: a name that was registered again gains nothing, a renamed repo keeps its own', async () => {
    const { github, service } = scene;
    const { repos } = service.store;
    github.addRepo('acme/lent');
    github.addRun('acme/lent', { headSha: OTHER });
    const of = (repo: string, claims: IdTokenClaims = {}) => github.issueIdToken(repo, { aud: service.url, ...claims });
    await service.newRepo({ service: 'github', name: 'acme/lent' });
    const upload = { commit_sha: OTHER, service_branch: 'main' };
    expect((await scene.uploadWith(of('acme/lent'), upload)).status).toBe(200);
    const old = await repos.findByName('github', 'acme/lent');
    github.renameRepo('acme/lent', 'acme/kept');
    github.addRepo('acme/lent');
    await refused(of('acme/lent', { sha: OTHER }), upload, 'this name now belongs to a different repo (id ');
    // As the next question to the host finds it.
    await repos.follow({
      repoId: old?.id ?? 0,
      suspended: 'The name acme/lent now means another repo.',
      at: Date.now(),
    });
    const kept = await scene.uploadWith(of('acme/kept'), { ...upload, repo_name: 'acme/kept' });
    expect(kept.status, kept.text).toBe(200);
    const now = await repos.find(old?.id ?? 0);
    expect([now?.name, now?.suspended]).toEqual(['acme/kept', undefined]);
    expect(
      (await service.store.views.list({ repoId: old?.id ?? 0, branch: undefined, offset: 0, limit: 1 })).total,
    ).toBe(1);
  });

  test('is made under an allowed owner by its first upload', async () => {
    const { github, service } = scene;
    const token = github.issueIdToken('tools/cli', { aud: service.url });
    expect((await scene.close({ repo_token: token }, undefined)).status).toBe(422);
    expect(
      (await scene.uploadWith(github.issueIdToken('tools/cli', { aud: service.url }), { commit_sha: '' })).status,
    ).toBe(200);
    expect(await service.store.repos.findByName('github', 'tools/cli')).toMatchObject({ owner: '(provider)' });
  });
});

describe('an issuer', () => {
  test.each<[string, (issuer: string) => object | string, string]>([
    [
      'that describes another one',
      () => ({ issuer: 'https://x.example' }),
      'it describes itself as "https://x.example"',
    ],
    ['whose keys are elsewhere without https', (issuer) => ({ issuer, jwks_uri: 'http://x.example/k' }), 'only https'],
    ['that sends no end', () => `"${'x'.repeat(300_000)}"`, 'its answer has more than 262144 bytes'],
    ['that sends a page', () => '<html>', 'its answer is not that of an issuer'],
  ])('%s is not believed', async (_, about, sentence) => {
    const server = createServer((_request, response) => {
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const body = about(issuer);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = await startService({ env: { GITHUB_OIDC_ISSUERS: issuer } });
    const token = scene.token({ iss: issuer, aud: service.url });
    const { status, json } = await service.api.uploadJob({ repo_token: token, source_files: [] });
    expect([status, json.message]).toEqual([503, expect.stringContaining(sentence)]);
    await service.stop();
    server.close();
    server.closeAllConnections();
  });

  test('is none where the operator takes none; without a sign-in nobody is asked about a pull request', async () => {
    const { github } = scene;
    const off = await startService({ github, env: { GITHUB_OIDC_ISSUERS: 'none' } });
    const answer = await off.api.uploadJob({ repo_token: scene.token({ aud: off.url }), source_files: [] });
    expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining('accepts no ID tokens')]);
    await off.stop();
    const alone = await startService({ env: { GITHUB_API_URL: github.url } });
    await alone.newRepo({ service: 'github', name: 'acme/shop' });
    const upload = async (claims: IdTokenClaims) =>
      alone.api.uploadJob({ repo_token: scene.token({ aud: alone.url, ...claims }), source_files: [] });
    expect((await upload({})).status).toBe(200);
    const pull = await upload(scene.ofPull);
    expect([pull.status, pull.json.message]).toEqual([422, expect.stringContaining('cannot ask GitHub what that run')]);
    await alone.stop();
  });
});

test('no token is in an answer, a log line or the database', () => scene.checkSecrecy());
