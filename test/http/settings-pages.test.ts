import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Repo = Awaited<ReturnType<Service['newRepo']>>;
const admin = () => ({ authorization: `token ${service.adminToken}` });
/** `section`: with what is asked there, as `/tokens?show=token`. */
const read = async ({ name }: Repo, section = '', headers: Record<string, string> = admin()) => {
  const { status, text } = await service.api.send(`/manual/${name}/settings${section}`, { headers });
  return { status, html: text };
};
const send = async ({ name }: Repo, fields: Record<string, string>, headers: Record<string, string> = admin()) => {
  const answer = await service.api.send(`/manual/${name}/settings`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: answer.status, to: answer.headers.get('location'), html: answer.text };
};
const settingsOf = async ({ id }: Repo) => (await service.store.repos.find(id))?.settings;
const upload = (token: string, hits: number[], title: string) =>
  service.uploadAlone(
    job({
      repo_token: token,
      service_number: title,
      commit_sha: shaOf(`${token} ${title}`),
      source_files: [sourceFile('src/a.ts', hits)],
      git: { branch: 'main', head: { message: title } },
    }),
  );

describe('the settings of a repo', () => {
  test('have the anchors of their former page, each on the link to what it was', async () => {
    const repo = await service.newRepo();
    const { html } = await read(repo);
    for (const [anchor, path] of [
      ['tokens', `/manual/${repo.name}/settings/tokens`],
      ['remove', `/manual/${repo.name}/settings/remove`],
      ['history', `/manual/${repo.name}/settings/import`],
    ])
      expect(html).toMatch(new RegExp(`<a href="${path}" id="${anchor}">|<a id="${anchor}" href="${path}">`));
    expect(html.match(/ id="thresholds"/g)).toHaveLength(1);
    expect((await read(repo, '/flags')).html).not.toContain('id="tokens"');
  });

  test('are saved part by part, each as the API checks it', async () => {
    const repo = await service.newRepo();
    const thresholds = {
      do: 'thresholds',
      minimum: '80.5',
      allowed_drop: '',
      patch_minimum: '70',
      ignore_removed_code: 'on',
    };
    const saved = await send(repo, thresholds);
    expect([saved.status, saved.to]).toEqual([303, `/manual/${repo.name}/settings/thresholds?saved=thresholds`]);
    expect(await settingsOf(repo)).toMatchObject({
      minimum: 80.5,
      allowedDrop: null,
      patchMinimum: 70,
      ignoreRemovedCode: true,
      ignoreUntouchedFiles: false,
      ignoreUnstableLines: false,
      sendBuildStatus: true,
    });
    await send(repo, { ...thresholds, patch_minimum: ' Base ' });
    expect(await settingsOf(repo)).toMatchObject({ patchMinimum: 'base' });
    await send(repo, {
      do: 'statuses',
      informational: 'on',
      names: 'own',
      name_build: 'b',
      name_flag: 'f <flag>',
      name_patch: 'p',
    });
    await send(repo, { do: 'comment', comment: 'on-change' });
    await send(repo, {
      do: 'builds',
      expected_flags: 'unit\nweb\n',
      default_branch: 'trunk',
      quiet_period: '2m',
      visibility: 'public',
      accept_forks: 'no',
    });
    await send(repo, {
      do: 'flags',
      flag_0: '',
      flag_1: 'unit',
      minimum_1: '50',
      allowed_drop_1: '1',
      informational_1: 'on',
    });
    expect(await settingsOf(repo)).toMatchObject({
      sendBuildStatus: false,
      informational: true,
      statusNames: { build: 'b', flag: 'f <flag>', patch: 'p' },
      commentOnPullRequests: true,
      commentMode: 'on-change',
      expectedFlags: ['unit', 'web'],
      defaultBranch: 'trunk',
      quietPeriod: 120_000,
      visibility: 'public',
      acceptForks: false,
      flagSettings: [{ flag: 'unit', minimum: 50, allowedDrop: 1, informational: true }],
    });
    expect((await read(repo, '?saved=thresholds')).html).toMatch(/Saved\..*value="80\.5"/s);
    const { html } = await read(repo, '/builds');
    for (const text of ['unit\nweb', 'value="trunk"', 'value="2m"']) expect(html).toContain(text);
    expect(html).not.toContain('name="minimum"');
    expect((await read(repo, '/flags')).html).toContain('name="flag_0" value="unit"');
    expect((await read(repo, '/nothing')).status).toBe(404);
  });

  test('that are wrong change nothing, and the page says why', async () => {
    const repo = await service.newRepo();
    const refused = await send(repo, { do: 'thresholds', minimum: 'much <b>', allowed_drop: '101' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Not saved: 2 fields');
    expect(refused.html).toMatch(/name="minimum"[^>]* value="much &lt;b>" aria-invalid="true"/);
    expect(refused.html).toMatch(/id="minimum-problem">.*?<span>Must be [^<]*, not &quot;much &lt;b>&quot;\.</);
    expect(refused.html).toMatch(/name="allowed_drop"[^>]* value="101" aria-invalid="true"/);
    // The first row was cleared; what is wrong stands by the row that it is of.
    const rows = { do: 'flags', flag_0: '', flag_1: 'unit', minimum_1: '900', informational_1: 'on', flag_2: 'web' };
    const { html } = await send(repo, { ...rows, allowed_drop_2: 'much' });
    expect(html).toContain('Not saved: 2 fields');
    expect(html).toMatch(/name="flag_1" value="unit"/);
    expect(html).toMatch(/name="minimum_1" value="900"[^>]* aria-invalid="true" aria-describedby="minimum_1-problem"/);
    expect(html).toMatch(
      /name="informational_1" value="on" checked.*?id="minimum_1-problem">.*?not 900\..*?name="flag_2"/s,
    );
    expect(html).toMatch(/name="allowed_drop_2" value="much"[^>]* aria-invalid="true"/);
    expect(html.match(/aria-invalid/g)).toHaveLength(2);
    const twice = await send(repo, { do: 'flags', flag_0: 'unit', flag_1: 'unit' });
    expect([twice.status, twice.html]).toEqual([
      422,
      expect.stringMatching(/<b>Not saved\.<\/b> [^<]*&quot;unit&quot; more than/),
    ]);
    const unnamed = { do: 'statuses', names: 'own', name_build: '', name_flag: 'f <flag>', name_patch: 'p' };
    expect((await send(repo, unnamed)).html).toMatch(/name="name_build"[^>]* aria-invalid="true"/);
    expect((await settingsOf(repo))?.minimum).toBeNull();
    expect((await send(repo, { do: 'dance' })).status).toBe(422);
  });

  test('are tried on the last builds before they are saved', async () => {
    const repo = await service.newRepo();
    await upload(repo.token, [1, 1, 1, 1], 'Begin');
    await upload(repo.token, [1, 1, 1, 0], 'Fall');
    const { status, html } = await send(repo, { do: 'preview', minimum: '70', allowed_drop: '30' });
    expect(status).toBe(200);
    const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'Nothing is saved yet. With these thresholds, the newest build, Fall , would be: passed. ' +
        'Of the last 2, 1 verdict',
    );
    expect(text).toMatch(/Fall .*Failed Passed differs .*Begin .*Passed Passed/);
    expect(html).toContain('value="70"');
    expect((await settingsOf(repo))?.minimum).toBeNull();
  });

  test('the token is masked until it is asked for, and rotated', async () => {
    const repo = await service.newRepo();
    expect((await read(repo, '/tokens')).html).not.toContain(repo.token);
    expect((await read(repo, '/tokens?show=token')).html).toContain(repo.token);
    const rotated = await send(repo, { do: 'token', grace_period: '0s' });
    const { html } = await read(repo, (rotated.to ?? '').replace(/^.*\/settings/, ''));
    const token = /cvr_[\w-]{20,}/.exec(html)?.[0] ?? '';
    expect([token === '', token === repo.token]).toEqual([false, false]);
    await upload(token, [1], 'New token');
    await expect(upload(repo.token, [1], 'Old token')).rejects.toThrow();
  });

  test('a build that was taken out of the bases is taken back', async () => {
    const repo = await service.newRepo();
    await upload(repo.token, [1, 1], 'Wrong numbers');
    const { json } = await service.api.send<{ builds: { id: number }[] }>(`/manual/${repo.name}.json`, {
      headers: admin(),
    });
    const build = json.builds[0]?.id ?? 0;
    const out = {
      method: 'PUT',
      headers: { ...admin(), 'content-type': 'application/json' },
      body: '{"excluded":true}',
    };
    await service.api.send(`/api/v1/builds/${build}/base`, out);
    expect((await read(repo, '/bases')).html).toContain('Use as a base again');
    expect((await send(repo, { do: 'base', build: String(build) })).status).toBe(303);
    expect((await read(repo, '/bases')).html).not.toContain('Use as a base again');
  });

  test('a repo goes only when its name is typed', async () => {
    const repo = await service.newRepo();
    expect((await send(repo, { do: 'remove', confirm: 'yes' })).status).toBe(422);
    expect((await send(repo, { do: 'remove', confirm: repo.name })).to).toBe('/');
    expect(await settingsOf(repo)).toBeUndefined();
  });

  test('only its maintainers see and change them, by a form of our own pages', async () => {
    const repo = await service.newRepo();
    await service.store.repos.update({ repoId: repo.id, settings: { visibility: 'public' }, at: Date.now() });
    const other = { authorization: `token ${await service.tokenOf('mallory')}` };
    const change = { do: 'thresholds', minimum: '1' };
    for (const headers of [other, {}, { authorization: `token ${repo.token}` }]) {
      expect((await read(repo, '', headers)).status).toBe(403);
      expect((await send(repo, change, headers)).status).toBe(403);
    }
    expect((await send(repo, change, { ...admin(), 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send(repo, change, { ...admin(), origin: 'https://evil.example' })).status).toBe(403);
    expect((await settingsOf(repo))?.minimum).toBeNull();
  });
});
