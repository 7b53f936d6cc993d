import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { APP, privateKey, publicKey } from '../support/github-app-scene.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
const others: Service[] = [];
const installations = new Map<string, number>();

const start = (env: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService({
    github,
    env: {
      GITHUB_TOKEN: '',
      GITHUB_APP_ID: String(APP),
      GITHUB_APP_PRIVATE_KEY: privateKey.replaceAll('\n', '\\n'),
      ...env,
    },
  });

beforeAll(async () => {
  github = await startGithubStandIn();
  github.addApp({ id: APP, slug: 'coverage', publicKey });
  for (const owner of ['acme', 'umbrella']) installations.set(owner, github.installApp({ app: APP, owner }));
  service = await start();
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };
let repos = 0;

/** A private repo here and there, with pull request 7 from `head` to main. */
async function newRepo(owner: string, of: Service = service): Promise<Repo> {
  repos += 1;
  const name = `${owner}/shop-${repos}`;
  github.addRepo(name, { private: true });
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  github.addPullRequest(name, { number: 7, headSha: shaOf('head'), baseRef: 'main' });
  return of.newRepo({ service: 'github', name });
}

const PULL = { commit_sha: shaOf('head'), service_number: '71', service_pull_request: '7', git: { branch: 'topic' } };
const jobOf = (repo: Repo, lines: number[], fields: object) => ({
  ...job({ repo_token: repo.token, flag_name: 'unit', source_files: [sourceFile('src/a.ts', lines)] }),
  ...fields,
});
/** Uploads a pull request's build and waits until what is said of it has arrived, or is given up; answers its page. */
async function announce(repo: Repo, of: Service = service, lines = [1, 0]): Promise<string> {
  const { id } = await of.uploadAlone(jobOf(repo, lines, PULL));
  await of.delivered();
  return (await of.api.send(`/builds/${id}?repo_token=${repo.token}`)).text;
}

const states = (repo: Repo) =>
  [...github.lastStatuses(repo.name, shaOf('head')).values()]
    .map(({ context, state, login }) => `${login} ${context} ${state}`)
    .sort();

test('an App announces statuses and comments over two owners, each by its installation', async () => {
  const [shop, lab] = [await newRepo('acme'), await newRepo('umbrella')];
  await service.uploadAlone(
    jobOf(shop, [1, 0], { commit_sha: shaOf('base'), service_number: '70', git: { branch: 'main' } }),
  );
  const pages = await Promise.all([announce(shop, service, [1, 1]), announce(lab)]);
  for (const repo of [shop, lab]) {
    expect(states(repo)).toEqual(['coverage[bot] coverage (unit) success', 'coverage[bot] coverage success']);
    expect(github.comments(repo.name, 7)).toMatchObject([{ login: 'coverage[bot]', app: { id: APP } }]);
  }
  // What GitHub says of the histories is read by the installation too.
  expect(github.comments(shop.name, 7)[0]?.body).toContain('100.00%');
  expect(github.comments(shop.name, 7)[0]?.body).toContain('50.00%');
  for (const page of pages) expect(page).not.toContain('given up');
  expect([...installations.values()].map(github.tokensOf)).toEqual([1, 1]);
  expect((await service.api.readRepo(shop.name)).json).toMatchObject({ warnings: [] });
});

test('a token that is revoked in the middle is replaced, and everything arrives once', async () => {
  const repo = await newRepo('acme');
  await announce(repo);
  const [comment] = github.comments(repo.name, 7);
  github.revokeTokens(installations.get('acme') ?? 0);
  await announce(repo, service, [1, 1]);
  expect(github.statuses(repo.name, shaOf('head')).filter(({ context }) => context === 'coverage')).toHaveLength(2);
  expect(github.comments(repo.name, 7)).toMatchObject([{ id: comment?.id, edits: 1 }]);
});

describe('the build’s page says why nothing was announced', () => {
  test('where the App is not installed', async () => {
    const repo = await newRepo('stranger');
    const page = await announce(repo);
    expect(page).toContain('GitHub answered 404');
    expect(page).toContain('the GitHub App is not installed for the repo');
    expect(page).toContain('install the App for its owner, or give the installation access to the repo');
    expect(states(repo)).toEqual([]);
  });

  test('where GitHub does not take the key', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
      type: 'pkcs1',
      format: 'pem',
    });
    const strange = await start({ GITHUB_APP_PRIVATE_KEY: other.toString() });
    others.push(strange);
    const repo = await newRepo('acme', strange);
    const page = await announce(repo, strange);
    expect(page).toContain('GitHub answered 401');
    expect(page).toContain('GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY do not belong to one App there');
    expect(page).not.toContain('eyJ');
    expect(states(repo)).toEqual([]);
  });
});

test('no key, JWT or token is in the log', () => {
  expect(service.log.lines.length).toBeGreaterThan(10);
  expect(service.log.text()).not.toMatch(/ghs_|eyJ|PRIVATE KEY/);
  for (const line of privateKey.split('\n').filter((one) => one.length > 40))
    expect(service.log.text()).not.toContain(line);
});
