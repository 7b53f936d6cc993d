import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

const NAME = 'octo/listed';
const TITLES = { 1: 'Passes now', 2: 'Fails <still>', 3: 'Waits for jobs', 4: 'Was closed' } as const;

const upload = (repo: { readonly token: string }, run: string, hits: number[], fields: object) => ({
  ...job({ repo_token: repo.token, source_files: [sourceFile('src/a.ts', hits)] }),
  ...{ service_number: run, commit_sha: shaOf(run) },
  ...fields,
});
const read = async (path: string, token = service.adminToken) => {
  const headers = { accept: 'text/html', ...(token === '' ? {} : { authorization: `token ${token}` }) };
  const { text } = await service.api.send(path, { headers });
  return text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
};

test('home lists open pull requests that did not pass yet, by their titles, to its readers', async () => {
  github.addRepo(NAME);
  github.addCommit(NAME, { sha: shaOf('main'), branch: 'main' });
  for (const [number, title] of Object.entries(TITLES))
    github.addPullRequest(NAME, { number: Number(number), headSha: shaOf(title), baseRef: 'main', title });
  github.addPullRequest(NAME, {
    number: 4,
    headSha: shaOf(TITLES[4]),
    baseRef: 'main',
    title: TITLES[4],
    state: 'closed',
  });
  const repo = await service.newRepo({ service: 'github', name: NAME, commit_status_fail_threshold: 50 });
  await service.uploadAlone(upload(repo, 'main', [1, 1], { git: { branch: 'main', head: { message: 'Begin' } } }));
  const ofPull = (number: keyof typeof TITLES, more: object = {}) => ({
    commit_sha: shaOf(TITLES[number]),
    service_pull_request: String(number),
    git: { branch: `topic-${number}`, head: { message: `Work ${number}`, author_name: 'mona' } },
    ...more,
  });
  await service.uploadAlone(upload(repo, 'r1', [1, 0, 0], ofPull(1)));
  await service.uploadAlone(upload(repo, 'r2', [1, 1], ofPull(1, { commit_sha: shaOf('r2') })));
  await service.uploadAlone(upload(repo, 'r3', [1, 0, 0], ofPull(2)));
  await service.uploadAlone(upload(repo, 'r5', [1, 0, 0], ofPull(4)));
  const { build } = await service.upload(upload(repo, 'r4', [1], ofPull(3, { parallel: true })));
  await expect.poll(async () => (await service.store.views.summary(Number(build)))?.facts?.pull?.title).toBe(TITLES[3]);

  const home = await read('/');
  expect(home).toContain('Open pull requests 2');
  expect(home).toMatch(
    /Waits for jobs octo\/listed #3 .*Pending, 1 job so far .*Fails &lt;still> octo\/listed #2 · mona/,
  );
  for (const gone of [TITLES[1], TITLES[4], 'Work 2']) expect(home).not.toContain(gone);
  expect(await read('/?q=octo')).not.toContain('Open pull requests');
  expect(await read('/github/octo')).toContain('Fails &lt;still>');
  for (const token of ['', await service.tokenOf('mallory')]) expect(await read('/', token)).not.toContain('Waits');

  const page = await read(`/github/${NAME}`);
  expect(page).toMatch(/Open pull requests 3 .*Waits for jobs #3 .*Fails &lt;still> #2 .*Passes now #1 /);
  expect(page.slice(page.indexOf('Builds'))).toMatch(/Fails &lt;still> .*Begin /);
});
