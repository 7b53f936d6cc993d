import { createHmac, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { proveDoctor } from '../../server/src/operations/doctor-proof.ts';
import { createSecrets } from '../../server/src/platform/secrets/create-secrets.ts';
import type { WebhookLog } from '../../server/src/storage/webhook-log.ts';
import { job, shaOf } from '../support/coverage-api.ts';
import {
  type GithubStandIn,
  type GithubStandInOptions,
  startGithubStandIn,
} from '../support/github-stand-in/github-stand-in.ts';
import { startOpenIdStandIn } from '../support/openid-stand-in/openid-stand-in.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const HOOK_SECRET = 'secret-of-the-webhook-of-the-tests';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(options: ServiceOptions & { readonly standIn?: GithubStandInOptions } = {}) {
  const github = await startGithubStandIn(options.standIn);
  ends.push(async () => {
    expect(github.violations()).toEqual([]);
    await github.close();
  });
  const service = await startService({ github, ...options });
  ends.push(service.stop);
  return { service, github };
}

const ask = (service: Service, token: string | undefined = service.adminToken): Promise<Response> =>
  fetch(`${service.url}/readyz?verbose`, { headers: token === '' ? {} : { authorization: `token ${token}` } });

interface Check {
  readonly name: string;
  readonly state: string;
  readonly seen: string;
  readonly remedy: string | null;
}

/** What is said, by the name of the check. */
async function examine(service: Service): Promise<Readonly<Record<string, Check>>> {
  const answer = await ask(service);
  expect(answer.status).toBe(200);
  const { checks } = (await answer.json()) as { readonly checks: readonly Check[] };
  for (const { state, remedy } of checks) if (/warning|failed/.test(state)) expect(remedy).toMatch(/\.$/);
  return Object.fromEntries(checks.map((one) => [one.name, one]));
}

function hook(service: Service, secret: string): Promise<Response> {
  const body = JSON.stringify({ zen: 'Keep it sealed.' });
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'ping',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return fetch(`${service.url}/hooks/github`, { method: 'POST', headers, body });
}

test('without verbose the answer stays the same; with it, only administrators get one', async () => {
  const { service } = await start();
  const plain = await fetch(`${service.url}/readyz`);
  expect([plain.status, await plain.text()]).toEqual([200, '{"status":"ok"}']);
  expect(await (await fetch(`${service.url}/healthz`)).text()).toBe('{"status":"ok"}');
  expect((await ask(service, '')).status).toBe(401);
  expect((await ask(service, await service.tokenOf('alice'))).status).toBe(403);
  expect((await ask(service, await service.tokenOf('bob', 'administrator'))).status).toBe(200);
});

test('the command with the same key needs no token; a proof that is old or from another key is rejected', async () => {
  const key = randomBytes(32);
  const { service } = await start({ env: { SECRET_KEY: key.toString('hex') } });
  const secretsOf = (bytes: Buffer) =>
    createSecrets({ key: createSecretKey(bytes), previousKey: undefined, randomBytes });
  const asked = async (proof: string) =>
    (await fetch(`${service.url}/readyz?verbose`, { headers: { 'x-coverage-doctor': proof } })).status;
  const now = service.time.clock.now();
  expect(await asked(proveDoctor(secretsOf(key), now))).toBe(200);
  expect(await asked(proveDoctor(secretsOf(key), now - 61_000))).toBe(401);
  expect(await asked(secretsOf(key).sealText('something else'))).toBe(401);
  expect(await asked(proveDoctor(secretsOf(randomBytes(32)), now))).toBe(401);
  expect(await asked('no proof at all')).toBe(401);
});

test('says what is in order, and what is not set', async () => {
  const { service, github } = await start();
  await service.newRepo();
  const found = await examine(service);
  const states = Object.fromEntries(Object.entries(found).map(([name, { state }]) => [name, state]));
  const page = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
  const checks = page.slice(page.indexOf('| check |')).split('\n\n', 1).join('');
  expect([...checks.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)).toEqual(Object.keys(states));
  expect(states).toEqual({
    settings: 'ok',
    database: 'ok',
    integrity: 'skipped',
    disk: 'skipped',
    'secret-key': 'ok',
    builds: 'ok',
    'base-url': 'warning',
    'github-proxy': 'ok',
    'github-clock': 'ok',
    'github-sign-in': 'ok',
    'github-rate-limit': 'ok',
    'github-webhook': 'warning',
    'github-announcements': 'ok',
    openid: 'skipped',
  });
  expect(found['secret-key']?.seen).toContain('The key decrypts 1 stored repo token and 0 Apps');
  expect(found['github-proxy']?.seen).toContain(`answers at ${github.url}, without a proxy`);
  expect(found['github-webhook']?.seen).toContain('No secret of');
  expect(found['base-url']?.seen).toContain('BASE_URL is not set');
});

test('a permission that the App lacks is named, and so is who has not accepted it', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const github = await startGithubStandIn();
  ends.push(() => github.close());
  const rights = { statuses: 'write', pull_requests: 'read', contents: 'write', actions: 'read', metadata: 'read' };
  const all = { ...rights, pull_requests: 'write', checks: 'write' };
  const app = { id: 77, slug: 'coverage', publicKey: keys.publicKey };
  const env = { GITHUB_API_URL: github.url, GITHUB_APP_ID: '77', GITHUB_APP_PRIVATE_KEY: key };
  const service = await startService({ env });
  ends.push(service.stop);
  const signIn = async () => (await examine(service))['github-sign-in'];

  expect(await signIn()).toMatchObject({ state: 'failed', seen: expect.stringContaining('App') });
  github.addApp({ ...app, permissions: rights });
  expect(await signIn()).toMatchObject({
    state: 'failed',
    seen: expect.stringContaining('App 77 lacks the permissions pull_requests: write, checks: write'),
  });
  github.addApp({ ...app, permissions: all, events: ['push', 'workflow_run', 'repository'] });
  expect(await signIn()).toMatchObject({
    state: 'warning',
    seen: expect.stringContaining('not subscribed to the events pull_request'),
  });
  github.addApp(app);
  expect(await signIn()).toMatchObject({ state: 'warning', seen: 'App 77 is installed nowhere.' });
  const [one, other] = ['acme', 'umbrella'].map((owner) => github.installApp({ app: 77, owner })) as [number, number];
  expect(await examine(service)).toMatchObject({
    'github-sign-in': { state: 'ok', seen: 'App 77 has every permission and event; 2 installations.' },
    'github-rate-limit': { state: 'ok', seen: expect.stringMatching(/^5000 of 5000 requests are left until 20/) },
  });
  github.changeInstallation(one, { permissions: rights });
  github.suspendInstallation(other);
  expect(await signIn()).toMatchObject({ state: 'failed', seen: 'The App is suspended for umbrella.' });
  github.unsuspendInstallation(other);
  expect(await signIn()).toMatchObject({ state: 'warning', seen: expect.stringMatching(/not accepted .* acme\.$/) });
  github.changeInstallation(one, { permissions: all });
  await service.newRepo({ service: 'github', name: 'acme/shop' });
  const { id: repoId = 0 } = (await service.store.repos.findByName('github', 'acme/shop')) ?? {};
  await service.store.repos.follow({ repoId, accessLost: { appId: 77, how: 'uninstalled', at: 1 }, at: 1 });
  const lost = 'App 77 was removed from acme/shop: nothing is announced there.';
  expect(await signIn()).toMatchObject({ state: 'failed', seen: lost });
  for (const id of [one, other]) github.removeInstallation(id);
  expect(await signIn()).toMatchObject({ state: 'failed', seen: 'App 77 is installed nowhere.' });
  expect(github.violations()).toEqual([]);
});

test('says that the host refuses a token, or that it has too few scopes', async () => {
  const poor = { login: 'bot', kind: 'user', access: 'write', scopes: ['read:user'] } as const;
  const { service, github } = await start({ standIn: { tokens: { poor } } });
  expect((await examine(service))['github-sign-in']).toMatchObject({
    state: 'failed',
    seen: expect.stringContaining('GitHub lacks the scope repo'),
  });
  const refused = await startService({ github, env: { GITHUB_TOKEN: 'no-such-token-at-all' } });
  ends.push(refused.stop);
  const { 'github-sign-in': signIn, 'github-proxy': way } = await examine(refused);
  expect([signIn?.state, way?.state]).toEqual(['failed', 'ok']);
  expect(signIn?.seen).toContain('401');
  expect(JSON.stringify(signIn)).not.toContain('no-such-token-at-all');
});

test('a host in trouble says nothing about the credential', async () => {
  const { service, github } = await start();
  for (const status of [502, 503]) {
    const end = github.faults.when(({ path }) => (path === '/rate_limit' ? { kind: 'status', status } : undefined));
    const { 'github-sign-in': signIn, 'github-proxy': way } = await examine(service);
    expect(way?.state).toBe('ok');
    expect(signIn).toMatchObject({ state: 'warning', remedy: expect.stringMatching(/^No setting has to change: /) });
    expect(signIn?.seen).toContain(String(status));
    end();
  }
});

test('a repo token that the key does not decrypt is counted', async () => {
  const { service } = await start();
  await service.newRepo();
  const { id } = await service.newRepo();
  const token = { lookup: 'of another key', sealed: 'A'.repeat(80), expiresAt: undefined };
  const { store } = service;
  const repo = await store.repos.find(Number(id));
  await store.repos.replaceToken({ repoId: repo?.id ?? 0, token, oldUntil: undefined, at: 1 });
  expect((await examine(service))['secret-key']).toMatchObject({
    state: 'failed',
    seen: expect.stringContaining('cannot decrypt 1 of 2 stored repo tokens, and 0 Apps'),
  });
});

test('the webhook: nothing yet, wrong signatures, and the last delivery; few writes whatever comes', async () => {
  let writes = 0;
  const { service } = await start({
    env: { GITHUB_WEBHOOK_SECRET: HOOK_SECRET },
    changeStore: (store) => {
      const note: WebhookLog['note'] = (news) => {
        writes += 1;
        return store.webhooks.note(news);
      };
      return { ...store, webhooks: { ...store.webhooks, note } };
    },
  });
  const webhook = async () => (await examine(service))['github-webhook'];
  expect(await webhook()).toMatchObject({ state: 'warning', seen: 'No message from GitHub has arrived yet.' });
  for (let n = 0; n < 5; n += 1) expect((await hook(service, 'another secret')).status).toBe(401);
  expect((await fetch(`${service.url}/hooks/github`, { method: 'POST' })).status).toBe(401);
  expect(writes).toBe(1);
  expect(await webhook()).toMatchObject({
    state: 'failed',
    seen: expect.stringMatching(/^6 messages had a wrong signature or none, .* none was right so far\.$/),
  });
  expect((await hook(service, HOOK_SECRET)).status).toBe(202);
  expect(await webhook()).toMatchObject({ state: 'ok', seen: expect.stringMatching(/^The last message came at 20/) });
  // One stranger makes no failure while right messages come.
  await hook(service, 'another secret');
  expect(await webhook()).toMatchObject({ state: 'warning' });
});

test('announcements that were given up are counted, with a reason', async () => {
  const { service } = await start();
  const { token } = await service.newRepo({ service: 'github', name: 'acme/unseen' });
  await service.uploadAlone(job({ repo_token: token, commit_sha: shaOf('unseen') }));
  const found = await waitFor(
    async () => {
      const { 'github-announcements': one } = await examine(service);
      return one?.state === 'warning' ? one : undefined;
    },
    { what: 'the status to be given up', meanwhile: service.time.skipPause },
  );
  expect(found.seen).toMatch(/^0 announcements waiting; 1 given up\. .*404/);
});

test('another server at BASE_URL, a clock that is wrong, and a limit that is used up', async () => {
  const standIn = { now: () => Date.now() + 60_000, hourlyLimit: 0 };
  const other: GithubStandIn = await startGithubStandIn();
  ends.push(() => other.close());
  const { service } = await start({ standIn, env: { BASE_URL: other.url } });
  expect(await examine(service)).toMatchObject({
    'base-url': { state: 'failed', seen: expect.stringMatching(/^Another server answers at/) },
    'github-clock': { state: 'warning', seen: expect.stringMatching(/^The clock is \d+ seconds behind that/) },
    'github-rate-limit': { state: 'failed', seen: expect.stringMatching(/^0 of 0 requests/) },
  });
});

test('a host that does not answer is one failure, not many', async () => {
  const { service, github } = await start();
  await github.close();
  expect(await examine(service)).toMatchObject({
    'github-proxy': { state: 'failed', remedy: expect.stringContaining('HTTPS_PROXY') },
    'github-clock': { state: 'skipped' },
    'github-sign-in': { state: 'skipped' },
  });
});

test('a host that nothing here needs may be silent', async () => {
  const silent = { GITHUB_API_URL: 'http://127.0.0.1:1' };
  const service = await startService({ env: silent });
  ends.push(service.stop);
  const way = async (of: Service) => (await examine(of))['github-proxy'];
  expect(await way(service)).toMatchObject({
    state: 'skipped',
    seen: expect.stringMatching(/ GitHub is not set up here, and no repo uses it\.$/),
  });
  const adopting = await startService({ env: { ...silent, ALLOWED_OWNERS: 'acme' } });
  ends.push(adopting.stop);
  expect(await way(adopting)).toMatchObject({ state: 'failed' });
  await service.newRepo({ service: 'manual' });
  expect(await way(service)).toMatchObject({ state: 'skipped' });
  await service.newRepo({ service: 'github', name: 'acme/shop' });
  expect(await way(service)).toMatchObject({ state: 'failed' });
});

test('a host that answers, and that nothing here needs, causes no warning', async () => {
  const github = await startGithubStandIn();
  ends.push(() => github.close());
  const service = await startService({ env: { GITHUB_API_URL: github.url } });
  ends.push(service.stop);
  await service.newRepo({ service: 'manual' });
  const skipped = { state: 'skipped', seen: 'GitHub is not set up here, and no repo uses it.' };
  expect(await examine(service)).toMatchObject({
    'github-proxy': { state: 'ok' },
    'github-sign-in': skipped,
    'github-webhook': skipped,
  });
  await service.newRepo({ service: 'github', name: 'acme/shop' });
  expect(await examine(service)).toMatchObject({ 'github-webhook': { state: 'warning' } });
});

test('says whether an OpenID provider answers, and whether it is asked for groups again', async () => {
  const examineWith = async (refreshes: boolean, env: Record<string, string>) => {
    const provider = await startOpenIdStandIn(() => ['http://localhost/'], { refreshes });
    const client = { OIDC_CLIENT_ID: provider.clientId, OIDC_CLIENT_SECRET: provider.clientSecret };
    const settings = {
      OIDC_ISSUER: provider.issuer,
      ...client,
      OIDC_ALLOWED_DOMAINS: '*',
      OIDC_NAME: 'Acme ID',
      ...env,
    };
    const { service } = await start({ env: settings });
    const isSilent = env.OIDC_NAME === 'Gone';
    provider.setSilent(isSilent);
    const { openid } = await examine(service);
    await provider.close();
    return `${openid?.state}: ${openid?.seen}`;
  };
  expect(await examineWith(true, { OIDC_ADMIN_GROUP: 'ops' })).toBe(
    'ok: Acme ID answers. Groups count for 12h; it offers offline_access, so they are renewed before that.',
  );
  expect(await examineWith(false, { OIDC_ADMIN_GROUP: 'ops', OIDC_GROUPS_MAX_AGE: '90m' })).toBe(
    'ok: Acme ID answers. It offers no offline_access: rights through groups end 90m after each sign-in.',
  );
  expect(await examineWith(true, {})).toBe('ok: Acme ID answers; its groups are not used here.');
  expect(await examineWith(true, { OIDC_NAME: 'Gone' })).toMatch(/^failed: http.* has no valid discovery document/);
});
