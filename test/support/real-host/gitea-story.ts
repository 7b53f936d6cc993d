import assert from 'node:assert/strict';
import { type CoverageApi, coverageApi } from '../coverage-api.ts';
import { freePort } from '../free-port.ts';
import { openBrowser } from '../page-browser.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { setupProofs } from '../setup-proofs.ts';
import { waitFor } from '../wait-for.ts';
import { SIGNED_IN_AS } from './gitea-process.ts';
import { type AskHost, askAt, type RealHost } from './real-host.ts';

/** Services that this story is told on. */
export type GiteaService = 'gitea' | 'forgejo';

const BOT = 'coverage-bot';
const SCOPES = ['write:repository', 'write:issue', 'read:user'];
const REPO = `${BOT}/shop`;

/** Upload, status, comment, webhook, landing and signing in, at a real Gitea or Forgejo; `tell`: each step done. */
export async function tellGiteaStory(
  service: GiteaService,
  host: RealHost,
  tell: (step: string) => void,
): Promise<void> {
  const made = await prepare(host);
  const ours = await startOurs(service, host, made.token);
  try {
    const said = await doctorOf(ours, service);
    assert.match(said('sign-in') ?? '', /^The token for \w+ is valid/);
    tell(`doctor: ${said('proxy')}`);
    const { token } = await apiOf(ours).createRepo({ service, name: REPO });
    await hookStory(ours, service);
    tell('webhook: made by the server, and found again');
    const at = { ours, ask: made.ask, token, heads: await commitAll(made.ask) };
    await statusStory(at);
    tell('status: success on a branch, failure on a pull request, with what it is compared with');
    await setupStory(at, service);
    tell('set-up page: token, webhook, upload, status and what a merge waits for are seen');
    const build = await commentStory(at);
    tell('comment: written once, edited by the next build');
    await landingStory({ ...at, build });
    tell('hook: the host told that the pull request was merged, signed; its build landed');
    await signInStory(ours, service, host);
    tell('sign-in: by the host; its administrator of the repo sees the settings');
  } finally {
    await ours.dispose();
  }
}

interface Told {
  readonly ours: ServerProcess;
  readonly ask: AskHost;
  readonly token: string;
  readonly heads: { readonly base: string; readonly head: string };
}

/** A bot with a token of just the scopes that the documents name, and a repo of its own. */
async function prepare(host: RealHost): Promise<{ readonly ask: AskHost; readonly token: string }> {
  const asAdmin = askAt(host);
  const password = 'a-password-of-the-bot-1';
  await asAdmin('POST', '/admin/users', {
    ...{ username: BOT, email: 'bot@example.test', password, must_change_password: false },
  });
  const asBot = askAt({ ...host, admin: { name: BOT, password } });
  const { sha1: token } = await asBot<{ sha1: string }>('POST', `/users/${BOT}/tokens`, {
    name: 'coverage',
    scopes: SCOPES,
  });
  await asBot('POST', '/user/repos', { name: 'shop', auto_init: true, default_branch: 'main' });
  return { ask: asBot, token };
}

/** Whom the host sends back has to come to an address that was told before: the port is chosen here. */
async function startOurs(service: GiteaService, host: RealHost, token: string): Promise<ServerProcess> {
  const port = await freePort();
  const setting = service.toUpperCase();
  const { client_id, client_secret } = await askAt(host)<{ client_id: string; client_secret: string }>(
    'POST',
    '/user/applications/oauth2',
    {
      ...{ name: 'coverage', confidential_client: true },
      redirect_uris: [`http://127.0.0.1:${port}/sign-in/${service}/callback`],
    },
  );
  return startServer({
    env: {
      PORT: String(port),
      [`${setting}_URL`]: host.url,
      [`${setting}_TOKEN`]: token,
      [`${setting}_WEBHOOK_SECRET`]: 'secret-of-the-webhook-0123',
      [`${setting}_CLIENT_ID`]: client_id,
      [`${setting}_CLIENT_SECRET`]: client_secret,
    },
  });
}

const apiOf = ({ url, adminToken }: ServerProcess): CoverageApi => coverageApi(url, adminToken);

const asAdministrator = ({ adminToken }: ServerProcess) => ({ authorization: `token ${adminToken}` });

async function doctorOf(ours: ServerProcess, service: GiteaService) {
  const { text } = await apiOf(ours).send('/readyz?verbose', { headers: asAdministrator(ours) });
  const { checks } = JSON.parse(text) as { readonly checks: readonly { name: string; seen: string }[] };
  return (check: string) => checks.find(({ name }) => name === `${service}-${check}`)?.seen;
}

async function hookStory(ours: ServerProcess, service: GiteaService): Promise<void> {
  const press = async () => {
    const path = `/api/v1/repos/${service}/${REPO}/webhook`;
    const { text } = await apiOf(ours).send(path, { method: 'POST', headers: asAdministrator(ours) });
    return (JSON.parse(text) as { webhook?: { result: string } }).webhook?.result ?? text;
  };
  assert.deepEqual([await press(), await press()], ['made', 'unchanged']);
}

/** A commit of main, and a pull request of one commit. */
async function commitAll(ask: AskHost): Promise<Told['heads']> {
  const commit = (path: string, text: string, more: object) =>
    ask<{ commit: { sha: string } }>('POST', `/repos/${REPO}/contents/${path}`, {
      ...{ content: Buffer.from(text).toString('base64'), message: `Add ${path}` },
      ...more,
    });
  const base = await commit('a.js', 'one();\ntwo();\n', { branch: 'main' });
  const head = await commit('b.js', 'three();\nfour();\n', { branch: 'main', new_branch: 'coupons' });
  await ask('POST', `/repos/${REPO}/pulls`, { title: 'Take coupons', head: 'coupons', base: 'main' });
  return { base: base.commit.sha, head: head.commit.sha };
}

function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  return waitFor(look, { what, intervalMs: 200, timeoutMs: 60_000 });
}

/** Answers the build's number here. */
async function upload({ ours }: Pick<Told, 'ours'>, job: object): Promise<string> {
  const { status, json, text } = await apiOf(ours).uploadJob(job);
  assert.equal(status, 200, text);
  const { json: stored } = await apiOf(ours).jobJson(json.url.slice(json.url.lastIndexOf('/') + 1));
  return stored.build;
}

const jobOf = ({ token }: Pick<Told, 'token'>, commit: string, coverage: readonly number[], more: object) => ({
  ...{ repo_token: token, service_name: 'ci', commit_sha: commit, ...more },
  source_files: [{ name: 'b.js', source_digest: 'd'.repeat(32), coverage }],
});

const OF_PULL = { service_pull_request: '1', service_branch: 'coupons' };

async function statusStory(told: Told): Promise<void> {
  const { ours, ask, heads } = told;
  const statusOf = async (sha: string, wanted: string) => {
    const path = `/repos/${REPO}/commits/${sha}/status`;
    const { statuses } = await ask<{ statuses: readonly Record<string, string>[] | null }>('GET', path);
    return statuses?.find(({ context, status }) => context === 'coverage' && status === wanted);
  };
  await upload(told, jobOf(told, heads.base, [1, 1], { service_branch: 'main', service_number: '1' }));
  await eventually('the status of main', () => statusOf(heads.base, 'success'));
  const build = await upload(told, jobOf(told, heads.head, [1, 0], { ...OF_PULL, service_number: '2' }));
  const failed = await eventually('the status of the head', () => statusOf(heads.head, 'failure'));
  assert.match(failed.description ?? '', /^50\.00%, −50\.00 points from 100\.00%/);
  assert.equal(failed.target_url, `${ours.url}/builds/${build}`);
}

/** Each step has its check mark, the last one once the host requires the status. */
async function setupStory({ ours, ask }: Told, service: GiteaService): Promise<void> {
  const proofs = async () => {
    const headers = { ...asAdministrator(ours), accept: 'text/html' };
    return setupProofs((await apiOf(ours).send(`/${service}/${REPO}/set-up`, { headers })).text);
  };
  // That the status was delivered is written down after the host has it.
  const [, , , , merges, ...others] = await eventually('the first four steps to be seen', async () => {
    const all = await proofs();
    return all.slice(0, 4).every((one) => one.startsWith('ok: ')) ? all : undefined;
  });
  assert.deepEqual(others, []);
  assert.match(merges ?? '', /^pending: .* does not wait for the status "coverage" yet/);
  await ask('POST', `/repos/${REPO}/branch_protections`, {
    ...{ branch_name: 'main', rule_name: 'main', enable_status_check: true, status_check_contexts: ['coverage*'] },
  });
  assert.match((await proofs())[4] ?? '', /^ok: .* merges nothing into main before the status "coverage" passes/);
}

/** Answers the last build. */
async function commentStory(told: Told): Promise<string> {
  const { ask, heads } = told;
  const comments = () => ask<readonly { body: string }[]>('GET', `/repos/${REPO}/issues/1/comments`);
  const holding = (text: string) => async () => (await comments()).find(({ body }) => body.includes(text));
  await eventually('the comment', holding('50.00%'));
  const build = await upload(told, jobOf(told, heads.head, [1, 1], { ...OF_PULL, service_number: '3' }));
  await eventually('the edited comment', holding('Coverage 100.00%'));
  assert.equal((await comments()).length, 1);
  return build;
}

async function landingStory({ ours, ask, build }: Told & { readonly build: string }): Promise<void> {
  const path = `/repos/${REPO}/pulls/1`;
  // It looks for conflicts a moment after the pull request was opened.
  await eventually('the pull request to be mergeable', async () =>
    (await ask<{ mergeable: boolean }>('GET', path)).mergeable ? true : undefined,
  );
  await ask('POST', `${path}/merge`, { Do: 'squash' });
  const landed = await eventually('the build that landed', async () => {
    const { json } = await apiOf(ours).buildJson(build, { token: ours.adminToken });
    return (json as { readonly landed?: { readonly branch: string; readonly how: string } | null }).landed ?? undefined;
  });
  assert.deepEqual([landed.branch, landed.how], ['main', 'same-tree']);
}

async function signInStory(ours: ServerProcess, service: GiteaService, host: RealHost): Promise<void> {
  const browser = openBrowser(ours.url);
  const { location = '' } = await browser.get(`/sign-in/${service}`);
  const back = await grant(location, host);
  assert.ok(back.startsWith(`${ours.url}/sign-in/${service}/callback?code=`), back);
  await browser.follow(back.slice(ours.url.length));
  assert.equal((await browser.get(`/${service}/${REPO}/settings`)).status, 200);
}

/** Presses "Authorize" as the bot; answers where the host sends the browser back to. */
async function grant(address: string, host: RealHost): Promise<string> {
  const there = openBrowser(host.url);
  const asBot = { [SIGNED_IN_AS]: BOT };
  const { text } = await there.get(address, asBot);
  const { searchParams } = new URL(address);
  const sent = ['client_id', 'redirect_uri', 'state', 'scope'].map((name) => [name, searchParams.get(name) ?? '']);
  // Forgejo's forms have one, Gitea looks at where a form was sent from.
  const _csrf = /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const fields = { ...Object.fromEntries(sent), nonce: '', granted: 'true', _csrf };
  const answer = await there.send('/login/oauth/grant', fields, asBot);
  return answer.location ?? `${answer.status} ${answer.text.slice(0, 200)}`;
}
