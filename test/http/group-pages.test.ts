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

/** The cells of the first table's rows, without marks. */
const rowsOf = (html: string): readonly string[] =>
  (html.split('<tbody')[1] ?? '')
    .split('</tbody>')[0]
    ?.split('<tr')
    .slice(1)
    .map((row) => plain(`<tr${row}`).trim()) ?? [];

test('each group names its paths, what the file asks of it, and whether the newest build passes by it', async () => {
  const html = await ofRepo('/groups');
  expect(rowsOf(html)).toEqual([
    'Web shop 57.89% 8 2 At least 20% Drop of at most 0.5 points Passed',
    'Core core/** 100.00% 0 1 No decrease allowed Passed',
  ]);
  expect(html).toMatch(/>Folders<\/a>/);
});

test('a group that matches no file in five builds in a row is named, with its paths', async () => {
  const yml = 'groups: [{ name: Miner, paths: [storage/**] }, { name: Core, paths: [core/**] }]\n';
  const files = { 'core/a.ts': hits(4, 4) };
  const miner = await scene.repoWith({ [COVERAGE_YML]: yml }, { ...files, 'storage/m.ts': hits(1, 1) });
  const page = async () => plain(await read(`/github/${miner.name}/groups`));
  const gone = await miner.push({ files });
  for (let more = 0; more < 3; more += 1) await miner.push({ files });
  expect(await page()).not.toContain('has matched no file');
  await miner.push({ files });
  const note = `Group Miner (storage/**) has matched no file since ${gone.commit_sha?.slice(0, 7)} . Correct its paths`;
  expect(await page()).toContain(note);
  expect(await page()).not.toContain('Group Core');
});

test('the history of a group is read as that of a flag', async () => {
  interface Trend {
    readonly group: string | null;
    readonly points: readonly { readonly covered_percent: number; readonly covered_lines: number }[];
  }
  const trend = async (query: string) => JSON.parse(await ofRepo(`/trend.json?${query}`)) as Trend;
  const ofGroup = await trend('group=web-shop');
  expect([ofGroup.group, ofGroup.points.map(({ covered_lines }) => covered_lines)]).toEqual(['web-shop', [11]]);
  expect((await trend('group=web-shop&flag=unit')).points).toEqual(ofGroup.points);
  expect((await trend('group=nobody')).points).toEqual([]);
  expect((await trend('')).group).toBeNull();
  expect(await ofRepo('/trend.csv?group=core')).toMatch(/\r\n.*,100,.*\r\n$/);
});

describe('owners', () => {
  const TEXTS = {
    [COVERAGE_YML]: [
      'owners: true',
      'groups:',
      "  - { owner: '@acme/core', total: { minimum: 70 }, changes: { minimum: 80 }, untouched: judge }",
      '',
    ].join('\n'),
    CODEOWNERS: "/core/ @acme/core\n/web/ o'hara@acme.example\n",
  };
  let owned: RulesRepo;
  beforeAll(async () => {
    owned = await scene.repoWith(TEXTS, { 'core/a.ts': hits(3, 4), 'web/b.ts': hits(1, 4), 'c.ts': [1] });
    await owned.push({ files: { 'core/a.ts': hits(2, 4), 'web/b.ts': hits(2, 4), 'c.ts': [1] } });
  });

  test('have a trend, and the rule and result of the group that the file makes of them', async () => {
    const html = await read(`/github/${owned.name}/groups?by=owner`);
    expect(rowsOf(html)).toEqual([
      '@acme/core 50.00% \u221225.00 2 1 At least 70% Changed lines at least 80% Failed',
      "o'hara@acme.example 50.00% +25.00 2 1 no rule",
      'No owner 100.00% unchanged 0 1 no rule',
    ]);
    expect(html).toContain('aria-label="last 2 builds: from 75.00% to 50.00%"');
    expect(html).toContain(`href="/github/${owned.name}/groups/acme-core"><code>@acme/core</code></a>`);
  });

  test('without a rule are named by the hint how to set one, as the file has to quote them', async () => {
    const text = plain(await read(`/github/${owned.name}/groups?by=owner`));
    expect(text).toContain("groups: [{ owner: 'o''hara@acme.example', total: { minimum: 70 } }]");
  });
});

test('the page of rules has the lines of the file as they stand there, and values with units', async () => {
  const text = await ofRepo('/rules');
  expect(text).toContain('<code>  - { name: Core, paths: [core/**], total: { drop: 0 } }</code>');
  expect(plain(text)).toContain('total.drop 50 points coverage.yml, line 1');
  expect(plain(text)).toContain('.total.minimum 20% coverage.yml, line 4');
  expect(plain(text)).toContain('Status Valid Precedence this file wins over Settings');
});

test.each([
  ['owners: true', /total\.drop not set: no decrease allowed default/],
  ['total: { minimum: 10 }', /total\.drop not set default/],
])('the page of rules says what decides if nothing is set: %s', async (yml, rule) => {
  const bare = await scene.repoWith({ [COVERAGE_YML]: `${yml}\n` }, FILES);
  expect(plain(await read(`/github/${bare.name}/rules`))).toMatch(rule);
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

  test('is reviewed by check, with the files that count for each', async () => {
    await repo.pull({
      number: 8,
      files: { 'core/a.ts': [0, 1, 1, 1], 'web/shop/cart.ts': [0, 1, ...hits(0, 8)], 'web/shop/tax.ts': hits(9, 9) },
      changed: ['core/a.ts', 'web/shop/cart.ts', 'docs/read.md'],
    });
    const review = (query: string) => read(`/github/${repo.name}/pulls/8/review${query}`);
    const named = (html: string) =>
      [...html.matchAll(/<summary><h3>(.*?)<\/h3>/gs)].map(([, name]) => plain(name ?? '').replaceAll(/\s/g, ''));
    const all = await review('');
    expect(named(all)).toEqual(['core/a.ts', 'docs/read.md', 'web/shop/cart.ts']);
    expect(choices(all).trim()).toBe('Failing checks Core 1 Web shop 1 All 2');
    const core = await review('?check=group:core');
    expect(named(core)).toEqual(['core/a.ts']);
    expect(plain(core)).toContain('All files 1 With missed lines 1');
    expect(core).toMatch(/review\?check=group%3Acore&amp;show=missed/);
    expect(core).toContain('<input type="hidden" name="check" value="group:core"');
    expect(named(await review('?check=failing'))).toEqual(['core/a.ts', 'web/shop/cart.ts']);
    expect(named(await review('?check=nothing'))).toHaveLength(3);
  });

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

test('the page of a group looks as far back as its period, which the filter of its files keeps', async () => {
  const html = await ofRepo('/groups/core');
  expect(html).toMatch(/<a href="[^"]*days=30" aria-current="true">30 days<\/a>/);
  expect(html).toMatch(/aria-label="Coverage of Core in 30 days: 100.00% to 100.00%"/);
  const year = await ofRepo('/groups/core?days=365&q=a');
  expect(year).toMatch(/<a href="[^"]*q=a&amp;sort=missed&amp;days=365" aria-current="true">1 year<\/a>/);
  expect(year).toContain('<input type="hidden" name="days" value="365"');
  await scene.service.time.pass(40 * 86_400_000);
  expect(plain(await ofRepo('/groups/core'))).toContain('No build has this group in these 30 days');
  expect(await ofRepo('/groups/core?days=3650')).toContain('Coverage of Core since the first build: 100.00%');
});
