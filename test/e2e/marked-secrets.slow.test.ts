import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { signatureOf } from '../support/hooks-client.ts';
import { waitFor } from '../support/wait-for.ts';
import { FAR_ISSUER, HEAD, type MarkedServer, startMarked } from './marked-secrets/marked-server.ts';
import { type NotedClient, notedClient } from './marked-secrets/noted-client.ts';

let marked: MarkedServer;
/** Without cookies. */
let program: NotedClient;
let admin: { readonly authorization: string };
beforeAll(async () => {
  marked = await startMarked();
  program = notedClient(marked.scan, marked.server.url);
  admin = { authorization: `token ${marked.env.ADMIN_TOKEN}` };
});
afterAll(() => marked?.end());

const parsed = (text: string): Record<string, string> => JSON.parse(text);
const REPO = '/api/v1/repos/github/acme/shop';
let repoToken = '';
let build = '';

test('tokens and links are made', async () => {
  const { scan, run } = marked;
  const made = await program.ask('/api/v1/repos', {
    method: 'POST',
    headers: admin,
    body: { repo: { service: 'github', name: 'acme/shop' } },
    hands: ['replaced repo token'],
  });
  const replaced = (JSON.parse(made.text) as { repo: { token: string } }).repo.token;
  scan.mark('replaced repo token', replaced);
  const next = { method: 'POST', headers: admin, body: {}, hands: ['repo token'] };
  repoToken = scan.mark('repo token', parsed((await program.ask(`${REPO}/token`, next)).text).token);
  const read = await program.ask(REPO, { headers: admin, hands: ['repo token', 'badge token'] });
  scan.mark('badge token', parsed(read.text).badge_token);
  const link = { method: 'POST', headers: admin, body: { name: 'Board' }, hands: ['share token'] };
  const shared = await program.ask('/api/v1/repos/github/acme/shop/share-links', link);
  scan.mark('share token', (JSON.parse(shared.text) as { share_link: { token: string } }).share_link.token);

  const password = scan.mark('password', 'a password of Alice 0123456789');
  const [token, user] = await Promise.all([
    run('token', ['create', '--user', 'alice'], {}, ['personal token']),
    run('user', ['create', '--user', 'alice', '--role', 'administrator'], { input: `${password}\n` }),
  ]);
  expect([token.code, user.code]).toEqual([0, 0]);
  scan.mark('personal token', token.stdout.trim());
  const sent = await run('user', ['sign-in-link', 'alice'], {}, ['sign-in code']);
  scan.mark('sign-in code', /code=(\S+)/.exec(sent.stdout)?.[1]);
});

const secret = (name: string): string => marked.scan.secrets.find((one) => one.name === name)?.value ?? '';
let sessions = 0;
/** Somebody's browser once `sign` has signed it in. */
async function enter(sign: (browser: NotedClient, hands: readonly string[]) => Promise<unknown>): Promise<NotedClient> {
  const browser = notedClient(marked.scan, marked.server.url);
  await browser.follow('/sign-in');
  const before = new Set(browser.cookies.values());
  sessions += 1;
  const name = `session ${sessions}`;
  await sign(browser, [name]);
  marked.scan.mark(name, [...browser.cookies].find(([key, value]) => /session/.test(key) && !before.has(value))?.[1]);
  return browser;
}
const asAlice = () =>
  enter((browser, hands) => browser.send('/sign-in', { name: 'alice', password: secret('password') }, { hands }));

test('people sign in, and others fail to', async () => {
  const { scan, env, server, github, openId } = marked;
  const code = secret('sign-in code');
  await asAlice();
  await enter(async (browser, hands) => {
    await browser.follow(`/sign-in/link?code=${code}`, { hands: [...hands, 'sign-in code'] });
    await browser.send('/sign-in/link', { code }, { hands });
  });
  github.visitAs('mona', { 'acme/shop': 'admin' });
  await enter((browser, hands) => browser.follow('/sign-in/github', { hands }));
  openId.visitAs('u-1', { email: 'u@acme.example', email_verified: true, preferred_username: 'una' });
  await enter((browser, hands) => browser.follow('/sign-in/openid', { hands }));
  const stranger = notedClient(scan, server.url);
  await stranger.follow('/sign-in');
  for (const wrong of [`${env.ADMIN_TOKEN}`, `${env.SECRET_KEY}`, secret('personal token')])
    await stranger.send('/sign-in', { name: wrong, password: wrong });
  await stranger.send('/sign-in', { name: 'alice', password: `${secret('password')}x` });
  await stranger.follow(`/sign-in/link?code=${code}`, { hands: ['sign-in code'] });
  await stranger.follow('/sign-in/github/callback?state=forged&code=0123456789abcdef');
  // The way to the cookie.
  await stranger.follow(`/github/acme/shop?share=${secret('share token')}`, { hands: ['share token'] });
});

test('jobs come by each kind of token, and a status is announced', async () => {
  const { scan, server, github } = marked;
  const posted = (body: object) => program.ask('/api/v1/jobs', { method: 'POST', body });
  const upload = job({ repo_token: repoToken, commit_sha: HEAD, service_pull_request: '7' });
  const accepted = await posted({ ...upload, parallel: true });
  expect(accepted.status, accepted.text).toBe(200);
  const idToken = github.issueIdToken('acme/shop', {
    aud: server.url,
    sha: HEAD,
    run_id: String(github.addRun('acme/shop', { headSha: HEAD }).id),
  });
  scan.mark('id-token', idToken);
  for (const part of idToken.split('.').slice(1)) scan.mark('part of the id-token', part);
  await posted({ ...upload, repo_token: idToken, service_number: '', flag_name: 'by-id-token' });
  const far = github.issueIdToken('acme/shop', { aud: server.url, iss: FAR_ISSUER, sha: HEAD });
  scan.mark('id-token of another issuer', far);
  scan.mark('part of it', far.split('.')[2]);
  expect((await posted({ ...upload, repo_token: far })).status).toBeGreaterThanOrEqual(400);
  await posted({ ...upload, repo_token: secret('workflow token'), repo_name: 'acme/shop' });

  const closed = await program.ask('/webhook', {
    method: 'POST',
    body: { repo_token: repoToken, payload: { build_num: '71', status: 'done' } },
  });
  expect(closed.status, closed.text).toBe(200);
  build = new URL(parsed(closed.text).url ?? '').pathname;
  await waitFor(() => github.statuses('acme/shop', HEAD).some(({ state }) => state === 'success'), {
    what: 'the status of the build',
  });
});

test('every secret is sent to every wrong place', async () => {
  const { scan, env } = marked;
  const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
    program.ask(path, { method: 'POST', body, headers });
  // The others have no form of their own: a flag with that name is published anyway.
  const known = scan.secrets.filter(({ name }) => !/^(?:session|password|sign-in code|part)/.test(name));
  for (const { name, value } of known) {
    const upload = { ...job({ repo_token: repoToken, commit_sha: HEAD, service_number: '90' }), parallel: true };
    for (const field of ['service_name', 'service_number', 'service_job_id', 'flag_name', 'repo_name', 'run_at'])
      await post('/api/v1/jobs', { ...upload, [field]: value });
    await post('/api/v1/jobs', { ...upload, git: { head: { id: HEAD, message: `x ${value}` }, branch: 'main' } });
    if (name !== 'repo token') await post('/api/v1/jobs', { ...upload, repo_token: value });
    await post('/api/v1/jobs', `{"repo_token": "${encodeURIComponent(value)}", broken`, {
      'content-type': 'application/json',
    });
    await post('/webhook', { repo_token: repoToken, payload: { build_num: value, status: 'done' } });
    if (name !== 'webhook secret')
      await post('/hooks/github', { zen: value }, { 'x-hub-signature-256': encodeURIComponent(value) });
    await program.ask(`${REPO}/settings`, { method: 'PUT', headers: admin, body: { default_branch: value } });
    await post('/rerun_build', { repo_token: value, build_num: '71' });
    const inAddress = encodeURIComponent(value);
    await program.ask(`/builds/${inAddress}.json`);
    await program.ask(`/github/acme/shop?repo_token=${inAddress}`);
    await program.ask(`/api/v1/repos?page=${inAddress}`, { headers: admin });
    await program.ask('/healthz', { headers: { 'x-request-id': inAddress } });
    await program.ask('/api/v1/repos/github/acme/nothing', { headers: { authorization: `Bearer ${inAddress}x` } });
  }
  const zen = JSON.stringify({ zen: 'Keep it sealed.' });
  const hook = (secret: string) =>
    post('/hooks/github', zen, {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-hub-signature-256': signatureOf(zen, secret),
    });
  expect([(await hook(env.GITHUB_WEBHOOK_SECRET ?? '')).status, (await hook('forged')).status]).toEqual([202, 401]);
});

test('every page and list is read as everybody', async () => {
  const browser = await asAlice();
  const own = ['repo token', 'badge token'];
  const pages = ['/', build, `${build}.json`, '/github/acme/shop', '/github/acme/shop.json', '/account/tokens', '/api'];
  const forAdministrators = ['/admin', '/admin/users', '/admin/audit', '/api/v1/audit', '/metrics', '/readyz?verbose'];
  const ofRepo = ['settings', 'uploads', 'flags', 'badge.svg', 'trend.json'].map((one) => `/github/acme/shop/${one}`);
  for (const path of [...pages, ...forAdministrators, ...ofRepo, '/sharing?service=github&repo=acme/shop']) {
    const hands = path.endsWith('/settings') || path === '/github/acme/shop' || path === build ? own : [];
    await browser.ask(path, { headers: { accept: 'text/html' }, hands });
    for (const authorization of [admin.authorization, `token ${repoToken}`, 'token unknown'])
      await program.ask(path, { headers: { authorization }, hands });
  }
});

test('GitHub answers with what it was asked by', async () => {
  const { github, env, server } = marked;
  const token = String(env.GITHUB_TOKEN);
  const spellings = [token, Buffer.from(`x-access-token:${token}`).toString('base64'), encodeURIComponent(token)];
  const failed = [401, 403, 500, 422];
  for (const [index, status] of failed.entries()) {
    const message = `No: authorization: token ${token}, Basic ${spellings[1]}, ?access_token=${spellings[2]}`;
    const isPost = ({ path }: { readonly path: string }) => path.startsWith('/repos/');
    const before = github.faults.count();
    github.faults.next(3, { kind: 'status', status, message }, isPost);
    const body = { ...job({ repo_token: repoToken, commit_sha: HEAD, service_number: `fault-${index}` }) };
    await program.ask('/api/v1/jobs', { method: 'POST', body });
    await waitFor(() => github.faults.count() > before, { what: `a fault of ${status}` });
    await program.ask(`${build}.json`, { headers: admin });
    github.faults.clear();
  }
  expect(server.output().length).toBeGreaterThan(10);
});

test('commands are run beside the server, with secrets where none belong', async () => {
  const { run, env, server, scan } = marked;
  const mongo = `mongodb://me:${scan.mark('database password', 'hush-hush-of-the-database')}@127.0.0.1:1/coverage`;
  const away = `${mongo}?serverSelectionTimeoutMS=200`;
  await writeFile(join(server.directory, 'repos.yaml'), 'repos:\n  - {service: manual, name: acme/listed}\n');
  const repos = { COVERAGE_SERVER: server.url, COVERAGE_TOKEN: env.ADMIN_TOKEN ?? '' };
  await Promise.all([
    run('token', ['list']),
    run('token', ['revoke', repoToken]),
    run('user', ['list']),
    run('user', ['disable', String(env.ADMIN_TOKEN)]),
    run('audit', ['export', '--since', String(env.SECRET_KEY)]),
    run('audit', ['export']),
    run('backup', ['--to', join(server.directory, 'backup.db')]),
    run('backup', [`--to-${repoToken}`]),
    run('copy-store', ['--from', away, '--to', `sqlite:${server.directory}/copy.db`]),
    run('token', ['list'], { env: { DATABASE_URL: away } }),
    run('repos', ['apply', 'repos.yaml'], { env: repos }),
    run('repos', ['apply', 'repos.yaml'], { env: { ...repos, COVERAGE_TOKEN: `${env.ADMIN_TOKEN}x` } }),
  ]);
});

test('the server is set up by a manifest, signs in as an App, and crashes', async () => {
  const { server, scan, github, asNobody, asApp } = marked;
  await server.restart(asNobody);
  const browser = notedClient(scan, server.url);
  await browser.follow('/setup');
  const token = String(marked.env.ADMIN_TOKEN);
  const form = await browser.send('/setup', { token, owner: 'acme' });
  const [, action = ''] = /<form method="post" action="(http[^"]*)"/.exec(form.text) ?? [];
  const [, manifest = ''] = /name="manifest" value="([^"]*)"/.exec(form.text) ?? [];
  const body = new URLSearchParams({ manifest: manifest.replaceAll('&quot;', '"') }).toString();
  const sent = await browser.ask(action.replaceAll('&amp;', '&'), { method: 'POST', body });
  const back = sent.headers.get('location') ?? '';
  scan.mark('code of the manifest', new URL(back).searchParams.get('code') ?? '');
  expect((await browser.follow(back)).text).toContain('/installations/new');
  for (const value of github.webhookSecrets()) scan.mark("made App's webhook secret", value);
  for (const value of github.appSecrets()) scan.mark("made App's secret", value);
  const preload = fileURLToPath(new URL('./marked-secrets/crash-on-signal.mjs', import.meta.url));
  const { GITHUB_APP_CLIENT_ID = '', GITHUB_APP_CLIENT_SECRET = '', GITHUB_WEBHOOK_SECRET = '' } = marked.env;
  const given = { GITHUB_APP_CLIENT_ID, GITHUB_APP_CLIENT_SECRET, GITHUB_WEBHOOK_SECRET };
  await server.restart({ ...asApp, ...given, NODE_OPTIONS: `--import=${preload}` });
  const lines = server.output().length;
  process.kill(server.pid() ?? 0, 'SIGUSR2');
  await waitFor(() => server.output().slice(lines).join('\n').includes('cannot call with'), { what: 'the crash' });
  await marked.noteRest();

  await server.kill();
  // Its log alone could bring it back.
  await rm(join(server.directory, 'coverage.db-wal'), { force: true });
  await writeFile(join(server.directory, 'coverage.db'), `no database, ${'x'.repeat(10_000)}`);
  const failed: unknown = await server.restart({ NODE_OPTIONS: '' }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  scan.note('a start on a broken database', String(failed));
});

test('none of it stands anywhere', () => {
  const { scan } = marked;
  expect(scan.secrets.length).toBeGreaterThan(20);
  expect(scan.size).toBeGreaterThan(1_000_000);
  expect([...new Set(scan.findings().map(({ secret, form, place }) => `${secret}, ${form}, in ${place}`))]).toEqual([]);
});
