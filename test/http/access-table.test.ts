import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccessScene, createAccessScene, startAccessGithub } from '../support/access/access-scene.ts';
import { walkAccess } from '../support/access/walk-access.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
let scene: AccessScene;
beforeAll(async () => {
  const started = await startAccessGithub();
  github = started.github;
  service = await startService({ github, env: { GITHUB_WEBHOOK_SECRET: 'known-to-github-alone-0123456789' } });
  const { url, adminToken, store } = service;
  scene = await createAccessScene({
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

test('every route answers every caller as docs/security.md says', { timeout: 60_000 }, async () => {
  const markdown = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const { requests, problems } = await walkAccess(scene, { routes: service.routes, markdown });
  expect(problems.join('\n\n')).toBe('');
  expect(requests).toBeGreaterThan(service.routes.length * 10);
});
