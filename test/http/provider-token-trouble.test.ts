import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { advanceTimeUntil, skipHangs } from '../support/advance-time-until.ts';
import type { Fault } from '../support/github-stand-in/faults.ts';
import { startTokenScene, TOKENS, type TokenScene } from '../support/provider-token-scene.ts';

let scene: TokenScene;
beforeAll(async () => {
  scene = await startTokenScene();
  await scene.service.newRepo({ service: 'github', name: 'acme/shop' });
});
afterEach(() => scene.github.faults.clear());
afterAll(() => scene.end());

const person = { repo_token: TOKENS.classic, repo_name: 'acme/shop' };

describe('while GitHub is away', () => {
  test.each<[string, Fault, string]>([
    ['fails', { kind: 'status', status: 500 }, 'GitHub did not answer in time'],
    ['hangs up', { kind: 'drop', takesEffect: false }, 'GitHub did not answer in time'],
    ['never answers', { kind: 'hang' }, 'GitHub did not answer in time'],
    [
      'wants us to wait for long',
      { kind: 'secondary-limit', retryAfterSeconds: 60 },
      'GitHub asks its callers to wait',
    ],
    ['has no calls left', { kind: 'primary-limit', resetAt: 4e9 }, 'GitHub asks its callers to wait'],
    // How long they wait at most is what retry-until-deadline.test.ts shows.
  ])('and %s, an upload and a close get 503', async (_, fault, sentence) => {
    scene.github.faults.when(() => fault);
    const work = Promise.all([
      scene.upload({ ...person, service_number: 'away' }),
      scene.close(person, 'away'),
      scene.upload({ repo_token: TOKENS.workflow, repo_name: 'acme/shop', service_number: '4711' }),
    ]);
    const answers = await advanceTimeUntil(work, skipHangs(scene.github, scene.service.time));
    expect(answers).toHaveLength(3);
    for (const { status, headers, json } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([503, '10']);
      expect(json).toEqual({ message: expect.stringContaining(sentence), error: true });
      expect(json.message).toMatch(
        /^repo_token is a GitHub .*token, .* the repo "acme\/shop", .*Nothing was stored; send it again\.$/,
      );
    }
    expect(await scene.service.store.jobs.find(1)).toBeUndefined();
  });

  test('and comes back soon, the upload succeeds', async () => {
    scene.github.faults.next(2, { kind: 'status', status: 503 });
    expect((await scene.upload({ ...person, service_number: 'back' })).status).toBe(200);
    scene.github.faults.next(
      1,
      { kind: 'secondary-limit', retryAfterSeconds: 1 },
      ({ path }) => path === '/repos/acme/shop',
    );
    expect((await scene.upload({ ...person, service_number: 'waited' })).status).toBe(200);
  });

  test('the repo’s own token works as ever', async () => {
    scene.github.faults.when(() => ({ kind: 'hang' }));
    const { json } = await scene.service.api.readRepo('acme/shop');
    const begun = scene.service.time.timers.elapsed();
    const answer = await scene.upload({ repo_token: json.token ?? '', service_number: 'own' });
    // No wait for GitHub ended in the meantime, since none ends by itself.
    expect(scene.service.time.timers.elapsed()).toBe(begun);
    expect(answer.status).toBe(200);
    expect(answer.json.message).toMatch(/^Job #/);
  });
});

test('no token is in an answer, a log line or the database, and GitHub was asked what it describes', () =>
  scene.checkSecrecy());
