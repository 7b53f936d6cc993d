import { afterEach, describe, expect, test, vi } from 'vitest';
import { HEAD, type HookScene, NAME, startHookScene } from '../support/hook-scene.ts';
import { sendBody, sendDelivery, signatureOf } from '../support/hooks-client.ts';
import { openRaw } from '../support/raw-http.ts';

let scene: HookScene | undefined;
afterEach(() => scene?.end());

async function start(options?: { readonly secret: null }): Promise<HookScene> {
  scene = await startHookScene(options);
  return scene;
}

describe('POST /hooks/github believes', () => {
  test.each([false, true])('what bears the signature of its bytes (as a form: %s)', async (form) => {
    const { app, host } = await start();
    const delivery = host.deliveries.pullRequest(NAME, 7, { action: 'opened' });
    expect(await sendDelivery(app.url, delivery, { form })).toEqual({
      status: 200,
      json: {
        event: 'pull_request',
        outcome: 'heard',
        effects: expect.arrayContaining([expect.stringMatching(/^the repo is bound/)]),
      },
    });
  });

  test.each([
    ['none', null, 'X-Hub-Signature-256 is missing'],
    ['that of another secret', signatureOf('{}', 'another'), "X-Hub-Signature-256 is not this body's signature"],
    [
      'that of another body',
      signatureOf('{ }'),
      'set the secret of the webhook at GitHub to the value of GITHUB_WEBHOOK_SECRET',
    ],
    ['half of one', signatureOf('{}').slice(0, 40), "is not this body's signature"],
    ['the older kind', signatureOf('{}').replace('sha256', 'sha1'), "is not this body's signature"],
    ['one that is no text of hex', `sha256=${'z'.repeat(64)}`, "is not this body's signature"],
  ])('no other: %s', async (_, signature, sentence) => {
    const { app, store, repo } = await start();
    const { status, json } = await sendBody(app.url, { event: 'push', body: '{}' }, { signature });
    expect([status, json.message]).toEqual([401, expect.stringContaining(sentence)]);
    expect(await store.repos.find(repo.id)).toEqual(repo);
  });

  test('nobody without a secret of its own', async () => {
    const { app } = await start({ secret: null });
    const { status, json } = await sendBody(app.url, { event: 'ping', body: '{}' });
    expect([status, json.message]).toEqual([404, expect.stringContaining('GITHUB_WEBHOOK_SECRET is not set')]);
  });

  test('only its own bytes: JSON that means the same is another body', async () => {
    const { app } = await start();
    const signature = signatureOf('{"zen":"é"}');
    expect((await sendBody(app.url, { event: 'ping', body: '{"zen":"\\u00e9"}' }, { signature })).status).toBe(401);
    expect((await sendBody(app.url, { event: 'ping', body: '{"zen":"é"}' }, { signature })).status).toBe(202);
  });

  test('a large one, of which every byte is signed, and parses none of it without that', async () => {
    const { app, host } = await start();
    const { event, payload } = host.deliveries.push(NAME, 'refs/heads/main', HEAD);
    const body = JSON.stringify({ ...payload, commits: ['x'.repeat(3_000_000)] });
    const parsed = vi.spyOn(JSON, 'parse');
    try {
      const signature = signatureOf(body.replace('x"]', 'y"]'));
      expect((await sendBody(app.url, { event, body }, { signature })).status).toBe(401);
      expect(parsed.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([]);
      expect((await sendBody(app.url, { event, body })).status).toBe(200);
      expect(parsed.mock.calls.filter(([text]) => text.length > 1_000)).toHaveLength(1);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('POST /hooks/github refuses, without a fault of its own,', () => {
  const nested = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  test.each([
    ['a payload', nested],
    ['a repository', `{"repository":${nested}}`],
    ['a name', `{"repository":{"id":1,"full_name":${nested}}}`],
  ])('%s that is nested 500,000 deep', async (_, body) => {
    const { app } = await start();
    const { status, json } = await sendBody(app.url, { event: 'push', body });
    expect([status, json.message]).toEqual([422, expect.stringMatching(/, not \[+…/)]);
  });
});

describe('POST /hooks/github takes', () => {
  test.each([
    ['ping', { zen: 'Keep it logically awesome.' }],
    ['a_word_of_tomorrow', { action: 'opened' }],
    ['pull_request', { action: 'labeled' }],
    ['workflow_run', { action: 'requested' }],
    ['installation', { action: 'deleted' }],
    ['installation_repositories', { action: 'removed' }],
    ['repository', { action: 'celebrated' }],
    ['__proto__', {}],
    ['constructor', {}],
  ])('%s and leaves it be', async (event, payload) => {
    const { app } = await start();
    expect(await sendBody(app.url, { event, body: JSON.stringify(payload) })).toEqual({
      status: 202,
      json: { event, outcome: 'ignored', effects: [] },
    });
  });

  test('events of repos that it does not have', async () => {
    const { host, send } = await start();
    host.addRepo('acme/other');
    const { status, json } = await send(host.deliveries.push('acme/other', 'refs/heads/main', HEAD));
    expect([status, json]).toEqual([202, { event: 'push', outcome: 'unknown-repo', effects: [] }]);
  });

  test.each([
    ['push', '{"ref": 1', 'The payload is not JSON: it has 9 characters and begins with'],
    ['push', '', 'The payload is not JSON'],
    ['push', '[1]', 'it must be an object, not [1]'],
    ['push', '{}', 'repository must be an object, not missing'],
    ['push', 'null', 'The payload of this push event is not valid: it must be an object, not null'],
    ['', '{}', 'X-GitHub-Event must name the event, but is ""'],
    ['PUSH now', '{}', 'X-GitHub-Event must name the event, but is "PUSH now"'],
  ])('no %s of %j', async (event, body, sentence) => {
    const { app } = await start();
    const { status, json } = await sendBody(app.url, { event, body });
    expect([status, json.message]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test('no form without its payload', async () => {
    const { app } = await start();
    const { status, json } = await sendBody(app.url, {
      event: 'push',
      body: 'a=1',
      type: 'application/x-www-form-urlencoded',
    });
    expect([status, json.message]).toEqual([422, 'The form has no field payload.']);
  });

  test.each<[string, (payload: { readonly repository: object }) => object, string]>([
    [
      'a name that no repo has',
      ({ repository }) => ({ repository: { ...repository, full_name: '../..' } }),
      'repository.full_name must be <owner>/<name>, not "../.."',
    ],
    [
      'an id as text',
      ({ repository }) => ({ repository: { ...repository, id: '7' } }),
      'repository.id must be a whole number above 0, not "7"',
    ],
    ['half a commit', () => ({ after: 'abc' }), 'after must be a whole commit SHA, not "abc"'],
    [
      'a list for a ref',
      () => ({ ref: ['refs/heads/main'] }),
      'ref must be a text of 1 to 1000 characters, not ["refs/heads/main"]',
    ],
    [
      'a ref without end',
      () => ({ ref: `refs/heads/${'x'.repeat(2_000)}` }),
      'ref must be a text of 1 to 1000 characters, not "refs/heads/xxx',
    ],
  ])('no payload with %s', async (_, change, sentence) => {
    const { app, host } = await start();
    const { event, payload } = host.deliveries.push(NAME, 'refs/heads/main', HEAD);
    const body = JSON.stringify({ ...payload, ...change(payload as { readonly repository: object } & typeof payload) });
    const { status, json } = await sendBody(app.url, { event, body });
    expect([status, json.message]).toEqual([422, expect.stringContaining(sentence)]);
    expect(json.message?.length).toBeLessThan(300);
  });

  test('no more than GitHub sends', async () => {
    const { app } = await start();
    const connection = await openRaw(app.port);
    connection.send(
      `POST /hooks/github HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: ` +
        `sha256=${'0'.repeat(64)}\r\nContent-Length: ${26 * 1024 * 1024 + 1}\r\n\r\n`,
    );
    const { status, body } = await connection.answer();
    connection.socket.destroy();
    expect([status, body]).toEqual([413, expect.stringContaining("at most 26214400 (GitHub's own limit)")]);
  });
});
