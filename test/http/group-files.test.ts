import { afterAll, beforeAll, expect, test } from 'vitest';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** The files of a group on its page: those that its numbers are the sums of. */

let scene: RulesScene;
beforeAll(async () => {
  scene = await startRulesScene();
});
afterAll(() => scene.end());

const FILES = {
  'cli/a.ts': hits(8, 10),
  'cli/deep/b.ts': hits(1, 10),
  'cli/made.gen.ts': hits(0, 10),
  'ui/a.ts': hits(5, 10),
  'web/shop/cart.ts': hits(4, 10),
};
const TEXTS = {
  [COVERAGE_YML]: [
    'owners: true',
    'groups:',
    "  - { name: Backend, paths: [cli/**, '!**/*.gen.ts'] }",
    "  - { each: 'web/*', name: 'Web {1}' }",
    "  - { owner: '@acme/ui' }",
    '',
  ].join('\n'),
  CODEOWNERS: '/ui/ @acme/ui\n',
};

let address: string;
beforeAll(async () => {
  const { name } = await scene.repoWith(TEXTS, FILES);
  address = `/github/${name}/groups/`;
});

async function filesOn(path: string): Promise<readonly string[]> {
  const headers = { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' };
  const { status, text } = await scene.service.api.send(address + path, { headers });
  expect(status).toBe(200);
  return [...text.matchAll(/<a class="path" href="[^"]*">([^<]*)<\/a>/g)].map(([, name]) => name ?? '');
}

test.each([
  ['paths, the most missed first', 'backend', ['cli/deep/b.ts', 'cli/a.ts']],
  ['paths, the best covered last', 'backend?sort=lowest', ['cli/deep/b.ts', 'cli/a.ts']],
  ['paths, some of them', 'backend?q=a.ts', ['cli/a.ts']],
  ['paths, by letters of their names', 'backend?q=cldpb', ['cli/deep/b.ts']],
  ['a folder for the star', 'web-shop', ['web/shop/cart.ts']],
  ['an owner', 'acme-ui', ['ui/a.ts']],
])('by %s', async (_, path, files) => {
  expect(await filesOn(path)).toEqual(files);
});

test('a part of a path that none has is said so', async () => {
  expect(await filesOn('backend?q=nothing')).toEqual([]);
});
