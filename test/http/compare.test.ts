import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { onBranch } from '../support/histories/places.ts';
import { type Service, startService } from '../support/service.ts';

interface Compared {
  readonly base: { readonly build: string; readonly covered_percent: number };
  readonly head: { readonly build: string; readonly commit_sha: string };
  readonly coverage_change: number;
  readonly parts: readonly { readonly part: string; readonly points: string }[];
  readonly files: readonly { readonly name: string; readonly kind: string; readonly lost: number[][] }[];
}

let service: Service;
let name: string;
const ids: Record<string, string> = {};
const COMMITS = {
  ...{ first: shaOf('first'), second: shaOf('second'), third: shaOf('third') },
  ...{ texts: shaOf('texts'), changed: shaOf('changed') },
};
beforeAll(async () => {
  service = await startService();
  const repo = await service.newRepo();
  name = repo.name;
  const upload = async (key: keyof typeof COMMITS, branch: string, source_files: object[], fields: object = {}) => {
    const number = `${Object.keys(ids).length + 500}`;
    const told = {
      ...onBranch(COMMITS[key], branch),
      service_number: number,
      flag_name: 'unit',
      source_files,
      ...fields,
    };
    ids[key] = (await service.uploadAlone({ ...job({ repo_token: repo.token }), ...told })).id;
  };
  const kept = { source_digest: 'kept' };
  await upload('first', 'main', [
    sourceFile('src/a.ts', [1, 1, 1, 1], kept),
    sourceFile('src/<gone>.ts', [1, 0]),
    sourceFile('src/up.ts', [0, 0], kept),
  ]);
  await upload('second', 'release/1.9', [
    sourceFile('src/a.ts', [1, 0, 0, 1], kept),
    sourceFile('src/new.ts', [1]),
    sourceFile('src/up.ts', [1, 0], kept),
  ]);
  const text = Array.from({ length: 12 }, (_, line) => (line === 1 ? 'second <b>' : `line ${line}`)).join('\n');
  const ofTexts = (hits: readonly number[]) => [sourceFile('src/t.ts', [...hits], { source: text })];
  await upload('texts', 'texts', ofTexts([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]));
  await upload('changed', 'changed', ofTexts([1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1]));
  await upload('third', '7777777', [sourceFile('src/a.ts', [1, 1, 1, 1], kept)]);
});
afterAll(() => service.stop());

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const read = (range: string) => service.api.send<Compared>(`/manual/${name}/compare/${range}`, asAdmin());
const json = async (range: string): Promise<Compared> => {
  const { status, json } = await read(`${range}.json`);
  expect(status).toBe(200);
  return json;
};

describe('two builds of a repo', () => {
  test('are compared by id, commit, its beginning, branch and an encoded branch: always the same', async () => {
    const known = await json(`${ids.first}...${ids.second}`);
    expect([known.base.build, known.head.build]).toEqual([ids.first, ids.second]);
    for (const base of ['main', COMMITS.first, COMMITS.first.slice(0, 8).toUpperCase()])
      for (const head of ['release/1.9', 'release%2F1.9', COMMITS.second])
        expect(await json(`${base}...${head}`)).toEqual(known);
  });

  test('say what moved: totals, causes that add up, files and lines', async () => {
    const { base, coverage_change, parts, files } = await json('main...release/1.9');
    expect(base.covered_percent).toBe(62.5);
    const points = parts.map((part) => Number.parseFloat(part.points)).reduce((sum, part) => sum + part, 0);
    expect(points).toBeCloseTo(coverage_change, 1);
    expect(files.map(({ name: file, kind, lost }) => [file, kind, lost])).toEqual([
      ['src/new.ts', 'added', []],
      ['src/<gone>.ts', 'removed', []],
      ['src/a.ts', 'elsewhere', [[2, 3]]],
    ]);
  });

  test('are shown as a page that works without a script, with a way back', async () => {
    const { text } = await read('main...release/1.9');
    const plain = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(plain).toContain('Base 62.50 %');
    expect(plain).toMatch(/Lost 1 .*src\/ ?a\.ts 100\.00% 50\.00% \u221250\.00 2–3/);
    expect(plain).toMatch(/Gained 1 .*src\/ ?up\.ts 0\.00% 50\.00% \+50\.00/);
    expect(plain).toMatch(/Only in the compared build 1 .*new\.ts/);
    expect(text).toContain('&lt;gone>.ts');
    expect(text).toContain(`href="/manual/${name}/compare/release/1.9...main"`);
    expect(text).toContain(`href="/manual/${name}/builds/${ids.second}/file/src/a.ts#L2-L3"`);
    const swapped = await json('release/1.9...main');
    expect(swapped.coverage_change).toBeCloseTo(-(await json('main...release/1.9')).coverage_change, 10);
  });

  test('show the lines that are newly missed, in their text', async () => {
    const { text } = await read('main...release/1.9');
    const lines = text.split('<section id="lines">')[1]?.split('</section>')[0] ?? '';
    expect(lines.replaceAll(/<[^>]+>/g, '')).toContain('2 newly missed lines');
    expect(lines).toMatch(/<a class="miss" data-uncovered="true" href="[^"]*a\.ts#L2-L3">2–3<\/a>/);
    const source = `/manual/${name}/compare/${ids.texts}...${ids.changed}`;
    const { text: withText } = await service.api.send(source, asAdmin());
    const rows = withText.split('<section id="lines">')[1] ?? '';
    expect(rows).toMatch(
      /<tr class="miss" data-uncovered="true">.*?#L2">2<.*?title="covered in the base">•.*?second &lt;b>/s,
    );
    expect(rows).toMatch(/Lines 4–9, nothing missed/);
    expect((await read('changed...texts')).text).not.toContain('id="lines"');
  });

  test('are named by a form', async () => {
    const page = await service.api.send(`/manual/${name}/compare`, asAdmin());
    expect([page.status, page.text.includes('<option value="release/1.9"')]).toEqual([200, true]);
    const sent = await service.api.send(`/manual/${name}/compare?base=main&head=release%2F1.9`, {
      ...asAdmin(),
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, `/manual/${name}/compare/main...release/1.9`]);
  });
});

describe('what names no two builds', () => {
  test.each([
    ['main...nowhere', 'There is no build, commit, branch or tag "nowhere" in the manual repo'],
    ['999999999...main', 'There is no build, commit, branch or tag "999999999"'],
    ['%3Cscript%3E...main', '"<script>"'],
    ['main', '"main" does not name two builds: write compare/<base>...<head>.'],
    ['main...', 'does not name two builds'],
    ['a...b...c', '"a...b...c" does not name two builds'],
  ])('is a 404 that says what: %s', async (range, sentence) => {
    const { status, json } = await read(`${range}.json`);
    expect([status, json]).toEqual([404, { message: expect.stringContaining(sentence), error: true }]);
    const page = await service.api.send(`/manual/${name}/compare/${range}`, {
      headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' },
    });
    expect([page.status, page.text.includes('<script>')]).toEqual([404, false]);
  });

  test('a build without a result says that it has none', async () => {
    const { token } = await service.newRepo({ name: 'compare/open' });
    const { build } = await service.upload(job({ repo_token: token, parallel: true }));
    const answer = await service.api.send(`/manual/compare/open/compare/${build}...${build}.json`, asAdmin());
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('has no result yet')]);
  });

  test("another repo's build, and a repo that may not be read, are not known", async () => {
    const { token } = await service.newRepo({ name: 'compare/other' });
    const { id } = await service.uploadAlone(job({ repo_token: token }));
    expect((await read(`main...${id}.json`)).status).toBe(404);
    const stranger = await service.api.send(`/manual/${name}/compare/main...release/1.9.json`);
    expect([stranger.status, stranger.text.includes('release')]).toEqual([404, false]);
  });

  test('a branch whose name could be a commit is found, as long as no commit begins so', async () => {
    expect((await json('7777777...main')).base.build).toBe(ids.third);
  });
});
