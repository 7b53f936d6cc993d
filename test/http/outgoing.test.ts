import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFetch } from '../../server/src/platform/outgoing/create-fetch.ts';
import type { OutgoingSettings } from '../../server/src/platform/outgoing/dispatcher.ts';
import { type CompanyNetwork, startCompanyNetwork } from '../support/company-network.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { connect, content, endScene, failureOf, place, repo, serve, start } from '../support/github-provider-scene.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '../support/openid-stand-in/openid-stand-in.ts';
import { openBrowser } from '../support/page-browser.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** GitHub Enterprise Server at a name that only the company's proxy knows, with a certificate of its own authority. */
const HOST = 'github.test';
const APP = { clientId: 'Iv1.stand-in', clientSecret: 'client-secret-0123456789' };

let network: CompanyNetwork;
beforeAll(async () => {
  network = await startCompanyNetwork([HOST]);
});
afterAll(() => network.close());

const portOf = (url: string): number => Number(new URL(url).port);
const NOTHING_SET = { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined, ca: undefined };

describe('a server in a company’s network', () => {
  let github: GithubStandIn;
  let openId: OpenIdStandIn;
  let service: Service;
  beforeAll(async () => {
    github = await startGithubStandIn({ basePath: '/api/v3', now: () => service?.time.clock.now() ?? Date.now() });
    github.addOauthApp(APP);
    network.publish(HOST, portOf(github.url));
    openId = await startOpenIdStandIn(() => [`${service.url}/sign-in/openid/callback`]);
    service = await startService({
      env: {
        GITHUB_URL: `https://${HOST}`,
        GITHUB_TOKEN: github.token,
        GITHUB_APP_CLIENT_ID: APP.clientId,
        GITHUB_APP_CLIENT_SECRET: APP.clientSecret,
        OIDC_ISSUER: openId.issuer,
        OIDC_CLIENT_ID: openId.clientId,
        OIDC_CLIENT_SECRET: openId.clientSecret,
        OIDC_ALLOWED_DOMAINS: '*',
        https_proxy: network.proxyUrl,
        HTTP_PROXY: network.proxyUrl,
        CA_FILE: network.caFile,
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    expect(github.violations()).toEqual([]);
    await Promise.all([github.close(), openId.close()]);
  });

  test('announces and asks for source through the proxy, by GITHUB_URL alone', async () => {
    const sha = shaOf('behind the proxy');
    github.addRepo('acme/shop', { private: true });
    github.addCommit('acme/shop', { sha, branch: 'main' });
    github.putFile('acme/shop', { sha, path: 'src/a.ts', content: 'const through = "the proxy";\n' });
    const { token } = await service.newRepo({ service: 'github', name: 'acme/shop' });
    await service.uploadAlone(
      job({ repo_token: token, commit_sha: sha, source_files: [sourceFile('src/a.ts', [1, 0])] }),
    );
    const arrived = () => github.statuses('acme/shop', sha).find(({ state }) => state === 'success');
    await waitFor(async () => arrived(), { what: 'the status', meanwhile: service.time.skipPause });
    const { text } = await service.api.send(`/github/acme/shop/commits/${sha}/file/src/a.ts`, {
      headers: { authorization: `token ${service.adminToken}` },
    });
    expect(text).toContain('the proxy');
    expect(text).toContain(`https://${HOST}/acme/shop/blob/${sha}/src/a.ts`);
    expect(new Set(network.connects())).toEqual(new Set([`${HOST}:443`]));
    expect(github.requests().every(({ path }) => path.startsWith('/api/v3/'))).toBe(true);
  });

  test('takes the id-tokens of the issuer that GITHUB_URL gives, and asks for its keys through it', async () => {
    const sha = shaOf('signed behind the proxy');
    const issuer = `https://${HOST}/_services/token`;
    github.publishIssuer(`https://${HOST}`);
    github.addRepo('acme/signed');
    github.addRun('acme/signed', { headSha: sha });
    await service.newRepo({ service: 'github', name: 'acme/signed' });
    const upload = (claims: object) =>
      service.api.uploadJob({
        repo_token: github.issueIdToken('acme/signed', { aud: service.url, sha, ...claims }),
        source_files: [],
        parallel: true,
      });
    expect((await upload({})).status).toBe(200);
    // No other way leads to that name.
    expect(github.idTokenKeyRequests()).toBe(1);
    const other = await upload({ iss: 'https://token.actions.githubusercontent.com' });
    expect([other.status, other.json.message]).toEqual([422, expect.stringContaining(issuer)]);
  });

  test('asks GitHub who signs in through it too', async () => {
    github.visitAs('mona', { 'acme/shop': 'admin' });
    const here = openBrowser(service.url);
    const { location = '' } = await here.get('/sign-in/github?next=/account/tokens');
    expect(location).toMatch(`https://${HOST}/login/oauth/authorize?`);
    const there = location.replace(`https://${HOST}`, new URL(github.url).origin);
    const { location: back = '' } = await here.get(there);
    expect((await here.follow(back)).text).toContain('<span class="name">mona</span>');
    expect((await service.store.accounts.list({ after: undefined, limit: 9 }))[0]?.issuer).toBe(`https://${HOST}`);
  });

  test('asks the OpenID provider through it', async () => {
    const { host } = new URL(openId.issuer);
    expect(network.connects()).not.toContain(host);
    const { location } = await openBrowser(service.url).get('/sign-in/openid');
    expect(location).toMatch(openId.issuer);
    expect(network.connects()).toContain(host);
  });

  test('never opens an address that an upload names', async () => {
    const asked: string[] = [];
    const trap = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
    const before = network.connects().filter((one) => !one.startsWith(HOST)).length;
    const { token } = await service.newRepo();
    const build = await service.uploadAlone({
      ...job({ repo_token: token, commit_sha: shaOf('addresses') }),
      service_build_url: `${url}/build`,
      service_job_url: `${url}/job`,
      git: {
        head: { id: shaOf('addresses'), message: `See ${url}/message` },
        branch: 'main',
        remotes: [{ name: 'origin', url: `${url}/remote.git` }],
      },
    });
    await openBrowser(service.url).get(`/builds/${build.id}`);
    expect(asked).toEqual([]);
    expect(network.connects().filter((one) => !one.startsWith(HOST))).toHaveLength(before);
    trap.close();
  });
});

describe('a failure names the setting', () => {
  afterEach(async () => {
    network.answerWith(200);
    await endScene();
  });

  /** What a call of GitHub ends in, which the network serves. */
  async function failWith(settings: Partial<OutgoingSettings>) {
    const { stand } = await start();
    network.publish(HOST, portOf(stand.url));
    const send = createFetch({ ...NOTHING_SET, ...settings });
    const provider = connect(`https://${HOST}`, stand.token, { fetch: send });
    const failure = await failureOf(provider.setStatus({ ...place, content }));
    expect(failure.kind).toBe('transient');
    expect(stand.requests()).toEqual([]);
    return failure.message;
  }

  test.each([407, 403, 502])('if the proxy refuses with %i', async (status) => {
    network.answerWith(status);
    expect(await failWith({ httpsProxy: network.proxyUrl })).toContain(`the proxy of HTTPS_PROXY refused (${status})`);
  });

  test('if the proxy is away, without its password', async () => {
    const sentence = await failWith({ httpsProxy: 'http://me:secret-of-mine@127.0.0.1:9' });
    expect(sentence).toContain('the proxy of HTTPS_PROXY cannot be reached (ECONNREFUSED)');
    expect(sentence).not.toContain('secret-of-mine');
  });

  test('if the authority is not known', async () => {
    const sentence = await failWith({ httpsProxy: network.proxyUrl });
    expect(sentence).toContain(`the certificate of ${HOST} is not trusted`);
    expect(sentence).toContain('set CA_FILE');
  });

  test('and NO_PROXY leads past the proxy', async () => {
    const { stand } = await start();
    const before = network.connects();
    const { proxyUrl: httpProxy } = network;
    const past = createFetch({ ...NOTHING_SET, httpProxy, noProxy: 'localhost,127.0.0.1' });
    await connect(stand.url, stand.token, { fetch: past }).setStatus({ ...place, content });
    expect(network.connects()).toEqual(before);
    await connect(stand.url, stand.token, { fetch: createFetch({ ...NOTHING_SET, httpProxy }) }).describeRepo({ repo });
    expect(network.connects()).toHaveLength(before.length + 1);
  });
});

describe('a redirect by GitHub', () => {
  afterEach(endScene);

  test('to another host is followed without the token', async () => {
    const arrived: IncomingMessage[] = [];
    const other = createServer((request, response) => {
      arrived.push(request);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/elsewhere`;
    const provider = await serve((_, response) => response.writeHead(302, { location }).end());
    await Promise.allSettled([provider.describeRepo({ repo }), provider.setStatus({ ...place, content })]);
    expect(arrived).toHaveLength(2);
    expect(arrived.map(({ headers }) => headers.authorization)).toEqual(arrived.map(() => undefined));
    expect(arrived.flatMap(({ rawHeaders }) => rawHeaders).join(' ')).not.toContain('secret-token');
    other.close();
  });
});
