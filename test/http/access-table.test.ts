import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccessScene, createAccessScene, startAccessGithub } from '../support/access/access-scene.ts';
import { walkAccess } from '../support/access/walk-access.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

const page = new URL('../../docs/security.md', import.meta.url);

let github: GithubStandIn;
let service: Service;
let scene: AccessScene;
beforeAll(async () => {
  const started = await startAccessGithub();
  github = started.github;
  service = await startService({ github, env: { GITHUB_WEBHOOK_SECRET: 'known-to-github-alone-0123456789' } });
  const { url, adminToken, store } = service;
  scene = await createAccessScene({
    github,
    url,
    adminToken,
    run: started.run,
    newToken: service.tokenOf,
    async revoke(user) {
      for (const token of await store.tokens.list())
        if (token.user === user) await store.tokens.revoke(token.id, Date.now());
    },
  });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

/** A route of its own, as to who may ask. */
const VERBOSE = 'GET /readyz?verbose';

test('a route without a row and a row without a route are named, with what to write', async () => {
  const markdown = (await readFile(page, 'utf8')).replace('`GET /{healthz,readyz}`', '`GET /{gone,readyz}`');
  const { problems } = await walkAccess(scene, { routes: ['GET /healthz', 'GET /readyz', VERBOSE], markdown });
  expect(problems).toContain(
    '"In the header, about a private repo" has a row for GET /gone, which is no route: remove it.',
  );
  const missing = problems.find((problem) => problem.includes('has no row'));
  expect(missing).toContain(`| \`GET /healthz\` | ${Array(10).fill('200').join(' | ')} |`);
});

test('every route answers every caller as docs/security.md says', { timeout: 120_000 }, async () => {
  const markdown = await readFile(page, 'utf8');
  const { requests, problems } = await walkAccess(scene, { routes: [...service.routes, VERBOSE], markdown });
  expect(problems.join('\n\n')).toBe('');
  expect(requests).toBeGreaterThan(service.routes.length * 10);
});
