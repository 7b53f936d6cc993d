import { afterEach, describe, expect, test, vi } from 'vitest';
import { identifyUploader, type UploaderClaim } from '../../server/src/access/uploaders/identify-uploader.ts';
import { rememberUploaders, type UploaderServices } from '../../server/src/access/uploaders/uploader-services.ts';
import { listHosts } from '../../server/src/core/repo/git-host.ts';
import type { RepoService } from '../../server/src/core/repo/repo.ts';
import { type AskProvider, createAskProvider } from '../../server/src/hosts/facts/ask-provider.ts';
import { createDeadline } from '../../server/src/hosts/facts/deadline.ts';
import { createGithubProvider } from '../../server/src/hosts/github/github-provider.ts';
import { createGithubHook } from '../../server/src/hosts/github/webhook.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Host } from '../../server/src/ports/host.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import type { ProviderEvent } from '../../server/src/ports/provider-events.ts';
import type { Services } from '../../server/src/services/services.ts';
import { registerHookRoutes } from '../../server/src/webhooks/http/hooks-routes.ts';
import { putRepo } from '../contract/records.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { HOOK_SECRET, sendDelivery } from '../support/hooks-client.ts';
import { githubHost } from '../support/hosts.ts';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';
import { createLogbook } from '../support/logbook.ts';
import { createPlainHost, PLAIN_REPO, PLAIN_SECRET } from './plain-host.ts';

const NAME = PLAIN_REPO.name;
const [FIRST, SECOND] = ['a'.repeat(40), 'b'.repeat(40)];

let app: HttpApp | undefined;
let github: GithubStandIn | undefined;
afterEach(async () => {
  await app?.stop();
  await github?.close();
});

const NO_ID_TOKENS: Services['idTokens'] = {
  issuerOf: () => undefined,
  check: () => Promise.reject(new Error('no id-token comes here')),
};

/** One server for GitHub and for the plain host, each with a repo of the same name. */
async function start() {
  const standIn = await startGithubStandIn();
  github = standIn;
  standIn.addRepo(NAME);
  standIn.addCommit(NAME, { sha: FIRST, branch: 'main' });
  const plain = createPlainHost();
  plain.commits.set(SECOND, { parent: undefined, files: 'one' });
  const [clock, logger] = [{ now: Date.now }, createLogbook()];
  const deps = { fetch, clock, timers: systemTimers, logger, retryPause: 1 };
  const provider = createGithubProvider({ ...deps, apiUrl: standIn.url, token: standIn.token });
  const plainFace = plain.kind.connect({}, deps, []) as Host & { readonly provider: Provider };
  const hosts = listHosts([githubHost({ provider, webhook: createGithubHook({ secret: HOOK_SECRET }) }), plainFace]);
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
  const repos = { github: await put('github'), forgejo: await put('forgejo') };
  const suspended = async (service: keyof typeof repos) => (await store.repos.find(repos[service].id))?.suspended;
  const identify = (claim: UploaderClaim) => identifyUploader(uploaders, claim);
  return { github: standIn, plain: plainFace.provider, url, repos, suspended, askProvider, identifyUploader: identify };
}

async function send(url: string, event: ProviderEvent, secret = PLAIN_SECRET, service = 'forgejo') {
  const answer = await fetch(`${url}/hooks/${service}`, {
    method: 'POST',
    headers: { 'X-Plain': secret, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  return { status: answer.status, json: await answer.json() };
}

describe('two hosts on one server', () => {
  test('each event is about repos of its own host, in that host’s name', async () => {
    const { github, url, suspended } = await start();
    expect(await send(url, { kind: 'repo-removed', repo: PLAIN_REPO })).toMatchObject({
      status: 200,
      json: { event: 'repo-removed', outcome: 'heard' },
    });
    expect([await suspended('forgejo'), await suspended('github')]).toEqual(['It was deleted at Plain.', undefined]);
    const removal = github.deliveries.repository(NAME, { action: 'deleted' });
    expect(await sendDelivery(url, removal)).toMatchObject({ status: 200 });
    expect(await suspended('github')).toBe('It was deleted at GitHub.');
  });

  test('each has an address, a signature and answers of its own; others have none', async () => {
    const { url, suspended } = await start();
    const event = { kind: 'repo-removed', repo: PLAIN_REPO } as const;
    expect((await send(url, event, 'wrong')).status).toBe(401);
    expect((await send(url, event, PLAIN_SECRET, 'github')).status).toBe(401);
    expect((await send(url, event, PLAIN_SECRET, 'bitbucket')).status).toBe(404);
    expect([await suspended('forgejo'), await suspended('github')]).toEqual([undefined, undefined]);
  });

  test('each repo’s questions go to its own host', async () => {
    const { repos, askProvider, github, plain } = await start();
    const asked = vi.spyOn(plain, 'describeCommit');
    const ask = (repo: typeof repos.github, commit: string) =>
      askProvider({
        repo,
        deadline: createDeadline(systemTimers, 5_000),
        ask: (provider) => provider.describeCommit({ repo: repo.name, commit }),
      });
    expect(await ask(repos.github, FIRST)).toMatchObject({ kind: 'answer', value: { parents: [] } });
    expect(await ask(repos.forgejo, FIRST)).toEqual({ kind: 'answer', value: undefined });
    expect(await ask(repos.forgejo, SECOND)).toMatchObject({ kind: 'answer', value: { parents: [] } });
    expect([github.requests().length, asked.mock.calls.length]).toEqual([1, 2]);
  });

  test('a token is shown to the host that marked it alone, and opens that host’s repo', async () => {
    const { repos, identifyUploader, github } = await start();
    const claim = { token: 'plain-of-mona', repoName: NAME, address: '203.0.113.9', runs: [], commits: [SECOND] };
    expect(await identifyUploader(claim)).toEqual({ repo: repos.forgejo, trust: 'provider' });
    expect(github.requests()).toEqual([]);
    await expect(identifyUploader({ ...claim, repoName: 'acme/other' })).rejects.toMatchObject({
      message: expect.stringContaining(
        'repo_token is a token of Plain, sent for the repo "acme/other". Plain does not show',
      ),
    });
    await expect(identifyUploader({ ...claim, token: undefined })).rejects.toMatchObject({
      message: expect.stringMatching(/or on GitHub a workflow's GITHUB_TOKEN .*, or on Plain a personal token with/),
    });
  });
});
