import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { atMerge, onBranch } from '../support/histories/places.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const read = (path: string) => service.api.send(path, asAdmin());
const [BASE, HEAD, MERGE] = [shaOf('base'), shaOf('head'), shaOf('merge')] as const;

describe('the files of a commit', () => {
  let tree: string;
  beforeAll(async () => {
    const { token, name } = await service.newRepo();
    const before = [
      sourceFile('billing/tax.py', [1, 1]),
      sourceFile('web/src/cart.js', [1, 1, 1, 1]),
      sourceFile('web/src/price.js', [1, 0]),
    ];
    const after = [
      sourceFile('billing/tax.py', [1, 1]),
      sourceFile('web/src/cart.js', [1, 1, 0, 0], { source_digest: 'other' }),
      sourceFile('web/src/coupon.js', [1, null, 0], { branches: [1, 0, 0, 1, 1, 0, 1, 0] }),
      sourceFile('web/src/price.js', [1, 1]),
    ];
    await service.uploadAlone(job({ repo_token: token, ...onBranch(BASE), source_files: before }));
    await service.uploadAlone(
      job({ repo_token: token, service_number: '72', ...onBranch(HEAD), compare_sha: BASE, source_files: after }),
    );
    tree = `/manual/${name}/commits/${HEAD}/tree`;
  });
  const namesOn = async (path: string) => {
    const { status, text } = await read(path);
    expect(status).toBe(200);
    return [...text.matchAll(/class="path"[^>]*>([^<]*)</g)].map(([, name]) => name);
  };

  test('are folders with their sums, and files with their change', async () => {
    expect(await namesOn(tree)).toEqual(['billing/', 'tax.py', 'web/src/', 'cart.js', 'coupon.js', 'price.js']);
    expect(await namesOn(`${tree}/web`)).toEqual(['src/', 'cart.js', 'coupon.js', 'price.js']);
    const { text, headers } = await read(tree);
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const web = /<a class="path"[^>]*>web\/src\/<.*?<\/tr>/.exec(text)?.[0];
    expect(web).toContain('data-l="lines">5 of 8<');
    expect(web).toContain('data-l="missed">4<');
    expect(/cart\.js<.*?<\/tr>/.exec(text)?.[0]).toContain('<span class="down">\u221250.00</span>');
    expect(/coupon\.js<.*?<\/tr>/.exec(text)?.[0]).toContain('<span class="quiet">new</span>');
    expect(text).toContain('<b>Total</b>');
  });

  test('are drawn by their size and coverage, in order of path alone', async () => {
    const { text } = await read(tree);
    const map = /<svg class="folders".*?<\/svg>/.exec(text)?.[0] ?? '';
    expect(map).toContain('<title>billing/: 100.00% of 2 lines</title>');
    expect(map).toMatch(
      /<title>web\/src\/: 60\.00% of 8 lines<\/title><rect class="missed" [^>]*x="20%" y="0" width="80%"/,
    );
    expect(map).toContain('<rect class="covered" x="20%" y="40%" width="80%" height="60%">');
    expect((await read(`${tree}?sort=missed`)).text).not.toContain('class="folders"');
  });

  test('are found by letters of their path in order, where no path contains what was typed', async () => {
    expect(await namesOn(`${tree}?q=SRC/PRI`)).toEqual(['web/src/', 'price.js']);
    expect(await namesOn(`${tree}?q=wbprc`)).toEqual(['web/src/', 'price.js']);
    expect((await read(`${tree}?q=jsweb`)).text).toContain('No files match.');
  });

  test('name their build as its own page does', async () => {
    const { token } = await service.newRepo();
    const { id, commit_sha } = await service.uploadAlone(job({ repo_token: token, git: { branch: 'main' } }));
    const { text } = await read(`/builds/${id}/source_files`);
    expect(text).toContain(`>${commit_sha?.slice(0, 7)}</a>`);
    const [, href = '', name] = /<div class="eyebrow">.*?<a href="(\/builds\/\d+)">([^<]*)</.exec(text) ?? [];
    expect((await read(href)).text).toContain(`<h1>${name}</h1>`);
  });

  test('are chosen and sorted by their address alone', async () => {
    expect(await namesOn(`${tree}?sort=missed`)).toEqual([
      'web/src/cart.js',
      'web/src/coupon.js',
      'billing/tax.py',
      'web/src/price.js',
    ]);
    expect(await namesOn(`${tree}?sort=lowest&q=SRC/C`)).toEqual(['web/src/cart.js', 'web/src/coupon.js']);
    expect(await namesOn(`${tree}?show=lost`)).toEqual(['web/src/', 'cart.js']);
    expect(await namesOn(`${tree}?show=missed&q=coupon`)).toEqual(['web/src/', 'coupon.js']);
    expect(await namesOn(`${tree}?show=changed&sort=drop`)).toEqual(['web/src/cart.js', 'web/src/coupon.js']);
    expect((await read(`${tree}?q=nothing`)).text).toContain('No files match.');
    expect((await read(`${tree}/web/?show=changed&q=nothing`)).text).toContain('No files match.');
  });

  test('are no page for a folder that none of them is in, and say so in a repo that the reader may see', async () => {
    const name = tree.split('/').slice(2, 4).join('/');
    const missing = [
      [`${tree}/nope/`, 'folder'],
      [`${tree}/nope/?show=missed`, 'folder'],
    ] as const;
    for (const [path, what] of missing) {
      const headers = { authorization: `token ${service.adminToken}`, accept: 'text/html' };
      const answer = await service.api.send(path, { headers });
      expect(answer.status).toBe(404);
      expect(answer.text).toMatch(new RegExp(`Not in ${name}.*There is no ${what}`, 's'));
    }
  });

  test.each([
    ['a commit', `commits/${shaOf('unknown')}`, `commit ${shaOf('unknown').slice(0, 7)}`],
    ['a pull request', 'pulls/99', '#99'],
  ])('%s without a build is said to have none yet, within its repo', async (_, path, what) => {
    const repo = tree.split('/').slice(1, 4).join('/');
    const headers = { authorization: `token ${service.adminToken}`, accept: 'text/html' };
    const { status, text } = await service.api.send(`/${repo}/${path}`, { headers });
    expect(status).toBe(404);
    expect(text).toContain(`<h1>No build of ${what} yet</h1>`);
    expect(text).toContain(`<a href="/${repo}/groups">Groups</a>`);
    expect(text).toContain(`<a href="/${repo}/uploads">rejected uploads</a>`);
    expect(text).not.toContain('maintainer');
  });
});

describe('one file of a commit', () => {
  const text = 'export function a(b) {\n  if (b) return 1;\n  return 2;\n}\n// end\n';

  test('shows hits, which branches were not taken, what changed, and the way to what is missed', async () => {
    const { token, name } = await service.newRepo();
    const put = (number: string, place: object, file: object) =>
      service.uploadAlone({ ...job({ repo_token: token, service_number: number, ...place }), ...file });
    await put('1', onBranch(BASE), { source_files: [sourceFile('src/a.ts', [1, 1])] });
    await put(
      '2',
      { ...atMerge({ number: 7, branch: 'feat', baseBranch: 'main', head: HEAD, merge: MERGE, base: BASE }) },
      {
        source_files: [
          sourceFile('src/a.ts', [3, 3, 0, null, null], { source: text, branches: [2, 0, 0, 3, 2, 0, 1, 0] }),
        ],
        diff: {
          base_sha: BASE,
          head_sha: MERGE,
          complete: true,
          files: [{ name: 'src/a.ts', kind: 'modified', hunks: [[2, 1, 2, 2]] }],
        },
      },
    );
    const { status, text: page } = await read(`/manual/${name}/commits/${HEAD}/file/src/a.ts`);
    expect(status).toBe(200);
    const row = (line: number) => new RegExp(`<tr id="L${line}".*?</tr>`).exec(page)?.[0];
    expect(row(1)).toContain('class="hit"');
    expect(row(1)).not.toContain('changed');
    expect(row(2)).toContain('class="some" data-uncovered');
    expect(row(2)).toContain('<span title="1 of 2 branches taken; not taken: branch 1 of block 0">1/2</span>');
    expect(row(2)).toContain('partly covered');
    expect(row(3)).toContain('class="miss" data-uncovered');
    for (const line of [2, 3]) expect(row(line)).toContain('+<span class="sr"> changed</span>');
    expect(page).toContain('<a class="some" href="#L2">2</a><a class="miss" href="#L3">3</a>');
    expect(page).toContain('<dt>Changed lines</dt><dd>1 of 2</dd>');
    await waitFor(
      async () => {
        const { text: later } = await read(`/manual/${name}/commits/${HEAD}/file/src/a.ts`);
        return later.includes('data-plain') ? undefined : later;
      },
      { what: 'the text to be colored', intervalMs: 100 },
    ).then((later) => {
      expect(later).toContain('<code><span class="k">export</span> <span class="k">function</span> a(b) {</code>');
      expect(later).toContain('<span class="c">// end</span>');
    });
  });

  test('names the flags that measured it, where there are several', async () => {
    const { token, name } = await service.newRepo();
    const put = (flag_name: string, ...files: readonly string[]) => {
      const source_files = files.map((one) => sourceFile(one, [1]));
      return service.upload(job({ repo_token: token, commit_sha: HEAD, parallel: true, flag_name, source_files }));
    };
    await put('web', 'a.ts', 'b.ts');
    await put('unit', 'a.ts');
    await service.close(token, 71);
    const flagsOf = async (file: string) =>
      /<dt>Flags<\/dt><dd>(.*?)</.exec((await read(`/manual/${name}/commits/${HEAD}/file/${file}`)).text)?.[1];
    expect([await flagsOf('a.ts'), await flagsOf('b.ts')]).toEqual(['unit, web', 'web']);
  });

  test('of many lines comes in pages, each found by any of its lines', async () => {
    const { token, name } = await service.newRepo();
    const hits = Array.from({ length: 2_500 }, (_, index) => (index === 9 || index === 2_400 ? 0 : 1));
    const file = sourceFile('long.ts', hits, { source: 'x\n'.repeat(2_500) });
    await service.uploadAlone(job({ repo_token: token, commit_sha: HEAD, source_files: [file] }));
    const path = `/manual/${name}/commits/${HEAD}/file/long.ts`;
    const page = await read(`${path}?line=1500`);
    expect(page.text).toContain('lines 1,001–2,000 of 2,500');
    expect([...page.text.matchAll(/<tr id="L(\d+)"/g)].map(([, line]) => Number(line))).toEqual(
      Array.from({ length: 1_000 }, (_, index) => 1_001 + index),
    );
    expect(page.text).toContain(`href="${path}#L10" data-uncovered-before`);
    expect(page.text).toContain(`href="${path}?line=2401#L2401" data-uncovered-after`);
    expect((await read(`${path}?line=99999`)).text).toContain('lines 2,001–2,500 of 2,500');
    expect((await read(`${path}?line=none`)).text).toContain('lines 1–1,000 of 2,500');
  });

  test('is found under names that no address can hold, and missing where there is none', async () => {
    const { token, name } = await service.newRepo();
    const names = ['/abs/a.ts', '../up.ts', 'C#/100% 日&?.ts', 'commits/x/tree/y.ts'];
    const source_files = names.map((one) => sourceFile(one, [1]));
    await service.uploadAlone(job({ repo_token: token, commit_sha: HEAD, source_files }));
    const tree = await read(`/manual/${name}/commits/${HEAD}/tree?sort=lowest`);
    const links = [...tree.text.matchAll(/class="path" href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links).toHaveLength(4);
    for (const href of links) expect([href, (await read(href.replaceAll('&amp;', '&'))).status]).toEqual([href, 200]);
    for (const path of ['file/none.ts', 'file/', 'file/%zz', `file/abs/a.ts`])
      expect((await read(`/manual/${name}/commits/${HEAD}/${path}`)).status).toBe(404);
    expect((await read(`/manual/${name}/commits/${BASE}/tree`)).status).toBe(404);
    expect((await service.api.send(`/manual/${name}/commits/${HEAD}/tree`)).status).toBe(404);
  });
});

test('the old addresses lead to the commit, or to the build that does not announce there', async () => {
  const { token, name } = await service.newRepo();
  const put = (number: string) =>
    service.uploadAlone(job({ repo_token: token, service_number: number, commit_sha: HEAD }));
  const [first, second] = [await put('1'), await put('2')];
  const led = async (path: string) => {
    const { status, headers } = await service.api.send(path, { ...asAdmin(), redirect: 'manual' });
    return [status, headers.get('location')];
  };
  const tail = 'src/a.ts';
  expect(await led(`/builds/${second.id}/source_files`)).toEqual([302, `/manual/${name}/commits/${HEAD}/tree/`]);
  expect(await led(`/builds/${second.id}/source?filename=${tail}&page=3`)).toEqual([
    302,
    `/manual/${name}/commits/${HEAD}/file/${tail}?line=4001#L4001`,
  ]);
  const own = `/manual/${name}/builds/${first.id}/file/${tail}`;
  expect(await led(`/builds/${first.id}/source?filename=${tail}`)).toEqual([302, own]);
  expect((await read(own)).text).toContain(`/manual/${name}/builds/${first.id}/tree/src/`);
  const anonymous = await service.api.send(`/builds/${first.id}/source?filename=${tail}&repo_token=${token}`, {
    redirect: 'manual',
  });
  expect(anonymous.headers.get('location')).toBe(`${own}?repo_token=${token}`);
});
