import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COVERAGE_YML, hits, type RulesRepo, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** What pages show of the groups and the rules of a repo's own file. */

let scene: RulesScene;
let repo: RulesRepo;
const YML = [
  'total: { drop: 50 }',
  'groups:',
  '  - { name: Core, paths: [core/**], total: { drop: 0 } }',
  "  - { each: 'web/*', name: 'Web {1}', total: { drop: 0.5, minimum: 20 } }",
  '',
].join('\n');
const FILES = { 'core/a.ts': hits(4, 4), 'web/shop/cart.ts': hits(2, 10), 'web/shop/tax.ts': hits(9, 9) };
beforeAll(async () => {
  scene = await startRulesScene();
  repo = await scene.repoWith({ [COVERAGE_YML]: YML }, FILES);
});
afterAll(() => scene.end());

async function read(path: string): Promise<string> {
  const headers = { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' };
  const { status, text } = await scene.service.api.send(path, { headers });
  expect(status).toBe(200);
  return text;
}
const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const ofRepo = (path: string): Promise<string> => read(`/github/${repo.name}${path}`);

test('a group of `each` shows what is said of all of them, and where', async () => {
  const text = plain(await ofRepo('/groups/web-shop'));
  expect(text).toContain('each web/* coverage.yml, line 4');
  expect(text).toContain('total.drop 0.5 coverage.yml, line 4');
});

test('groups stand in the order of what they miss', async () => {
  const rows = (await ofRepo('/groups')).split('<tbody')[1] ?? '';
  expect([...rows.matchAll(/groups\/([\w-]+)">/g)].map(([, id]) => id)).toEqual(['web-shop', 'core']);
});

test('the page of rules has the lines of the file as they stand there, and values with units', async () => {
  const text = await ofRepo('/rules');
  expect(text).toContain('<code>  - { name: Core, paths: [core/**], total: { drop: 0 } }</code>');
  expect(plain(text)).toContain('total.drop 50 points coverage.yml, line 1');
  expect(plain(text)).toContain('.total.minimum 20% coverage.yml, line 4');
  expect(plain(text)).toContain('Status Valid Precedence this file wins over Settings');
});

describe('a build that two groups fail', () => {
  const lines = async (query = ''): Promise<string> => {
    const files = {
      'core/a.ts': [0, 1, 1, 1],
      'web/shop/cart.ts': [0, 1, ...hits(0, 8)],
      'web/shop/tax.ts': hits(9, 9),
    };
    const build = await repo.pull({ files, changed: ['core/a.ts', 'web/shop/cart.ts'] });
    return read(`/builds/${build.id}${query}`);
  };
  const choices = (html: string): string => plain(/<nav class="seg cover-filter".*?<\/nav>/s.exec(html)?.[0] ?? '');
  const files = (html: string) => [...html.matchAll(/<h3>.*?class="path"[^>]*>(.*?)<\/a>/gs)].map(([, name]) => name);

  test('shows the lines of both, each of which can be chosen by its name', async () => {
    const html = await lines();
    expect(choices(html).trim()).toBe('Failing checks 2 Core 1 Web shop 1 All 2');
    expect(files(html).map((name) => plain(name ?? ''))).toHaveLength(2);
    const one = await lines('?check=group:core');
    expect(plain(one)).toContain('for group Core: 1 line, in 1 file');
  });
});

test('builds are compared by their groups too', async () => {
  const build = await repo.push({ files: { ...FILES, 'web/shop/cart.ts': hits(4, 10) }, branch: 'more' });
  const text = plain(await ofRepo(`/compare/${repo.main.id}...${build.id}`));
  expect(text).toContain('Web shop group 57.89% 68.42% +10.52 13 of 19');
});
