import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

/** Source that no upload brought: the git host is asked for it. */

const sha = shaOf('hosted');
const TEXT = 'export const a = "from the host";\n';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github, env: { SOURCE_REQUESTS_PER_MINUTE: '12' } });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

const asked = (path: string) => github.requests().filter((one) => one.path.includes(`/contents/${path}`)).length;

/** A repo at GitHub with a build of one commit. */
async function putRepo(name: string, isPrivate: boolean, files: readonly string[]) {
  github.addRepo(name, { private: isPrivate });
  github.addCommit(name, { sha, branch: 'main' });
  const repo = await service.newRepo({ service: 'github', name });
  const source_files = files.map((file) => sourceFile(file, [1, 0]));
  await service.uploadAlone(job({ repo_token: repo.token, commit_sha: sha, source_files }));
  const show = async (file: string, init?: RequestInit) => {
    const own = { headers: { authorization: `token ${service.adminToken}` } };
    const { status, text } = await service.api.send(`/github/${name}/commits/${sha}/file/${file}`, init ?? own);
    return { status, text, why: /<p class="note">(.*?)<\/p>/.exec(text)?.[1] };
  };
  return { ...repo, show };
}

test('is shown, asked for once, and kept in the store', async () => {
  const { show, id } = await putRepo('acme/once', true, ['src/a.ts']);
  github.putFile('acme/once', { sha, path: 'src/a.ts', content: TEXT });
  const pages = await Promise.all([show('src/a.ts'), show('src/a.ts')]);
  for (const { text } of pages) expect(text).toContain('from the host');
  expect((await show('src/a.ts')).text).toContain('from the host');
  expect(asked('src%2Fa.ts')).toBe(1);
  expect(await service.store.providerSources.find(id, `${sha}/src/a.ts`)).toMatchObject({
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('is shown to strangers only where the host shows it to everybody, and never by a repo token', async () => {
  const closed = await putRepo('acme/closed', true, ['closed.ts']);
  github.putFile('acme/closed', { sha, path: 'closed.ts', content: TEXT });
  await service.store.repos.update({ repoId: closed.id, settings: { visibility: 'public' }, at: Date.now() });
  expect(await closed.show('closed.ts', {})).toMatchObject({
    status: 200,
    why: expect.stringContaining('at GitHub the repo is private'),
  });
  const byToken = await closed.show('closed.ts', { headers: { authorization: `Bearer ${closed.token}` } });
  expect(byToken.why).toContain('repo tokens can only read numbers');
  expect(asked('closed.ts')).toBe(0);
  const open = await putRepo('acme/open', false, ['open.ts']);
  github.putFile('acme/open', { sha, path: 'open.ts', content: TEXT });
  await service.store.repos.update({ repoId: open.id, settings: { visibility: 'public' }, at: Date.now() });
  expect((await open.show('open.ts', {})).text).toContain('from the host');
});

test('that the host does not have, that is no text, or too large, is said to be so and not asked again', async () => {
  const { show } = await putRepo('acme/none', false, ['none.ts', 'large.ts', 'bytes.ts']);
  github.putFile('acme/none', { sha, path: 'large.ts', content: 'x'.repeat(4 * 2 ** 20 + 1) });
  github.putFile('acme/none', { sha, path: 'bytes.ts', content: Buffer.from([1, 0, 2]) });
  expect((await show('none.ts')).why).toContain('GitHub answered that there is none at this commit');
  expect((await show('large.ts')).why).toContain('at GitHub it has more than 4 MiB');
  expect((await show('bytes.ts')).why).toContain('what GitHub has at this commit is not text');
  for (const file of ['none.ts', 'large.ts', 'bytes.ts']) {
    const page = await show(file);
    expect(page.text).toContain('class="miss"');
    expect(asked(file)).toBe(1);
  }
});

test('marks the lines that changed since the base, as the close learned them', async () => {
  const name = 'acme/changed';
  const [base, head] = [shaOf('changed base'), shaOf('changed head')];
  github.addRepo(name);
  github.addCommit(name, { sha: base, branch: 'main' });
  github.addCommit(name, { sha: head, parents: [base], branch: 'main' });
  github.putFile(name, { sha: head, path: 'a.ts', content: 'one\ntwo\nthree\n' });
  const patch = '@@ -1,2 +1,3 @@\n one\n+two\n three';
  github.setComparedFiles(name, base, head, [
    { filename: 'a.ts', status: 'modified', additions: 1, deletions: 0, patch },
  ]);
  const { token } = await service.newRepo({ service: 'github', name });
  for (const [number, sha] of [base, head].entries()) {
    const place = { service_number: String(number + 1), commit_sha: sha };
    await service.uploadAlone(job({ repo_token: token, ...place, source_files: [sourceFile('a.ts', [1, 1, 1])] }));
  }
  const own = { headers: { authorization: `token ${service.adminToken}` } };
  const { text } = await service.api.send(`/github/${name}/commits/${head}/file/a.ts`, own);
  const marked = [...text.matchAll(/<tr id="L(\d)"(?:(?!<\/tr>).)*> changed</g)].map(([, line]) => line);
  expect(marked).toEqual(['2']);
  expect(text).toContain('<span class="tag">changed</span>');
  expect(text).toContain(`/${name}/blob/${head}/a.ts" rel="nofollow noopener">View on GitHub`);
});

test('stands in the lines to cover of a build, for anybody who may read it there', async () => {
  const name = 'acme/covering';
  const [base, head] = [shaOf('covering base'), shaOf('covering head')];
  github.addRepo(name, { private: true });
  github.addCommit(name, { sha: base, branch: 'main' });
  github.addCommit(name, { sha: head, parents: [base], branch: 'main' });
  github.putFile(name, { sha: head, path: 'lines.ts', content: 'one\nreturn 2;\nthree\n' });
  github.putFile(name, { sha: base, path: 'lines.ts', content: 'one\nold two\nthree\n' });
  const patch = '@@ -1,3 +1,3 @@\n one\n-old two\n+return 2;\n three';
  github.setComparedFiles(name, base, head, [
    { filename: 'lines.ts', status: 'modified', additions: 1, deletions: 1, patch },
  ]);
  const { token, id } = await service.newRepo({ service: 'github', name });
  for (const [number, sha] of [base, head].entries()) {
    const source_files = [sourceFile('lines.ts', [1, number === 0 ? 1 : 0, 1])];
    await service.uploadAlone(
      job({ repo_token: token, service_number: String(number + 1), commit_sha: sha, source_files }),
    );
  }
  const page = async (init?: RequestInit) => (await service.api.send(`/github/${name}/commits/${head}`, init)).text;
  const own = { headers: { authorization: `token ${service.adminToken}` } };
  const text = await page(own);
  expect(text).toMatch(/<td class="src"><code>(?:<span class="k">)?return/);
  expect(text).toContain('<td class="src"><code>old two</code>');
  await page(own);
  expect(asked('lines.ts')).toBe(2);
  await service.store.repos.update({ repoId: id, settings: { visibility: 'public' }, at: Date.now() });
  const strangers = await page();
  expect(strangers).toContain('Lines to cover');
  expect(strangers).not.toContain('return');
});

test('that the host refuses, or cannot give now, is said to be so', async () => {
  const { show } = await putRepo('acme/faulty', false, ['refused.ts', 'later.ts']);
  github.putFile('acme/faulty', { sha, path: 'later.ts', content: TEXT });
  github.faults.next(1, { kind: 'status', status: 403 }, ({ path }) => path.includes('refused.ts'));
  expect((await show('refused.ts')).why).toContain('GitHub does not give it to this server');
  github.faults.next(3, { kind: 'status', status: 502 }, ({ path }) => path.includes('later.ts'));
  expect((await show('later.ts')).why).toContain('GitHub has not answered yet');
  expect((await show('later.ts')).text).toContain('from the host');
});

test('is not asked for more often than the setting allows', async () => {
  const files = Array.from({ length: 13 }, (_, n) => `many-${n}.ts`);
  const { show } = await putRepo('acme/many', false, files);
  const reasons = [];
  for (const file of files) reasons.push((await show(file)).why);
  expect(reasons.at(-1)).toContain('GitHub was asked for many others');
});
