import { afterAll, beforeAll, expect, test } from 'vitest';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** `…/trend`: how a branch went, with flags and groups beside it. */

let scene: RulesScene;
let address: string;
beforeAll(async () => {
  scene = await startRulesScene();
  const groups = ['a', 'b', 'c', 'd', 'e'].map((name) => `  - { name: Group ${name}, paths: [${name}/**] }`);
  const texts = { [COVERAGE_YML]: `groups:\n${groups.join('\n')}\n` };
  const files = { 'a/x.ts': hits(1, 2), 'b/x.ts': hits(2, 2), 'c/x.ts': [1], 'd/x.ts': [1], 'e/x.ts': [1] };
  const repo = await scene.repoWith(texts, files);
  await scene.service.time.pass(3 * 86_400_000);
  await repo.push({ files: { ...files, 'a/x.ts': hits(2, 2) } });
  address = `/github/${repo.name}`;
});
afterAll(() => scene.end());

async function read(path: string): Promise<string> {
  const headers = { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' };
  const { status, text } = await scene.service.api.send(address + path, { headers });
  expect(status).toBe(200);
  return text;
}

const legendOf = (text: string): readonly string[] =>
  [...text.matchAll(/<span class="lg-over">.*?<\/svg> (.*?)<\/span>/g)].map(([, name]) => name ?? '');

test('each build is a named link, in the chart and as a list', async () => {
  const text = await read('/trend');
  expect(text.match(/<a href="\/builds\/\d+" aria-label="[0-9a-f]{7}(?:, [^:"]+)?: /g)).toHaveLength(2);
  expect(text).toContain('2 builds are drawn');
  expect(text).toMatch(/<table[^>]*aria-label="Builds of main"/);
  expect(legendOf(text)).toEqual([]);
});

test('groups that are chosen have lines of their own and stay chosen in another period', async () => {
  const text = await read('/trend?with=group:group-a&with=group:group-b&with=group:none&days=30');
  expect(legendOf(text)).toEqual(['Group a 100.00%', 'Group b 100.00%']);
  expect(text.match(/<path class="curve over over-\d" d="M[^"]+L[^"]+"/g)).toHaveLength(2);
  expect(text).toMatch(/name="with" value="group:group-b" checked/);
  expect(text).toContain(`${address}/trend?days=365&amp;with=group%3Agroup-a&amp;with=group%3Agroup-b"`);
});

test('no more than four at a time', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => `with=group:group-${name}`).join('&');
  expect(legendOf(await read(`/trend?${all}`))).toHaveLength(4);
});

test('the page of the repo leads there', async () => {
  expect(await read('')).toContain(`<a href="${address}/trend?days=30">Compare flags and groups</a>`);
});

test('a group of one build is a dot', async () => {
  const texts = { [COVERAGE_YML]: 'groups:\n  - { name: Young, paths: [a/**] }\n' };
  const { name } = await scene.repoWith(texts, { 'a/x.ts': hits(1, 2), 'b/x.ts': hits(2, 2) });
  const headers = { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' };
  const { text } = await scene.service.api.send(`/github/${name}/trend?with=group:young`, { headers });
  expect(text).toMatch(/<path class="dot beside" d="M[\d. ]+h0"/);
});

// Time continues for good: the last.
test('all builds, from the first on, with what was released', async () => {
  const { service } = scene;
  const repo = await scene.repoWith({}, { 'a/x.ts': hits(1, 4) });
  await service.time.pass(500 * 86_400_000);
  const build = await repo.push({
    files: { 'a/x.ts': hits(2, 4) },
    fields: { git: { branch: 'main', head: { message: 'Release 1.9' } } },
  });
  const released = { git: { branch: 'refs/tags/v1.9' }, commit_sha: build.commit_sha };
  await repo.push({ files: { 'a/x.ts': hits(2, 4) }, branch: 'v1.9', fields: released });
  const of = async (days: number) => {
    const headers = { authorization: `token ${service.adminToken}`, accept: 'text/html' };
    return (await service.api.send(`/github/${repo.name}/trend?days=${days}`, { headers })).text;
  };
  expect(await of(90)).toContain('1 build is drawn');
  const all = await of(3650);
  expect(all).toMatch(/days=3650" aria-current="true">All</);
  expect(all).toContain('2 builds are drawn');
  expect(all).toMatch(/, since 20\d\d-\d\d-\d\d/);
  expect(all).toMatch(/<a href="\/builds\/\d+">Release 1\.9<\/a>/);
  expect(all.match(/<svg class="releases".*?<line x1="([\d.]+)%".*?<\/svg>/s)?.[1]).toMatch(/^(99|100)/);
  expect(all).toMatch(/data-l="release"><a href="\/builds\/\d+">v1\.9<\/a>/);
});
