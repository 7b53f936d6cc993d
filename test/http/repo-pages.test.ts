import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const read = async (path: string, init = asAdmin()) => {
  const { status, text } = await service.api.send(path, init);
  return { status, text: text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '), html: text };
};

let uploads = 0;
const upload = (token: string, hits: number[], fields: object = {}) => {
  uploads += 1;
  return service.uploadAlone(
    job({
      repo_token: token,
      service_number: `9988${uploads}`,
      commit_sha: shaOf(`${token} ${uploads}`),
      source_files: [sourceFile('src/a.ts', hits)],
      ...fields,
    }),
  );
};
const of = (branch: string, message: string) => ({
  service_branch: branch,
  git: { branch, head: { message, author_name: 'mona' } },
});

describe('the page of a repo', () => {
  let repo: Awaited<ReturnType<Service['newRepo']>>;
  const page = (query = '') => read(`/manual/${repo.name}${query}`);
  beforeAll(async () => {
    repo = await service.newRepo();
    await upload(repo.token, [1, 1, 1, 0], { ...of('main', 'Begin'), flag_name: 'unit' });
    await upload(repo.token, [1, 1, 1, 1], { ...of('main', 'Finish\n\nlong'), flag_name: 'unit' });
    await upload(repo.token, [1, 0, 0, 0], { ...of('topic', 'Break it'), service_pull_request: '12' });
    await upload(repo.token, [1, 0], of('release/4', 'Release'));
  });

  test('has the number of its default branch, the trend, and builds by their titles', async () => {
    const { text, html } = await page();
    expect(text).toContain('100.00 % Lines 4 of 4');
    expect(html).toContain('100.00% to 100.00%');
    expect(text).toMatch(/[0-9a-f]{7} 100\.00% \+25\.00/);
    expect(html).toMatch(/<a href="\/builds\/\d+" aria-label="[0-9a-f]{7}: 100\.00%, \+25\.00 points, passed, [^"]+"/);
    for (const title of ['Begin', 'Finish', 'Break it', 'Release']) expect(text).toContain(title);
    expect(text).not.toContain('9988');
    expect(text).toContain('Open pull requests 1');
    expect(text).toMatch(/Break it #12 · mona · topic/);
    const branch = await page('?branch=release/4');
    expect(branch.text).toContain('50.00 %');
    expect(branch.text).toContain('Builds on release/4');
    expect(branch.text).not.toContain('Break it');
    expect((await page('?branch=nowhere')).text).toContain('No build of nowhere is finished yet');
  });

  test('shows one flag, and finds builds by pull request, commit, branch, title and verdict', async () => {
    expect((await page('?flag=unit')).html).toContain('Coverage of unit from');
    const found = async (query: string) => {
      const { html } = await page(`?${query}`);
      const table = html.slice(html.indexOf('id="builds"'));
      return ['Begin', 'Finish', 'Break it', 'Release'].filter((title) => table.includes(`>${title}<`));
    };
    expect(await found('q=%2312')).toEqual(['Break it']);
    expect(await found('q=release/4')).toEqual(['Release']);
    expect(await found('q=fin')).toEqual(['Finish']);
    expect(await found('q=TOPIC')).toEqual(['Break it']);
    expect(await found('q=mona')).toEqual(['Begin', 'Finish', 'Break it', 'Release']);
    const { text } = await page('?q=mon&verdict=failed');
    expect(text).toMatch(/ [1-4] of the latest 4 builds /);
    expect((await page('?q=nowhere')).text).toContain('No match in the latest 4 builds.');
    expect((await page('?q=%23999')).text).toContain('No match.');
    expect(await found('verdict=failed')).toEqual(['Break it', 'Release']);
    expect(await found('verdict=failed&q=main')).toEqual([]);
    const listed = await service.api.send<{ builds: { commit_sha: string }[] }>(`/manual/${repo.name}.json`, asAdmin());
    expect(await found(`q=${listed.json.builds[0]?.commit_sha.slice(0, 8).toUpperCase()}`)).toEqual(['Release']);
  });

  test('of a pull request that fails says what would pass', async () => {
    const own = await service.newRepo();
    await upload(own.token, [1, 1, 1, 0], of('main', 'Begin'));
    await upload(own.token, [1, 0, 0, 0], { ...of('topic', 'Break it'), service_pull_request: '12' });
    expect((await read(`/manual/${own.name}`)).text).toContain('Cover 2 to pass');
  });
});

describe('the trend as data', () => {
  test('is one build of each span, as JSON and as CSV, of a branch or a flag', async () => {
    const repo = await service.newRepo();
    await upload(repo.token, [1, 1, 0, 0], { ...of('main', 'Begin'), flag_name: 'unit' });
    await upload(repo.token, [1, 1, 1, 0], { ...of('main', 'Go on'), flag_name: 'unit' });
    const path = `/manual/${repo.name}`;
    const { json } = await service.api.send<{ points: object[] }>(`${path}/trend.json?points=1`, asAdmin());
    expect(json).toMatchObject({ service: 'manual', name: repo.name, branch: 'main', flag: null });
    expect(json.points).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        build_id: expect.any(Number),
        url: expect.stringContaining('/builds/'),
        commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        covered_percent: 75,
        coverage_change: 25,
        covered_lines: 3,
        missed_lines: 1,
        relevant_lines: 4,
        covered_branches: 0,
        missed_branches: 0,
        relevant_branches: 0,
        verdict: 'success',
        rule: 'no-decrease',
        informational: false,
      },
    ]);
    const csv = await service.api.send(`${path}/trend.csv?flag=unit&points=1`, asAdmin());
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [names, row, ...rest] = csv.text.split('\r\n');
    expect(names?.split(',').slice(0, 5)).toEqual(['at', 'build_id', 'url', 'commit_sha', 'covered_percent']);
    expect([row?.split(',')[4], row?.split(',').at(-2), rest]).toEqual(['75', 'false', ['']]);
    expect(
      (await service.api.send<{ points: object[] }>(`${path}/trend.json?branch=dev`, asAdmin())).json.points,
    ).toEqual([]);
    expect((await service.api.send(`${path}/trend.json`)).status).toBe(404);
  });
});

describe('before the first upload', () => {
  test('the page says how to begin; the token is for maintainers alone', async () => {
    const repo = await service.newRepo();
    await service.store.repos.update({ repoId: repo.id, settings: { visibility: 'public' }, at: Date.now() });
    const own = await read(`/manual/${repo.name}`);
    expect(own.text).toContain(`Set up ${repo.name}`);
    expect(own.text).toContain(repo.token);
    expect(own.text).toContain(`COVERALLS_HOST=${service.url}`);
    const [, polled = '', mark] = /data-poll="([^"]*)" data-mark="([^"]*)"/.exec(own.html) ?? [];
    const total = async () => {
      const { json } = await service.api.send<{ total: number }>(polled.replaceAll('&amp;', '&'));
      return String(json.total);
    };
    expect(await total()).toBe(mark);
    const stranger = await read(`/manual/${repo.name}`, {});
    expect([stranger.status, stranger.text.includes(repo.token)]).toEqual([200, false]);
    await upload(repo.token, [1], of('main', 'Begin'));
    expect(await total()).not.toBe(mark);
    expect((await read(`/manual/${repo.name}`)).html).not.toContain('data-poll');
  });
});

test('a repo that is called as a page is stays reachable where groups nest', async () => {
  const outer = await service.newRepo({ service: 'gitlab', name: 'nest/group' });
  const inner = await service.newRepo({ service: 'gitlab', name: 'nest/group/flags' });
  await upload(outer.token, [1, 0], { ...of('main', 'Outer build'), flag_name: 'unit' });
  await upload(inner.token, [1, 0], of('main', 'Inner build'));
  expect((await read('/gitlab/nest/group/flags')).text).toContain('Inner build');
  expect((await read('/gitlab/nest/group')).text).toContain('Outer build');
  expect((await read('/gitlab/nest/group/flags/flags')).text).toContain('No flags');
  const settings = await service.newRepo({ service: 'gitlab', name: 'nest/group/settings' });
  await upload(settings.token, [1, 0], of('main', 'Settings build'));
  for (const part of ['flags', 'uploads', 'trend'])
    expect((await read(`/gitlab/nest/group/settings/${part}`)).text, part).toContain(' · nest/group/settings · ');
  expect((await read('/gitlab/nest/group/settings/badge.svg')).text).toContain('50.00%');
  expect((await read('/gitlab/nest/group/settings/trend.json')).text).toContain('points');
  const plain = await service.newRepo({ service: 'github', name: 'nest/flags' });
  await upload(plain.token, [1, 0], of('main', 'Plain build'));
  expect((await read('/github/nest/flags')).text).toContain('Plain build');
  await upload(plain.token, [1, 1], of('fix/settings/dark', 'Dark build'));
  expect((await read('/github/nest/flags/compare/main...fix/settings/dark')).text).toContain('Dark build');
});

describe('home', () => {
  const home = async (query: string, init = asAdmin()) => {
    const headers = { ...init.headers, accept: 'text/html' };
    return (await read(`/${query}`, { headers })).text;
  };

  test('lists what the reader may see, failing first, and finds repos, pull requests and commits', async () => {
    const [good, bad] = [await service.newRepo({ name: 'home/good' }), await service.newRepo({ name: 'home/bad' })];
    await service.newRepo({ name: 'home/fresh' });
    await upload(good.token, [1, 1], of('main', 'All is well'));
    await upload(bad.token, [1, 1], of('main', 'Begin'));
    await upload(bad.token, [1, 0], of('main', 'Break all'));
    await upload(bad.token, [1, 0], { ...of('topic', 'Mend it'), service_pull_request: '4711' });
    const mine = await home('?q=home/');
    expect(mine).toMatch(
      /Needs attention 1 home\/ ?bad 50\.00% .*Coverage fell.* Passing 1 home\/ ?good .* Not started 1 home\/ ?fresh/,
    );
    expect(await home('?q=%234711')).toMatch(/Mend it .*home\/ ?bad/);
    const sha = shaOf(`${bad.token} ${uploads - 1}`);
    expect(await home(`?q=${sha.slice(0, 9)}`)).toContain('Break all');
    expect(await home('?q=home/&show=failing')).not.toContain('good');
    expect(await home('?q=nothing-like-it')).toContain('No matches');
    expect(await home('?q=break%20ALL')).toMatch(/Builds .*Break all .*home\/ ?bad/);
    expect(await home('?q=TOPIC&owner=manual/home')).toContain('Mend it');
    const owned = await home('?q=mona&owner=manual/home');
    for (const title of ['All is well', 'Break all', 'Mend it']) expect(owned).toContain(title);
    const files = await home('?q=src/a&owner=manual/home');
    expect(files).toMatch(/Files .*src\/a\.ts home\/ ?\w+ \d+\.00% .*src\/a\.ts/);
    expect(await home('?q=src/a', {})).not.toContain('home/');
    const owner = await read('/manual/home');
    expect([owner.status, owner.text.includes('home/ bad'), owner.text.includes('nest/')]).toEqual([200, true, false]);
  });

  const asBrowser = () => ({ headers: { ...asAdmin().headers, accept: 'text/html' } });

  test('is narrowed to an owner, which a search and the other choices keep', async () => {
    for (const name of ['lions/one', 'lions/two', 'bears/one']) await service.newRepo({ name });
    const { text, html } = await read('/?owner=manual%2Flions&q=one', asBrowser());
    expect([text.includes('lions/ one'), text.includes('lions/ two'), text.includes('bears/ one')]).toEqual([
      ...[true, false, false],
    ]);
    expect(html).toMatch(/<option value="manual\/lions" selected[^>]*>lions</);
    expect(html).toContain('<option value="manual/bears">bears</option>');
    expect((await read('/?owner=manual%2Fnobody', asBrowser())).text).toContain('No matches');
    expect((await read('/manual/lions')).html).toMatch(/<option value="manual\/lions" selected[^>]*>lions</);
  });

  test('a stranger sees public repos alone, and how to begin', async () => {
    const open = await service.newRepo({ name: 'world/open' });
    const hidden = await service.newRepo({ name: 'world/hidden' });
    await service.store.repos.update({ repoId: open.id, settings: { visibility: 'public' }, at: Date.now() });
    for (const { token } of [open, hidden])
      await upload(token, [1, 1], { ...of('topic', 'Secret work'), service_pull_request: '4712' });
    const seen = await home('', {});
    expect([seen.includes('world/ open'), seen.includes('hidden')]).toEqual([true, false]);
    expect(seen).toContain('How to begin');
    expect((await home('?q=%234712', {})).match(/Secret work/g)).toHaveLength(1);
    expect((await read('/manual/world', {})).status).toBe(200);
    expect((await read('/manual/home', {})).status).toBe(404);
    const { json } = await service.api.send<{ url: string }>('/');
    expect(json.url).toBe(service.url);
  });
});

test('the flags of a repo: those of the newest build of its default branch, with their numbers', async () => {
  const repo = await service.newRepo();
  await upload(repo.token, [1, 0], { ...of('main', 'Begin'), flag_name: 'unit <b>' });
  await upload(repo.token, [1, 1, 1, 0], { ...of('dev', 'Other'), flag_name: 'web' });
  const flags = (query = '') => read(`/manual/${repo.name}/flags${query}`);
  expect((await flags()).text).toMatch(/unit &lt;b> 50\.00% .*1 of 2 none/);
  expect((await flags('?branch=dev')).text).toMatch(/web 75\.00%/);
  expect((await flags()).text).toContain('coverage (unit &lt;b>)');
  await service.change(repo, { send_build_status: false });
  expect((await flags()).text).not.toContain('coverage (unit');
  expect((await read(`/manual/${repo.name}/flags`, {})).status).toBe(404);
});
