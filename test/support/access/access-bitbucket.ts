import { randomUUID } from 'node:crypto';
import { startBitbucketServerStandIn } from '../bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from '../bitbucket-stand-in/bitbucket-stand-in.ts';
import { uuidOf } from '../bitbucket-stand-in/present.ts';
import { shaOf } from '../coverage-api.ts';
import type { HostSetUp } from '../github-stand-in/host-set-up.ts';
import { FORKED, type ForkRunOfAccess, forksOf, ofBoth } from './access-forks.ts';
import { ACCESS_COMMIT, type AccessHost, HOST_SECRET } from './access-scene.ts';

const PULL_REQUEST = '8';
const HEAD = shaOf('head of a fork');

/** Bitbucket Cloud: a fork's pipeline runs in the fork, with ID tokens of the fork's workspace. */
export async function startAccessBitbucket(): Promise<AccessHost> {
  const bitbucket = await startBitbucketStandIn({ hourlyLimit: 1_000_000 });
  addRepos(bitbucket);
  const addRun = (repo: string, headSha: string, event = 'push') =>
    bitbucket.addRun(repo, { headSha, headBranch: 'main', event });
  const ownRun = addRun('acme/closed', ACCESS_COMMIT);
  const runs = new Map([
    ['acme/closed', ownRun],
    ['acme/other', addRun('acme/other', ACCESS_COMMIT)],
    ...FORKED.map((repo) => [forkOf(repo), addRun(forkOf(repo), HEAD)] as const),
  ]);
  const pipelineOf = (repo: string): string => uuidOf(runs.get(repo)?.id ?? 0);
  const own = ofBoth((repo) => {
    const run = String(runs.get(forkOf(repo))?.runNumber);
    const fields = fieldsOf('bitbucket', run, { service_run_id: pipelineOf(forkOf(repo)) });
    return { run, commit: HEAD, fields, token: '', idTokenOf: forkOf(repo) };
  });
  const after = ofBoth((repo) => {
    const { id, runNumber } = addRun(repo, HEAD, 'pull_request');
    const run = String(runNumber);
    return { run, commit: HEAD, fields: fieldsOf('bitbucket', run, { service_run_id: uuidOf(id) }), token: '' };
  });
  return {
    service: 'bitbucket',
    env: {
      BITBUCKET_API_URL: bitbucket.url,
      BITBUCKET_TOKEN: bitbucket.token,
      BITBUCKET_WEBHOOK_SECRET: HOST_SECRET,
    },
    run: String(ownRun.runNumber),
    forks: forksOf(own, after),
    idTokenOf: (repo, aud) =>
      bitbucket.signIdToken(repo.split('/')[0] ?? '', {
        ...{ repositoryUuid: bitbucket.idOf(repo), pipelineUuid: pipelineOf(repo) },
        // Each step has its own.
        ...{ workspaceUuid: uuidOf(1), stepUuid: randomUUID(), aud: [aud] },
      }),
    close: () => bitbucket.close(),
  };
}

/** Bitbucket Data Center: it has no CI, so that it vouches for nobody. A fork's author has a token of their own. */
export async function startAccessDataCenter(): Promise<AccessHost> {
  const center = await startBitbucketServerStandIn();
  addRepos(center);
  const token = 'BBDC-token-of-eve-0123456789abcdefghijklmnopqrstu';
  center.addPerson(token, { login: 'eve', access: { 'eve/open': 'admin', 'eve/closed': 'admin' } });
  const ofRun = (run: string, own: string): ForkRunOfAccess => ({
    ...{ run, commit: HEAD, token: own, fields: fieldsOf('jenkins', run) },
  });
  return {
    service: 'stash',
    env: {
      BITBUCKET_SERVER_URL: center.url,
      BITBUCKET_SERVER_TOKEN: center.token,
      BITBUCKET_SERVER_WEBHOOK_SECRET: HOST_SECRET,
    },
    run: '1',
    forks: forksOf(
      ofBoth(() => ofRun('2', token)),
      ofBoth(() => ofRun('3', '')),
    ),
    close: () => center.close(),
  };
}

const forkOf = (repo: string): string => repo.replace('acme', 'eve');

/** What is asked about, another repo of the host, and a fork of each with a pull request. */
function addRepos(host: HostSetUp): void {
  for (const name of [...FORKED, 'acme/other']) host.addRepo(name);
  host.addCommit('acme/closed', { sha: ACCESS_COMMIT, branch: 'main' });
  for (const repo of FORKED) {
    host.addRepo(forkOf(repo), { parent: repo });
    const head = { headSha: HEAD, headRepo: forkOf(repo), headRef: 'change', login: 'eve' };
    host.addPullRequest(repo, { ...head, number: Number(PULL_REQUEST), baseRef: 'main' });
  }
}

function fieldsOf(service_name: string, service_number: string, more: ForkRunOfAccess['fields'] = {}) {
  return { service_name, service_number, service_pull_request: PULL_REQUEST, ...more };
}
