import { afterEach, describe, expect, test } from 'vitest';
import { identifyUploader, type UploaderClaim } from '../../server/src/access/uploaders/identify-uploader.ts';
import { rememberUploaders, type UploaderServices } from '../../server/src/access/uploaders/uploader-services.ts';
import { listHosts } from '../../server/src/core/repo/git-host.ts';
import type { RepoService } from '../../server/src/core/repo/repo.ts';
import { type AskProvider, createAskProvider } from '../../server/src/hosts/facts/ask-provider.ts';
import { createDeadline } from '../../server/src/hosts/facts/deadline.ts';
import { createGithubHook } from '../../server/src/hosts/github/webhook.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { EventRepo, ProviderEvent } from '../../server/src/ports/provider-events.ts';
import type { Services } from '../../server/src/services/services.ts';
import { registerHookRoutes } from '../../server/src/webhooks/http/hooks-routes.ts';
import { putRepo } from '../contract/records.ts';
import { createFakeHost } from '../support/fake-provider/fake-host.ts';
import { FAKE_SECRET, fakeModule } from '../support/fake-provider/fake-module.ts';
import { HOOK_SECRET, sendDelivery } from '../support/hooks-client.ts';
import { githubHost } from '../support/hosts.ts';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';
import { createLogbook } from '../support/logbook.ts';

const NAME = 'acme/shop';
const [FIRST, SECOND] = ['a'.repeat(40), 'b'.repeat(40)];

let app: HttpApp | undefined;
afterEach(() => app?.stop());

const NO_ID_TOKENS: Services['idTokens'] = {
  issuerOf: () => undefined,
  check: () => Promise.reject(new Error('no id-token comes here')),
};

/** One server for GitHub and for a host in memory under `gitlab`, each with a repo of the same name. */
async function start() {
  const [github, memory] = [createFakeHost(), createFakeHost()];
  for (const [host, sha] of [
    [github, FIRST],
    [memory, SECOND],
  ] as const) {
    host.addRepo(NAME);
    host.addCommit(NAME, { sha, branch: 'main' });
  }
  const hosts = listHosts([
    githubHost({ provider: github.provider, webhook: createGithubHook({ secret: HOOK_SECRET }) }),
    fakeModule(memory),
  ]);
  const [clock, logger] = [{ now: Date.now }, createLogbook()];
  let askProvider = undefined as unknown as AskProvider;
  let uploaders = undefined as unknown as UploaderServices;
  app = await startHttpApp({
    routes: [
      (router, services) => {
        const providerOf: Parameters<typeof createAskProvider>[0]['providerOf'] = (repo) => hosts.of(repo)?.provider;
        askProvider = createAskProvider({ facts: services.facts, providerOf, clock, logger });
        const parts = { ...services, hosts: hosts as Services['hosts'], clock, logger, askProvider };
        registerHookRoutes(router, { ...parts, webhookNotes: { note: async () => {} } });
        uploaders = rememberUploaders({ ...parts, idTokens: NO_ID_TOKENS });
      },
    ],
  });
  const { store, url } = app;
  const put = (service: RepoService) =>
    putRepo(store, { name: NAME, service, token: { lookup: service, sealed: service, expiresAt: undefined } });
  const repos = { github: await put('github'), gitlab: await put('gitlab') };
  const suspended = async (service: keyof typeof repos) => (await store.repos.find(repos[service].id))?.suspended;
  const identify = (claim: UploaderClaim) => identifyUploader(uploaders, claim);
  return { github, memory, url, repos, suspended, askProvider, identifyUploader: identify };
}

async function send(url: string, event: ProviderEvent, secret = FAKE_SECRET, service = 'gitlab') {
  const answer = await fetch(`${url}/hooks/${service}`, {
    method: 'POST',
    headers: { 'X-Fake-Secret': secret, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  return { status: answer.status, json: await answer.json() };
}

const gone: EventRepo = { id: '17', name: NAME, described: undefined };

describe('two hosts on one server', () => {
  test('each event is about repos of its own host, in that host’s name', async () => {
    const { github, url, suspended } = await start();
    expect(await send(url, { kind: 'repo-removed', repo: gone })).toMatchObject({
      status: 200,
      json: { event: 'repo-removed', outcome: 'heard' },
    });
    expect([await suspended('gitlab'), await suspended('github')]).toEqual(['It was deleted at Memory.', undefined]);
    const removal = github.deliveries.repository(NAME, { action: 'deleted' });
    expect(await sendDelivery(url, removal)).toMatchObject({ status: 200 });
    expect(await suspended('github')).toBe('It was deleted at GitHub.');
  });

  test('each has an address, a signature and answers of its own; others have none', async () => {
    const { url, suspended } = await start();
    const event = { kind: 'repo-removed', repo: gone } as const;
    expect((await send(url, event, 'wrong')).status).toBe(401);
    expect((await send(url, event, FAKE_SECRET, 'github')).status).toBe(401);
    expect((await send(url, event, FAKE_SECRET, 'bitbucket')).status).toBe(404);
    expect([await suspended('gitlab'), await suspended('github')]).toEqual([undefined, undefined]);
  });

  test('each repo’s questions go to its own host', async () => {
    const { repos, askProvider, github, memory } = await start();
    const ask = (repo: typeof repos.github, commit: string) =>
      askProvider({
        repo,
        deadline: createDeadline(systemTimers, 5_000),
        ask: (provider) => provider.describeCommit({ repo: repo.name, commit }),
      });
    expect(await ask(repos.github, FIRST)).toMatchObject({ kind: 'answer', value: { parents: [] } });
    expect(await ask(repos.gitlab, FIRST)).toEqual({ kind: 'answer', value: undefined });
    expect(await ask(repos.gitlab, SECOND)).toMatchObject({ kind: 'answer', value: { parents: [] } });
    expect([github.calls().length, memory.calls().length]).toEqual([1, 2]);
  });

  test('a token is shown to the host that marked it alone, and opens that host’s repo', async () => {
    const { repos, identifyUploader, github } = await start();
    const claim = { token: 'mem-of-mona', repoName: NAME, address: '203.0.113.9', runs: [], commits: [SECOND] };
    expect(await identifyUploader(claim)).toEqual({ repo: repos.gitlab, trust: 'provider' });
    expect(github.calls()).toEqual([]);
    await expect(identifyUploader({ ...claim, repoName: 'acme/other' })).rejects.toMatchObject({
      message: expect.stringContaining(
        'repo_token is a token of Memory, sent for the repo "acme/other". Memory does not show',
      ),
    });
    await expect(identifyUploader({ ...claim, token: undefined })).rejects.toMatchObject({
      message: expect.stringMatching(/or on GitHub a workflow's GITHUB_TOKEN .*, or on Memory a personal token with/),
    });
  });
});
