import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readAsked, runRepos } from '../../server/src/cli/repos-file/repos-command.ts';
import { builtCommand } from '../support/built-command.ts';
import { inheritedEnvironment } from '../support/child-process.ts';
import { type GitlabStandIn, startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { openBrowser } from '../support/page-browser.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const NAME = 'acme/web/shop';
const FORK = 'mallory/shop';
const SECRET = 'secret-token-of-the-webhook';
const [BASE, HEAD, LANDED, FORKED, LOST] = ['a', 'b', 'c', 'd', 'f'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
  string,
];
const JOB_TOKEN = 'glcbt-64_job_token_0123456789';
const FORKS_TOKEN = 'glcbt-64_fork_token_0123456789';

let gitlab: GitlabStandIn;
let service: Service;
let token: string;
let pipeline: number;
beforeAll(async () => {
  gitlab = await startGitlabStandIn();
  gitlab.addRepo(NAME);
  gitlab.addRepo(FORK, { parent: NAME });
  gitlab.addCommit(NAME, { sha: BASE, branch: 'main' });
  gitlab.addCommit(NAME, { sha: HEAD, parents: [BASE], branch: 'topic', tree: 'e'.repeat(40) });
  gitlab.addCommit(NAME, { sha: LANDED, parents: [BASE], tree: 'e'.repeat(40) });
  gitlab.addPullRequest(NAME, { number: 12, headSha: HEAD, headRef: 'topic', baseRef: 'main', title: 'Take coupons' });
  gitlab.addPullRequest(NAME, { number: 13, headSha: FORKED, headRef: 'fix', headRepo: FORK, baseRef: 'main' });
  gitlab.addRun(NAME, { headSha: HEAD, headBranch: 'topic', event: 'push' });
  const ofChange = { headBranch: 'refs/merge-requests/12/head', event: 'merge_request_event' };
  pipeline = gitlab.addRun(NAME, { headSha: HEAD, ...ofChange }).id;
  gitlab.addRun(NAME, { headSha: HEAD, headBranch: 'topic', event: 'schedule' });
  service = await startService({
    env: {
      GITLAB_URL: gitlab.url,
      GITLAB_TOKEN: gitlab.token,
      GITLAB_WEBHOOK_SECRET: SECRET,
      GITLAB_CLIENT_ID: 'client',
      GITLAB_CLIENT_SECRET: 'client-secret-0123456789',
    },
  });
  ({ token } = await service.newRepo({ service: 'gitlab', name: NAME }));
});
afterAll(async () => {
  await service.stop();
  await gitlab.close();
  expect(gitlab.violations()).toEqual([]);
});

const job = (commit: string, coverage: readonly number[], more: object = {}) => ({
  repo_token: token,
  service_name: 'gitlab-ci',
  service_number: '71',
  commit_sha: commit,
  source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }],
  ...more,
});
const ofChange = { service_pull_request: '12', service_branch: 'topic', service_event_type: 'merge_request_event' };
const eventually = <T>(what: string, look: () => T | undefined) =>
  waitFor(async () => look(), { what, intervalMs: 5, meanwhile: service.time.skipPause });
const jobsNamed = (commit: string, name = 'coverage') => gitlab.jobs(NAME, commit).filter((one) => one.name === name);
const page = async (path: string): Promise<string> =>
  (await service.api.send(path, { headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' } }))
    .text;
const hook = (event: string, payload: object, secret: string | null = SECRET) =>
  fetch(`${service.url}/hooks/gitlab`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'X-Gitlab-Event': event,
      ...(secret === null ? {} : { 'X-Gitlab-Token': secret }),
    },
    body: JSON.stringify(payload),
  });
const acceptForks = async (name: string): Promise<void> => {
  const { status } = await service.api.send(`/api/v1/repos/gitlab/${name}/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `token ${service.adminToken}` },
    body: JSON.stringify({ accept_forks: true }),
  });
  expect(status).toBe(200);
};
const project = async () => ({
  id: Number((await service.store.repos.find(1))?.providerId),
  path_with_namespace: NAME,
});

describe('a merge request at GitLab', () => {
  test('has its status on the pipeline that the upload names, pending once and then final', async () => {
    await service.uploadAlone(job(BASE, [1, 1, 1, 1], { service_branch: 'main', service_number: '70' }));
    await eventually('the status of a branch', () => (jobsNamed(BASE)[0]?.status === 'success' ? true : undefined));
    const opened = await service.upload(
      job(HEAD, [1, 1, 0, 0], { ...ofChange, service_run_id: String(pipeline), parallel: true }),
    );
    await eventually('pending', () => jobsNamed(HEAD)[0]);
    await service.close(token, '71');
    await service.closed(opened.build);
    await eventually('failed', () => (jobsNamed(HEAD)[0]?.status === 'failed' ? true : undefined));
    expect(jobsNamed(HEAD)).toMatchObject([{ pipelineId: pipeline, name: 'coverage', status: 'failed' }]);
    expect(jobsNamed(HEAD)[0]?.description).toMatch(/^50\.00%, −50\.00 points from 100\.00%/);
    expect(jobsNamed(HEAD)[0]?.targetUrl).toBe(`${service.url}/builds/${opened.build}`);
  });

  test('has the pipeline of its own where the upload names none', async () => {
    const { build } = await service.upload(job(HEAD, [1, 1, 1, 0], { ...ofChange, service_number: '72' }));
    await service.closed(build);
    await eventually('the new status', () => (jobsNamed(HEAD).length > 1 ? true : undefined));
    expect(jobsNamed(HEAD).map(({ pipelineId }) => pipelineId)).toEqual([pipeline, pipeline]);
  });

  test('has one note, which every build edits', async () => {
    const noteOf = (percent: string) => {
      const [note] = gitlab.comments(NAME, 12);
      return note?.body.includes(percent) ? note : undefined;
    };
    const note = await eventually('the note', () => noteOf('Coverage 75.00%'));
    expect(note.body.split('\n')[0]).toBe(`<!-- coverage: ${service.url} repo 1 -->`);
    expect(note.body).toContain('<details>');
    expect(gitlab.comments(NAME, 12)).toHaveLength(1);
  });

  test('is called so on our pages, which link to GitLab and show its own job to paste', async () => {
    const shown = await page(`/gitlab/${NAME}/pulls/12`);
    expect(shown).toContain('Take coupons');
    expect(shown).toContain('<span class="quiet n">!12</span>');
    const [build] = await service.store.builds.ofPullRequest(1, 12, 1);
    expect(await page(`/builds/${build?.id}`)).toContain('<dt>Merge request</dt>');
    await service.newRepo({ service: 'gitlab', name: 'acme/empty' });
    const empty = await page('/gitlab/acme/empty');
    expect(empty).toContain(`COVERALLS_REPO_TOKEN: { aud: ${service.url} }`);
    expect(empty).toContain('Merge requests from forks get no');
    expect(empty).toContain('It reads the repo and its merge requests,');
    const ofRepo = await page(`/gitlab/${NAME}`);
    expect([ofRepo.includes('Open merge requests'), ofRepo.includes('Open pull requests')]).toEqual([true, false]);
  });

  test('lands by its event: the build of the same tree counts for the branch', async () => {
    const change = { iid: 12, action: 'merge', state: 'merged', target_branch: 'main', last_commit: { id: HEAD } };
    const payload = {
      project: await project(),
      object_attributes: { ...change, merge_commit_sha: LANDED, source_project_id: 1, target_project_id: 1 },
    };
    expect((await hook('Merge Request Hook', payload)).status).toBe(200);
    const landed = await waitFor(
      async () => (await service.store.builds.ofPullRequest(1, 12, 10)).flatMap((one) => one.landed ?? [])[0],
      { what: 'a build that landed', intervalMs: 5, meanwhile: service.time.skipPause },
    );
    expect(landed).toMatchObject({ branch: 'main', commit: LANDED, how: 'same-tree' });
  });
});

describe('webhooks of GitLab', () => {
  test('need the secret, and say nothing that is not believed', async () => {
    const push = { ref: 'refs/heads/main', after: BASE, project: await project() };
    expect((await hook('Push Hook', push, null)).status).toBe(401);
    expect((await hook('Push Hook', push, 'another secret')).status).toBe(401);
    expect((await hook('Push Hook', push)).status).toBe(200);
    expect((await hook('Push Hook', { ...push, after: undefined })).status).toBe(422);
    expect((await hook('Note Hook', {})).status).toBe(202);
  });

  test('of a pipeline that ended close the build of its page; one of our own statuses is none', async () => {
    const address = `${gitlab.url}/${NAME}/-/pipelines/${pipeline}`;
    const { build } = await service.upload(
      job(HEAD, [1, 1, 1, 1], { ...ofChange, service_number: '73', parallel: true, service_build_url: address }),
    );
    const ended = { id: pipeline, sha: HEAD, ref: 'topic', status: 'success', url: address };
    const merge_request = { iid: 12, source_branch: 'topic', target_branch: 'main' };
    const send = async (source: string) =>
      hook('Pipeline Hook', {
        project: await project(),
        object_attributes: { ...ended, source },
        merge_request: { ...merge_request, source_project_id: 1, target_project_id: 1 },
      });
    expect((await send('external')).status).toBe(202);
    expect((await send('merge_request_event')).status).toBe(200);
    await service.closed(build);
  });
});

describe('the webhook that the server makes', () => {
  const set = (name: string, authorization = `token ${service.adminToken}`) =>
    service.api.send<{ webhook?: object; message?: string }>(`/api/v1/repos/gitlab/${name}/webhook`, {
      method: 'POST',
      headers: { authorization },
    });
  const events = { push_events: true, merge_requests_events: true, pipeline_events: true };
  const whole = () => ({ url: `${service.url}/hooks/gitlab`, token: SECRET, ...events });

  test('is there once however often it is asked for, and gets its events and secret back', async () => {
    const press = async () => {
      const answer = await service.api.send(`/gitlab/${NAME}/settings`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `token ${service.adminToken}`,
        },
        body: 'do=webhook',
      });
      return answer.headers.get('location');
    };
    expect(await page(`/gitlab/${NAME}/settings/webhook`)).toContain('Create or repair the webhook');
    expect(await press()).toBe(`/gitlab/${NAME}/settings/webhook?saved=webhook-made`);
    expect(gitlab.hooks(NAME)).toEqual([whole()]);
    expect(await press()).toContain('saved=webhook-unchanged');
    Object.assign(gitlab.hooks(NAME)[0] ?? {}, {
      ...{ token: 'another', pipeline_events: false, enable_ssl_verification: false },
    });
    expect(await press()).toContain('saved=webhook-repaired');
    // Whether certificates are checked is left as people set it.
    expect(gitlab.hooks(NAME)).toEqual([{ ...whole(), enable_ssl_verification: false }]);
    expect(await page(`/gitlab/${NAME}/settings/webhook?saved=webhook-repaired`)).toContain(
      'Its events and its secret were repaired',
    );
    const log = await service.store.audit.list({ newestFirst: true, limit: 1 });
    expect(log).toMatchObject([{ action: 'webhook.set', after: { result: 'repaired', address: whole().url } }]);
    expect(JSON.stringify(log)).not.toContain(SECRET);
  });

  test('is made by the API, and is told why where it cannot be', async () => {
    await service.newRepo({ service: 'gitlab', name: 'acme/none' });
    const missing = await set('acme/none');
    expect([missing.status, missing.json.message]).toEqual([422, expect.stringContaining('cannot see the project')]);
    expect((await set(NAME)).json.webhook).toEqual({ result: 'unchanged', address: `${service.url}/hooks/gitlab` });
    expect((await set(NAME, `token ${await service.tokenOf('eve')}`)).status).toBe(404);
    gitlab.faults.next(1, { kind: 'status', status: 502 }, ({ path }) => path.includes('/hooks'));
    const away = await service.api.send(`/gitlab/${NAME}/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `token ${service.adminToken}` },
      body: 'do=webhook',
    });
    expect([away.status, away.text]).toEqual([503, expect.stringContaining('GitLab has trouble')]);
    const { name } = await service.newRepo();
    const manual = await service.api.send(`/api/v1/repos/manual/${name}/webhook`, {
      method: 'POST',
      headers: { authorization: `token ${service.adminToken}` },
    });
    expect([manual.status, manual.text]).toEqual([
      422,
      expect.stringContaining('cannot create the webhook of a manual'),
    ]);
    expect(await page(`/manual/${name}/settings`)).not.toContain(`/settings/webhook`);
    expect(await page(`/manual/${name}/settings/webhook`)).toContain('There is no section of the settings');
  });

  test('is made for every repo of GitLab by one command, which names those that it cannot be made for', async () => {
    const [lines, notes]: [string[], string[]] = [[], []];
    const output = { print: (line: string) => void lines.push(line), note: (line: string) => void notes.push(line) };
    const run = (...args: readonly string[]) => {
      const env = { COVERAGE_SERVER: service.url, COVERAGE_TOKEN: service.adminToken };
      lines.length = 0;
      return runRepos(readAsked(['webhooks', ...args], env) ?? expect.unreachable(), output, fetch);
    };
    gitlab.addRepo('acme/till');
    await service.newRepo({ service: 'gitlab', name: 'acme/till' });
    expect(await run(`gitlab/${NAME}`, 'gitlab/acme/till', '--dry-run')).toBe(0);
    expect([lines, notes]).toEqual([
      [`set       gitlab/${NAME}`, 'set       gitlab/acme/till', '2 repos: 2 set'],
      ['A dry run: nothing was changed.'],
    ]);
    expect(gitlab.hooks('acme/till')).toEqual([]);
    expect(await run(`gitlab/${NAME}`, 'gitlab/acme/till')).toBe(0);
    expect(lines).toEqual([`unchanged gitlab/${NAME}`, 'made      gitlab/acme/till', '2 repos: 1 unchanged, 1 made']);
    expect(await run('gitlab')).toBe(1);
    expect(lines).toContain('refused   gitlab/acme/none');
    expect(lines.join()).toContain('unchanged gitlab/acme/till');
    await expect(run('gitlab/acme/gone')).rejects.toThrow('shows no repo "gitlab/acme/gone" to the holder');
  });
});

describe('a token of one repo', () => {
  const OWN = 'acme/secret/plans';
  const send = (fields: Record<string, string>) =>
    service.api.send(`/gitlab/${OWN}/settings`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `token ${service.adminToken}` },
      body: new URLSearchParams({ do: 'host-token', ...fields }).toString(),
    });

  test('goes before the server’s for that repo, what was given up and forks included; it is never shown', async () => {
    gitlab.addRepo(OWN, { private: true });
    gitlab.addRepo('mallory/plans', { parent: OWN });
    gitlab.addCommit(OWN, { sha: HEAD, branch: 'main' });
    gitlab.addPullRequest(OWN, {
      number: 3,
      headSha: FORKED,
      headRef: 'fix',
      headRepo: 'mallory/plans',
      baseRef: 'main',
    });
    gitlab.hideFrom(gitlab.token, OWN);
    const { token: own } = gitlab.addBot('plans-bot', { [OWN]: 40 });
    const { token: reader } = gitlab.addBot('reader-bot', { [OWN]: 20 }, ['read_api']);
    const { token: stranger } = gitlab.addBot('stranger-bot', { [NAME]: 40 });
    const repo = await service.newRepo({ service: 'gitlab', name: OWN });
    await service.uploadAlone({ ...job(HEAD, [1, 1], { service_branch: 'main' }), repo_token: repo.token });
    await eventually(
      'a status that is given up',
      () => service.log.text().includes('cannot see the project') || undefined,
    );
    for (const [given, why] of [
      ['tokn', '8 to 2,000 ASCII characters'],
      ['glpat-with a blank', '8 to 2,000 ASCII characters'],
      ['glpat-unknown-0123456789', 'the token is wrong, expired or revoked'],
      [reader, 'The token lacks api.'],
      [stranger, `GitLab does not show ${OWN} to this token.`],
    ] as const) {
      const refused = await send({ host_token: given });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(why)]);
      expect(refused.text).not.toContain(given);
    }
    expect((await service.store.repos.find(repo.id))?.hostToken).toBeUndefined();
    const saved = await send({ host_token: own });
    expect(saved.headers.get('location')).toBe(`/gitlab/${OWN}/settings/host-token?saved=host-token-set`);
    const shown = () => gitlab.jobs(OWN, HEAD).filter(({ name }) => name === 'coverage');
    // What had been given up by the server's own token is tried again.
    await eventually('the status', () => shown()[0]);
    expect(shown()).toMatchObject([{ user: 'plans-bot', status: 'success' }]);
    const settings = await page(`/gitlab/${OWN}/settings/host-token`);
    expect(settings).toContain('It has one, set');
    const stored = JSON.stringify(await service.store.repos.find(repo.id));
    for (const text of [settings, stored, JSON.stringify(service.log.lines)]) expect(text).not.toContain(own);
    gitlab.addJob('glcbt-64_plans_fork_0123456789', {
      ...{
        repo: 'mallory/plans',
        pipeline: 79,
        sha: FORKED,
        ref: 'fix',
        source: 'merge_request_event',
        status: 'running',
      },
    });
    await acceptForks(OWN);
    const sent = { repo_token: 'glcbt-64_plans_fork_0123456789', repo_name: OWN, service_pull_request: '3' };
    const { build } = await service.upload(job(FORKED, [1, 0], sent));
    expect(await service.store.builds.find(Number(build))).toMatchObject({ trust: 'run', pullRequest: 3 });
    await service.closed(build);
    await eventually('the fork’s status', () => gitlab.jobs(OWN, FORKED)[0]);
    const givenUp = () => service.log.lines.filter(({ sentence }) => sentence.startsWith('not delivered; given up'));
    const before = givenUp().length;
    expect((await send({ do: 'host-token-remove' })).headers.get('location')).toContain('saved=host-token-removed');
    expect(await page(`/gitlab/${OWN}/settings/host-token`)).toContain('server’s own token is used');
    const { length } = gitlab.jobs(OWN, HEAD);
    await service.uploadAlone({
      ...job(HEAD, [1, 0], { service_branch: 'main', service_number: '2' }),
      repo_token: repo.token,
    });
    await eventually('a status that is given up', () => givenUp().length > before || undefined);
    expect(gitlab.jobs(OWN, HEAD)).toHaveLength(length);
    const log = await service.store.audit.list({ repo: `gitlab/${OWN}`, newestFirst: true, limit: 20 });
    expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['host-token.set', 'host-token.removed']));
    expect(JSON.stringify(log)).not.toContain(own);
  });
});

describe('the file that GitLab CI includes', () => {
  test('has the server’s own address, and its script uploads as the job that uses it', async () => {
    const answer = await fetch(`${service.url}/ci/gitlab.yml`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/yaml; charset=utf-8']);
    const { '.coverage': own, '.coverage-report': report } = parse(await answer.text());
    expect(own.id_tokens).toEqual({ COVERALLS_REPO_TOKEN: { aud: service.url } });
    expect(own.rules).toHaveLength(2);
    await builtCommand();
    const folder = await mkdtemp(join(tmpdir(), 'gitlab-job-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'a.ts'), 'one();\ntwo();\n');
    await writeFile(join(folder, 'lcov.info'), 'SF:a.ts\nDA:1,1\nDA:2,0\nend_of_record\n');
    const env = {
      ...{ ...inheritedEnvironment(), ...own.variables, COVERALLS_REPO_TOKEN: token, GITLAB_CI: 'true' },
      ...{ CI_COMMIT_SHA: BASE, CI_COMMIT_REF_NAME: 'main', CI_PIPELINE_IID: '700', CI_PROJECT_PATH: NAME },
      COVERAGE_OPTIONS: '--job-flag=unit lcov.info --json',
    };
    const { stdout } = await promisify(execFile)('bash', ['-ec', report.script.join('\n')], { cwd: folder, env });
    const { build_url: url } = JSON.parse(stdout) as { build_url: string };
    const { json } = await service.api.buildJson(url);
    expect(json).toMatchObject({ number: '700', covered_lines: 1, relevant_lines: 2, flags: [{ name: 'unit' }] });
    const other = await fetch(`${service.url}/ci/github.yml`);
    expect([other.status, await other.text()]).toEqual([
      404,
      expect.stringContaining('includes a file of this server'),
    ]);
  });
});

describe('doctor about GitLab', () => {
  const examine = async () => {
    const { text } = await service.api.send('/readyz?verbose', {
      headers: { authorization: `token ${service.adminToken}` },
    });
    const { checks } = JSON.parse(text) as {
      readonly checks: readonly { name: string; state: string; seen: string }[];
    };
    return new Map(checks.map((one) => [one.name, one]));
  };
  const inDays = (days: number) => new Date(service.time.clock.now() + days * 86_400_000).toISOString().slice(0, 10);

  test('says which version it is, and when a token ends', async () => {
    const usual = await examine();
    expect(usual.get('gitlab-proxy')?.seen).toContain('It is version 19.4.0-ee.');
    expect(usual.get('gitlab-sign-in')).toMatchObject({ state: 'ok', seen: 'The token for GitLab is valid (api).' });
    gitlab.endOn(gitlab.token, inDays(40));
    expect((await examine()).get('gitlab-sign-in')?.state).toBe('ok');
    gitlab.endOn(gitlab.token, inDays(9));
    const soon = (await examine()).get('gitlab-sign-in');
    expect(soon).toMatchObject({
      state: 'warning',
      seen: expect.stringMatching(/^The token for GitLab is valid until .*, for \d days more\.$/),
    });
    gitlab.endOn(gitlab.token, inDays(40));
  });

  test('looks at the tokens that repos have', async () => {
    const repo = await service.store.repos.findByName('gitlab', NAME);
    const { token } = gitlab.addBot('shop-bot', { [NAME]: 40 });
    await service.api.send(`/gitlab/${NAME}/settings`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `token ${service.adminToken}` },
      body: new URLSearchParams({ do: 'host-token', host_token: token }).toString(),
    });
    expect((await examine()).get('gitlab-sign-in')?.state).toBe('ok');
    gitlab.endOn(token, inDays(3));
    expect((await examine()).get('gitlab-sign-in')?.seen).toMatch(new RegExp(`^The token of ${NAME} is valid until `));
    gitlab.addBot('shop-bot', { [NAME]: 40 }, ['read_api']);
    const incapable = (await examine()).get('gitlab-sign-in');
    expect(incapable).toMatchObject({ state: 'failed', seen: `The token of ${NAME} lacks the scope api.` });
    await service.store.repos.setHostToken({ repoId: repo?.id ?? 0, token: undefined });
  });

  test('says which webhook GitLab sends nothing to any more, until it is repaired', async () => {
    const [hook] = gitlab.hooks(NAME);
    Object.assign(hook ?? {}, { alert_status: 'temporarily_disabled' });
    expect((await examine()).get('gitlab-webhook')).toMatchObject({
      state: 'failed',
      seen: `GitLab no longer sends messages to the webhook of ${NAME} because too many deliveries failed.`,
    });
    const { text } = await service.api.send(`/api/v1/repos/gitlab/${NAME}/webhook`, {
      method: 'POST',
      headers: { authorization: `token ${service.adminToken}` },
    });
    expect(JSON.parse(text)).toMatchObject({ webhook: { result: 'repaired' } });
    expect((await examine()).get('gitlab-webhook')?.state).not.toBe('failed');
  });
});

describe('uploads without a secret', () => {
  const running = { sha: HEAD, ref: 'topic', source: 'push', status: 'running' };

  test('come with the token of a job that runs now, for the project and the commit of the job', async () => {
    gitlab.addJob(JOB_TOKEN, { repo: NAME, pipeline, ...running });
    const sent = { repo_token: JOB_TOKEN, repo_name: NAME, service_number: '74', service_branch: 'topic' };
    const { build } = await service.upload(job(HEAD, [1, 1, 1, 1], sent));
    expect((await service.store.builds.find(Number(build)))?.trust).toBe('provider');
    const other = await service.api.uploadJob(job(BASE, [1], sent));
    expect([other.status, other.text]).toEqual([422, expect.stringContaining(BASE)]);
    const elsewhere = await service.api.uploadJob(job(HEAD, [1], { ...sent, repo_name: 'acme/empty' }));
    expect(elsewhere.status).toBe(422);
    gitlab.addJob(JOB_TOKEN, { repo: NAME, pipeline, ...running, status: 'success' });
    expect((await service.api.uploadJob(job(HEAD, [1], sent))).status).toBe(422);
  });

  test('come with an id-token of the job, though it does not say the pipeline’s number', async () => {
    const claims = {
      ...{ project_path: NAME, ref: 'topic', ref_path: 'refs/heads/topic', sha: HEAD, user_login: 'mona' },
      ...{ pipeline_id: String(pipeline), pipeline_source: 'merge_request_event', aud: service.url },
      project_id: String((await project()).id),
    };
    const sent = { ...ofChange, repo_name: NAME, service_number: '75', service_run_id: String(pipeline) };
    const { build } = await service.upload(
      job(HEAD, [1, 1, 1, 1], { ...sent, repo_token: gitlab.signIdToken(claims) }),
    );
    expect(await service.store.builds.find(Number(build))).toMatchObject({
      ...{ trust: 'provider', pullRequest: 12, branch: 'topic', number: '75' },
      vouchedRun: { id: String(pipeline) },
    });
    const refused = async (more: object, change: object = {}) =>
      (
        await service.api.uploadJob(
          job(HEAD, [1], { ...sent, ...more, repo_token: gitlab.signIdToken({ ...claims, ...change }) }),
        )
      ).text;
    expect(await refused({ service_run_id: '1' })).toContain('service_run_id');
    expect(await refused({}, { aud: 'https://another.example' })).toContain('audience');
    expect(await refused({}, { sha: undefined })).toContain('sha');
  });

  test('come from a fork by its own job, for the merge request that its branch goes to', async () => {
    const ofFork = { sha: FORKED, ref: 'fix', source: 'merge_request_event', status: 'running' };
    gitlab.addJob(FORKS_TOKEN, { repo: FORK, pipeline: 77, ...ofFork });
    await acceptForks(NAME);
    const sent = { repo_token: FORKS_TOKEN, repo_name: NAME, service_pull_request: '13', service_number: '5' };
    const { build } = await service.upload(job(FORKED, [1, 0, 0, 0], sent));
    expect(await service.store.builds.find(Number(build))).toMatchObject({
      trust: 'run',
      pullRequest: 13,
      branch: 'fix',
    });
    const claimed = await service.api.uploadJob(job(FORKED, [1], { ...sent, service_pull_request: '12' }));
    expect(claimed.status).toBe(422);
    const lied = await service.api.uploadJob(job(HEAD, [1], sent));
    expect(lied.status).toBe(422);
    await service.closed(build);
    await eventually('the fork’s status', () => jobsNamed(FORKED)[0]);
    expect(jobsNamed(FORKED)[0]).toMatchObject({ ref: 'refs/merge-requests/13/head' });
  });

  test('are refused from a project without a merge request here', async () => {
    gitlab.addRepo('eve/shop', { parent: NAME });
    gitlab.addJob('glcbt-64_eves_token_0123456789', { repo: 'eve/shop', pipeline: 78, ...running, sha: LOST });
    const sent = { repo_token: 'glcbt-64_eves_token_0123456789', repo_name: NAME, service_pull_request: '13' };
    // Not even that the project is there is told.
    const { status, text } = await service.api.uploadJob(job(LOST, [1], sent));
    expect([status, text]).toEqual([422, expect.stringContaining('GET /job')]);
  });
});

describe('signing in with GitLab', () => {
  test.each([
    ['mona', 40, [200, 200]],
    ['rita', 20, [200, 403]],
    ['gus', 10, [404, 404]],
  ])('%s with access level %i', async (login, level, statuses) => {
    gitlab.addPerson(login, { [NAME]: level });
    const browser = openBrowser(service.url);
    const { location = '' } = await browser.get('/sign-in/gitlab');
    expect(new URL(location).searchParams.get('code_challenge_method')).toBe('S256');
    await browser.follow(gitlab.authorize(location, login).slice(service.url.length));
    const [repo, settings] = [`/gitlab/${NAME}`, `/gitlab/${NAME}/settings`];
    expect([(await browser.get(repo)).status, (await browser.get(settings)).status]).toEqual(statuses);
  });
});
