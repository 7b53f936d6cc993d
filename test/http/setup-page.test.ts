import { afterAll, beforeAll, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { startService } from '../support/service.ts';
import { setupProofs } from '../support/setup-proofs.ts';

let github: GithubStandIn;
beforeAll(async () => {
  github = await startGithubStandIn();
  github.addRepo('acme/shop');
});
afterAll(() => github.close());

const SECRET = 'secrets.COVERAGE_TOKEN';
const PERMISSION = 'id-token: write';

/** What is in the page of a repo before its first upload, and after it. */
async function readPages(host: string, { env, isSignedIn }: { env: Record<string, string>; isSignedIn: boolean }) {
  const options = { env: { GITHUB_API_URL: github.url, ...env } };
  const service = await startService(isSignedIn ? { ...options, github } : options);
  try {
    const repo = await service.newRepo({ service: host, name: 'acme/shop' });
    const read = async (authorization: string) => {
      const { text } = await service.api.send(`/${host}/acme/shop`, { headers: { authorization } });
      return text;
    };
    const asAdmin = `token ${service.adminToken}`;
    const fresh = await read(asAdmin);
    await service.uploadAlone(job({ repo_token: repo.token }));
    return { fresh, used: await read(asAdmin), token: repo.token };
  } finally {
    await service.stop();
  }
}

test.each([
  ['where this server is not signed in at the host', 'github', { env: {}, isSignedIn: false }],
  ['where no issuer is believed', 'github', { env: { GITHUB_OIDC_ISSUERS: 'none' }, isSignedIn: true }],
])('the workflow has the secret %s', async (_where, host, options) => {
  const { fresh, used, token } = await readPages(host, options);
  for (const page of [fresh, used]) {
    expect(page).toContain(SECRET);
    expect(page).not.toContain(PERMISSION);
  }
  expect(fresh).toContain(`<p class="secret all">${token}</p>`);
});

test('a repo of no host has the lines of the command, and no workflow of one', async () => {
  const { fresh, used, token } = await readPages('manual', { env: {}, isSignedIn: true });
  for (const page of [fresh, used]) {
    expect(page).toContain('node coverage.mjs report');
    expect(page).not.toContain('uses:');
  }
  expect(fresh).toContain('Add the secret <code>COVERALLS_REPO_TOKEN</code>');
  expect(fresh).toContain(`<p class="secret all">${token}</p>`);
});

test('the workflow needs no secret where the host vouches for its runs; other clients find the token', async () => {
  const { fresh, used, token } = await readPages('github', { env: {}, isSignedIn: true });
  for (const page of [fresh, used]) {
    expect(page).toContain(PERMISSION);
    expect(page).not.toContain(SECRET);
  }
  expect(fresh).toContain('permissions: { contents: read, id-token: write }');
  expect(fresh).toContain('require the status check');
  expect(setupProofs(fresh)).toEqual([
    'ok: GitHub shows the repo to this server.',
    'pending: This server accepts no webhooks from GitHub yet: its operator has to set the secret for them.',
    'pending: Waiting for the first upload. This page updates itself.',
    'pending: No status has been set at GitHub yet.',
  ]);
  expect(fresh.indexOf(token)).toBeGreaterThan(fresh.indexOf('Another client, or another CI'));
});

test('the set-up page says whether a merge waits for the status, by protection or by a ruleset', async () => {
  github.addRepo('acme/merges');
  const sha = 'a'.repeat(40);
  github.addCommit('acme/merges', { sha });
  const service = await startService({ env: { GITHUB_API_URL: github.url }, github });
  try {
    const { token } = await service.newRepo({ service: 'github', name: 'acme/merges' });
    await service.uploadAlone(job({ repo_token: token }));
    const headers = { authorization: `token ${service.adminToken}` };
    const merges = async () => {
      const { text } = await service.api.send('/github/acme/merges/set-up', { headers });
      return setupProofs(text).slice(4);
    };
    expect(await merges(), 'no such branch').toEqual([]);
    github.setBranches('acme/merges', new Map([['main', sha]]));
    const waits = 'pending: GitHub does not wait for the status "coverage" yet before it merges into main.';
    const required = 'ok: GitHub merges nothing into main before the status "coverage" passes.';
    expect(await merges()).toEqual([waits]);
    github.requireStatuses('acme/merges', 'main', ['build', 'coverage/patch']);
    github.requireByRuleset('acme/merges', 'main', ['lint']);
    expect(await merges()).toEqual([waits]);
    github.requireStatuses('acme/merges', 'main', ['build', 'coverage']);
    expect(await merges()).toEqual([required]);
    github.requireStatuses('acme/merges', 'main', ['build']);
    github.requireByRuleset('acme/merges', 'main', ['lint', 'coverage']);
    expect(await merges()).toEqual([required]);
  } finally {
    await service.stop();
  }
});
