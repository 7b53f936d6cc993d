import { describe, expect, test } from 'vitest';
import { startBitbucketServerStandIn } from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import type { HostContents, HostSetUp } from '../support/github-stand-in/host-set-up.ts';
import { startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import type { RestServer } from '../support/rest-stand-in/rest-server.ts';
import { type Service, startService } from '../support/service.ts';
import { setupProofs } from '../support/setup-proofs.ts';
import { waitFor } from '../support/wait-for.ts';

/**
 * A repo's own token at its host, with and without one of the server's; webhooks that the server makes; doctor; the
 * set-up page.
 */

const SECRET = 'secret-of-the-webhook-0123';
const HEAD = 'a'.repeat(40);

interface Scene {
  readonly host: { readonly token: string } & HostSetUp &
    Pick<HostContents, 'lastStatuses'> &
    Pick<RestServer, 'close' | 'faults' | 'requests' | 'violations'>;
  /** Where the host is. */
  readonly place: Readonly<Record<string, string>>;
  readonly setting: string;
  readonly repo: string;
  readonly other: string;
  /** Sees `repo` alone. */
  readonly own: string;
  /** From now on the host sends nothing to the webhook of `repo`. */
  readonly stop: () => void;
  readonly version: RegExp;
  /** What the set-up page says of the token, and of how a merge waits for the status. */
  readonly said: readonly [ofToken: string, required: string];
  /** As what its settings require our status; undefined: it does not say. */
  readonly requires: string | undefined;
  /** Tokens that may too little, and what is said of each. */
  readonly weak: readonly (readonly [token: string, said: RegExp])[];
}

const HOSTS: Readonly<Record<string, () => Promise<Scene>>> = {
  async gitlab() {
    const host = await startGitlabStandIn();
    const { token: own } = host.addBot('own-bot', { 'acme/shop': 40 });
    host.endOn(own, '2099-12-31');
    const { token: weak } = host.addBot('reader', { 'acme/shop': 40 }, ['read_api']);
    const stop = () => void Object.assign(host.hooks('acme/shop')[0] ?? {}, { alert_status: 'disabled' });
    return {
      ...of(host, 'GITLAB', 'acme'),
      own,
      stop,
      place: { GITLAB_URL: host.url },
      version: /version 19\.4/,
      said: ['Its token has api. The token expires on 2099-12-31.', 'choose “Pipelines must succeed”'],
      requires: 'every pipeline',
      weak: [[weak, /the scope api/]],
    };
  },
  gitea: () => giteaScene('gitea', /version 1\.27\.3\./),
  forgejo: () => giteaScene('forgejo', /version 15\.0\.1/),
  async bitbucket() {
    const host = await startBitbucketStandIn();
    const own = 'ATCTT3-own-token-of-the-repo-01';
    const scopes = ['repository', 'pullrequest', 'webhook'];
    host.addToken('reader', { login: 'reader', scopes: ['repository'], knowsItself: true });
    host.addToken(own, { login: 'own-bot', scopes, knowsItself: false, access: { 'acme/shop': 'admin' } });
    const place = { BITBUCKET_API_URL: host.url };
    return {
      ...of(host, 'BITBUCKET', 'acme'),
      own,
      stop: switchOff(host),
      place,
      version: /./,
      said: ['shows the repo to this server.', 'set the minimum number of successful builds'],
      requires: undefined,
      weak: [['reader', /the scope pullrequest/]],
    };
  },
  async stash() {
    const host = await startBitbucketServerStandIn();
    const own = 'own-token-of-the-repo-0123456789';
    host.addPerson(own, { login: 'own-bot' });
    const place = { BITBUCKET_SERVER_URL: host.url };
    return {
      ...of(host, 'BITBUCKET_SERVER', 'ACME'),
      ...{ own, stop: switchOff(host), place, version: /version 9\.4\.1\./, weak: [['none', /wrong or expired/]] },
      said: ['shows the repo to this server.', 'add the build'],
      requires: 'coverage',
    };
  },
};

async function giteaScene(flavor: 'gitea' | 'forgejo', version: RegExp): Promise<Scene> {
  const host = await startGiteaStandIn({ flavor });
  const own = 'c1'.repeat(20);
  const [reader, quiet] = ['c2', 'c3'].map((part) => part.repeat(20)) as [string, string];
  host.addBot(own, ['acme/shop']);
  host.addBot(reader, ['acme/shop'], ['read:repository']);
  host.addBot(quiet, ['acme/shop'], ['write:repository']);
  const setting = flavor.toUpperCase();
  return {
    ...of(host, setting, 'acme'),
    ...{ own, stop: switchOff(host), place: { [`${setting}_URL`]: host.url }, version },
    said: ['shows the repo to this server.', 'enable the status check for the default branch'],
    requires: 'cov*ge*',
    weak: [
      [reader, /the scope write:repository, write:issue/],
      [quiet, /the scope write:issue/],
    ],
  };
}

const of = <Host extends Scene['host']>(host: Host, setting: string, owner: string) => ({
  ...{ host, setting, repo: `${owner}/shop`, other: `${owner}/till` },
});

const switchOff = (host: { readonly hooks: readonly { fields: Readonly<Record<string, unknown>> }[] }) => () => {
  const [hook] = host.hooks;
  if (hook !== undefined) hook.fields = { ...hook.fields, active: false };
};

describe.each(Object.entries(HOSTS))('at %s', (service, start) => {
  const play = async (
    story: (scene: Scene & { readonly ours: Service; give(token: string): Promise<string> }) => Promise<void>,
  ) => {
    const scene = await start();
    const { host, place, setting, repo, other } = scene;
    for (const name of [repo, other]) {
      host.addRepo(name);
      host.addCommit(name, { sha: HEAD, branch: 'main' });
    }
    const ours = await startService({ env: { ...place, [`${setting}_WEBHOOK_SECRET`]: SECRET } });
    const give = async (token: string) => {
      const { headers, text } = await ours.api.send(`/${service}/${repo}/settings`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `token ${ours.adminToken}` },
        body: new URLSearchParams({ do: 'host-token', host_token: token }).toString(),
      });
      return headers.get('location') ?? text;
    };
    await story({ ...scene, ours, give });
    await ours.stop();
    await host.close();
    expect(host.violations()).toEqual([]);
  };
  const examine = async (ours: Service) => {
    const headers = { authorization: `token ${ours.adminToken}` };
    const { checks } = JSON.parse((await ours.api.send('/readyz?verbose', { headers })).text) as {
      readonly checks: readonly { name: string; state: string; seen: string }[];
    };
    return (name: string) => checks.find((one) => one.name === `${service}-${name}`);
  };
  const uploadTo = (ours: Service, token: string) =>
    ours.uploadAlone({
      ...{ repo_token: token, service_name: 'ci', service_number: '1', service_branch: 'main', commit_sha: HEAD },
      source_files: [{ name: 'a.ts', source_digest: 'd'.repeat(32), coverage: [1] }],
    });

  test('a repo is announced by its own token, also where the server has none', () =>
    play(async ({ host, ours, give, repo, other, own, setting }) => {
      const { token } = await ours.newRepo({ service, name: repo });
      expect(await give('no-token-of-anybody-0123456789')).toMatch(/wrong|does not know/);
      expect(await give(own)).toContain('saved=host-token-set');
      await uploadTo(ours, token);
      await waitFor(async () => (host.lastStatuses(repo, HEAD).has('coverage') ? true : undefined), {
        ...{ what: 'the status', intervalMs: 5, meanwhile: ours.time.skipPause },
      });
      const without = await ours.newRepo({ service, name: other });
      await uploadTo(ours, without.token);
      const headers = { authorization: `token ${ours.adminToken}`, accept: 'text/html' };
      expect((await ours.api.send(`/${service}/${other}`, { headers })).text).toContain(
        `Nothing is announced: this server has no credential for ${service}; set ${setting}_TOKEN.`,
      );
      expect(host.lastStatuses(other, HEAD).size).toBe(0);
      expect(ours.log.text()).not.toContain(own);
    }));

  test('the webhook is made by its token, and doctor says what is wrong with either', () =>
    play(async ({ ours, give, repo, own, stop }) => {
      await ours.newRepo({ service, name: repo });
      await give(own);
      const press = async () => {
        const { text } = await ours.api.send(`/api/v1/repos/${service}/${repo}/webhook`, {
          ...{ method: 'POST', headers: { authorization: `token ${ours.adminToken}` } },
        });
        return (JSON.parse(text) as { webhook?: { result: string } }).webhook?.result ?? text;
      };
      expect([await press(), await press()]).toEqual(['made', 'unchanged']);
      const well = await examine(ours);
      expect(well('sign-in')).toMatchObject({
        state: 'ok',
        seen: expect.stringMatching(/^This server has no token for /),
      });
      expect(well('sign-in')?.seen).toContain('repos with their own: 1.');
      expect(well('webhook')?.seen).toContain('No message from');
      stop();
      const stopped = (await examine(ours))('webhook');
      expect(stopped).toMatchObject({ state: 'failed', seen: expect.stringContaining(repo) });
      expect(await press()).toBe('repaired');
    }));

  test('the set-up page marks each step by what was seen of it', () =>
    play(async ({ host, ours, give, repo, own, setting, stop, said: [ofToken, required], requires }) => {
      const { token } = await ours.newRepo({ service, name: repo });
      const admin = { authorization: `token ${ours.adminToken}` };
      const proofs = async (path: string): Promise<readonly string[]> => {
        const { text } = await ours.api.send(`/${service}/${repo}${path}`, {
          headers: { ...admin, accept: 'text/html' },
        });
        expect(text).toContain(path === '' && (await ours.store.jobs.find(1)) ? 'All steps of the set-up' : required);
        return setupProofs(text);
      };
      const before = await proofs('');
      expect(before[0]).toMatch(new RegExp(`^pending: This server cannot sign in to .* yet: set ${setting}_TOKEN`));
      expect(before.slice(2)).toEqual([
        'pending: Waiting for the first upload. This page updates itself.',
        expect.stringMatching(/^pending: No status has been set at /),
      ]);
      await give(own);
      const [access, webhook] = await proofs('');
      expect(access).toMatch(/^ok: .* shows the repo to this server\./);
      expect(access).toContain(ofToken);
      expect(webhook).toMatch(/^pending: .* has no webhook for this server yet\.$/);
      const pressed = await ours.api.send(`/${service}/${repo}/settings`, {
        ...{ method: 'POST', redirect: 'manual', body: 'do=webhook&from=set-up' },
        headers: { ...admin, 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `/${service}/${repo}/set-up`]);
      expect((await proofs('/set-up'))[1]).toMatch(/^ok: .* has the webhook, and sends to it\.$/);
      stop();
      expect((await proofs('/set-up'))[1]).toMatch(/^fail: .*acme\/shop/i);
      await ours.api.uploadJob({ repo_token: token, source_files: 'none' } as never).catch(() => undefined);
      expect((await proofs('/set-up'))[2]).toMatch(/^fail: An upload was refused: /);
      await uploadTo(ours, token);
      const status = async () => (await proofs('/set-up'))[3];
      await waitFor(async () => ((await status())?.startsWith('ok') ? true : undefined), {
        ...{ what: 'the status', intervalMs: 20, meanwhile: ours.time.skipPause },
      });
      expect((await proofs('/set-up')).slice(2, 4)).toEqual([
        'ok: An upload has arrived: build 1 for commit aaaaaaa.',
        expect.stringMatching(/^ok: .* shows the status "coverage" for commit aaaaaaa\.$/),
      ]);
      expect(await proofs('')).toEqual([]);
      const merges = async () => (await proofs('/set-up')).slice(4).join();
      const waits = 'does not wait for the status "coverage" yet before it merges into main.';
      if (requires === undefined) expect(await merges()).toBe('');
      else {
        expect(await merges()).toMatch(new RegExp(`^pending: .* ${waits}$`));
        if (requires !== 'every pipeline') {
          host.requireStatuses(repo, 'main', ['build', 'cov*d*', '*verage/patch']);
          expect(await merges()).toMatch(new RegExp(`^pending: .* ${waits}$`));
        }
        host.requireStatuses(repo, 'main', ['build', requires]);
        expect(await merges()).toMatch(/^ok: .* merges nothing into main before the status "coverage" passes\.$/);
      }
      host.removeRepo(repo);
      expect((await proofs('/set-up'))[0]).toMatch(/^fail: .*give its token access to it\.$|^fail: .*not found/i);
    }));

  test('the set-up page waits five seconds for a host that does not answer', () =>
    play(async ({ host, ours, give, repo, own }) => {
      await ours.newRepo({ service, name: repo });
      await give(own);
      const asked = host.requests().length;
      host.faults.when(() => ({ kind: 'hang' }));
      const headers = { authorization: `token ${ours.adminToken}`, accept: 'text/html' };
      const page = ours.api.send(`/${service}/${repo}/set-up`, { headers });
      await waitFor(() => host.requests().length > asked || undefined, { what: 'a question', intervalMs: 5 });
      await ours.time.pass(5_000);
      const proofs = setupProofs((await page).text);
      const late = /^pending: .* has not answered yet\. Reload this page to ask again\.$/;
      expect(proofs.slice(0, 2)).toEqual([expect.stringMatching(late), expect.stringMatching(late)]);
      expect(proofs[2]).toContain('Waiting for the first upload.');
      await ours.time.pass(30_000);
    }));

  test('doctor says its version, how many requests are left, and which right the server’s token lacks', async () => {
    const { host, place, setting, version, weak } = await start();
    const seenBy = async (token: string) => {
      const ours = await startService({ env: { ...place, [`${setting}_TOKEN`]: token } });
      const found = await examine(ours);
      await ours.stop();
      return found;
    };
    const well = await seenBy(host.token);
    expect([well('sign-in')?.state, well('proxy')?.seen]).toEqual(['ok', expect.stringMatching(version)]);
    // The others do not say how many requests they take.
    const left = service === 'bitbucket' ? /^1000 of 1000 requests are left until / : /states no rate limit\.$/;
    expect(well('rate-limit')?.seen).toMatch(left);
    for (const [token, lacks] of weak)
      expect((await seenBy(token))('sign-in')).toMatchObject({ state: 'failed', seen: expect.stringMatching(lacks) });
    await host.close();
  });
});
