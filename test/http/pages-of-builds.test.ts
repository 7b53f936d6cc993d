import type { JobDiff } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
let pull: Awaited<ReturnType<typeof aPull>>;
beforeAll(async () => {
  service = await startService();
  pull = await aPull();
});
afterAll(() => service.stop());

const [BASE, HEAD] = [shaOf('base'), shaOf('head')];
const OLD = ['const a = 1;', 'return a;', ''];
const NEW = ['const a = 1;', 'if (a < b) {', '  return <b>;', '}', ''];
/** The last line is rewritten as three, one of which nothing runs. */
const DIFF: JobDiff = {
  base_sha: BASE,
  head_sha: HEAD,
  files: [{ name: 'src/a.ts', kind: 'modified', hunks: [[2, 1, 2, 3]] }],
  complete: true,
};
const text = (lines: readonly string[], hits: number[], branches?: number[]) =>
  sourceFile('src/a.ts', hits, { source: lines.join('\n'), ...(branches && { branches }) });

const get = (path: string, token = service.adminToken) =>
  service.api.send(path, { headers: { accept: 'text/html', authorization: `token ${token}` } });

/** A pull request's build, whose change is half covered. */
async function aPull() {
  // Named as a part of our addresses.
  const repo = await service.newRepo({ name: 'acme/commits' });
  const own = { repo_token: repo.token };
  await service.uploadAlone({
    ...job({ ...own, commit_sha: BASE, service_number: '1' }),
    source_files: [text(OLD, [1, 1])],
  });
  const build = await service.uploadAlone({
    ...job({ ...own, commit_sha: HEAD, service_number: '2', service_pull_request: '7' }),
    ...{ compare_sha: BASE, diff: DIFF },
    source_files: [text(NEW, [1, 1, 0, 1], [2, 0, 0, 1, 2, 0, 1, 0])],
  });
  return { repo, build, home: `/manual/${repo.name}` };
}

describe('a build', () => {
  test('has its page by its commit and by its id, under its repo too', async () => {
    const { build, home } = pull;
    const permalink = (await get(`/builds/${build.id}`)).text;
    expect(permalink).toContain('<h1>Change prices</h1>');
    expect(permalink).toContain('<dt>Remotes</dt><dd><span class="ref">https://github.com/acme/shop</span>');
    const titleOf = (page: string) => /<title>.*?<\/title>/.exec(page)?.[0];
    for (const path of [
      `${home}/commits/${HEAD}`,
      `${home}/commits/${HEAD.toUpperCase()}`,
      `${home}/builds/${build.id}`,
    ]) {
      const page = await get(path);
      expect([page.status, titleOf(page.text)]).toEqual([200, titleOf(permalink)]);
    }
    const missing = [`${home}/commits/${shaOf('none')}`, `${home}/builds/99`, `${home}/builds/x`, `${home}/pulls/8`];
    for (const path of [...missing, `${home}/pulls/x`, `/manual/other/repo/commits/${HEAD}`])
      expect((await get(path)).status).toBe(404);
  });

  test('shows the lines to cover with the text that uploads brought, and what they replace', async () => {
    const { repo, build } = pull;
    const { text: page } = await get(`/builds/${build.id}`);
    const cover = page.split('<section id="cover">')[1]?.split('</section>')[0] ?? '';
    expect(cover).toContain('1 line and 1 branch, in 1 file');
    const rows = [...cover.matchAll(/<tr class="(\w+)".*?<code>(.*?)<\/code>/g)].map(([, kind, code]) => [kind, code]);
    expect(rows).toEqual([
      ['hit', 'const a = 1;'],
      ['gone', 'return a;'],
      ['some', 'if (a &lt; b) {'],
      ['miss', '  return &lt;b>;'],
      ['hit', '}'],
    ]);
    const withToken = (await get(`/builds/${build.id}`, repo.token)).text;
    expect(withToken).toContain('Source is hidden: repo tokens');
    expect(withToken).not.toContain('return');
    expect(withToken).toContain('data-uncovered');
  });

  test('says when its page would say something else', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(job({ repo_token: token, parallel: true }));
    const page = (await get(`/builds/${build}`)).text;
    const [, path = '', mark] = /data-poll="([^"]*)" data-mark="([^"]*)"/.exec(page) ?? [];
    const now = async () => (await service.api.send<{ mark: string }>(path, asAdmin())).json.mark;
    expect(await now()).toBe(mark);
    await service.close(token, '71');
    await waitFor(async () => (await now()) !== mark, { what: 'another mark' });
    expect((await get(`/builds/${build}`)).text).not.toContain('data-poll');
  });
});

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });

describe('a pull request', () => {
  test('has its page under the address of our own and under that of git hosts', async () => {
    const { build, home } = pull;
    for (const word of ['pulls', 'pull'])
      expect((await get(`${home}/${word}/7`)).text).toContain(`<a href="/builds/${build.id}?check=total#cover">`);
  });

  test('its files are one click away, also from the settings and the uploads', async () => {
    const { home } = pull;
    for (const page of [home, `${home}/flags`, `${home}/uploads`, `${home}/settings`])
      expect((await get(page)).text).toContain(`<li><a href="${home}/commits/${BASE}/tree/">Files</a></li>`);
  });

  test('leads from the verdict to the lines to cover', async () => {
    const { build, home } = pull;
    expect((await get(`${home}/pulls/7`)).text).toContain(`<a href="/builds/${build.id}?check=total#cover">Cover `);
  });

  test('has all its builds, the newest verdict on top', async () => {
    const { repo, build, home } = pull;
    const upload = {
      repo_token: repo.token,
      service_pull_request: '7',
      service_number: '3',
      commit_sha: shaOf('next'),
    };
    await service.upload({ ...job(upload), parallel: true });
    const { text: page } = await get(`${home}/pulls/7`);
    expect(page).toContain('<h1>Change prices <span class="quiet n">#7</span></h1>');
    const [verdict = '', pushes = ''] = page.split('<section id="pushes">');
    expect(verdict).toContain('Waiting for more jobs.');
    const rows = pushes.split('<tr role="row">').slice(2);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('<span class="tag">latest</span>');
    expect(rows[1]).toContain(`href="/builds/${build.id}"`);
    expect(rows[1]).toContain('data-l="to cover">2</td>');
    expect((await get(`/builds/${build.id}`)).text).toContain(`href="${home}/pulls/7"`);
  });
});
