import { setTimeout as wait } from 'node:timers/promises';
import { shaOf } from '../coverage-api.ts';
import { HEAD, MAIN, REPO, startForkGithub, uploadOf } from '../fork-github.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import type { GithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { waitFor } from '../wait-for.ts';
import { type Attack, atMost, type Outcome } from './attack.ts';

const [STRANGER, FORKS] = ['203.0.113.9', '198.51.100.7'];
/** Seconds that a stranger continues, and made-up runs in each. */
const SECONDS = 20;
const A_SECOND = 3;

/** What strangers and foreign runs can do to the pull requests of a repo that takes forks. */
export const forkUploads: Attack = {
  name: 'fork-uploads',
  async run(start) {
    const { github, run } = await startForkGithub();
    try {
      const attacked = await start({
        GITHUB_API_URL: github.url,
        GITHUB_TOKEN: github.token,
        TRUST_PROXY: 'loopback',
      });
      await attacked.api.createRepo({ service: 'github', name: REPO });
      await attacked.api.changeSettings(REPO, { visibility: 'public' });
      return [
        ...(await nameMadeUpRuns(attacked, { github, run })),
        await claimPull(attacked, github),
        await copyHead(attacked, { github, run }),
      ];
    } finally {
      await github.close();
    }
  },
};

interface Github {
  readonly github: GithubStandIn;
  readonly run: () => string;
}

/** Answers the status of a job that has no token if none is stated. */
async function upload({ server }: AttackedServer, address: string, fields: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const answer = await fetch(`${server.url}/api/v1/jobs`, { method: 'POST', headers, body: JSON.stringify(fields) });
  await answer.arrayBuffer();
  return answer.status;
}

async function nameMadeUpRuns(attacked: AttackedServer, { github, run }: Github): Promise<readonly Outcome[]> {
  const before = github.requests().length;
  const forged: Promise<number>[] = [];
  const uploads: Promise<number>[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    for (let count = 0; count < A_SECOND; count += 1)
      forged.push(upload(attacked, STRANGER, uploadOf(String(4_711 + forged.length))));
    if (second % 2 === 0) uploads.push(upload(attacked, second % 4 === 0 ? FORKS : STRANGER, uploadOf(run())));
    await wait(1_000);
  }
  const refused = (await Promise.all(uploads)).filter((status) => status !== 200).length;
  const taken = (await Promise.all(forged)).filter((status) => status === 200).length;
  const asked = github
    .requests()
    .slice(before)
    .filter(({ path }) => path.includes('/actions/runs')).length;
  const attack = `${A_SECOND} made-up runs a second from one address, ${SECONDS} s`;
  return [
    atMost(0, { attack, of: `refused of ${uploads.length} uploads of forks`, measured: refused, unit: 'uploads' }),
    atMost(0, { attack, of: `taken of ${forged.length}`, measured: taken, unit: 'uploads' }),
    atMost(15, { attack, of: 'GitHub asked about runs', measured: asked, unit: 'times' }),
  ];
}

/** Whether the ID token of a push to main can post anything on pull request 7. */
async function claimPull(attacked: AttackedServer, github: GithubStandIn): Promise<Outcome> {
  const { id } = github.addRun(REPO, { headSha: MAIN });
  const said = () => github.comments(REPO, 7).length;
  const before = said();
  const token = github.issueIdToken(REPO, { aud: attacked.server.url, run_id: String(id), sha: MAIN });
  const fields = { commit_sha: MAIN, service_event_type: 'push', service_job_id: 'test' };
  await upload(attacked, STRANGER, { ...uploadOf(String(id)), ...fields, repo_token: token });
  await waitFor(() => github.lastStatuses(REPO, MAIN).get('coverage'), { what: 'the status of the push' });
  // Whatever is said on a pull request is said within this.
  await wait(2_000);
  const attack = "a push's id-token names a pull request of another commit";
  return atMost(0, { attack, of: 'said there', measured: said() - before, unit: 'times' });
}

/** How often a fork's pull request turns a commit green that a branch of the repo has. */
async function copyHead(attacked: AttackedServer, { github, run }: Github): Promise<Outcome> {
  const member = shaOf('head of a member');
  github.addCommit(REPO, { sha: member, parents: [MAIN], branch: 'feature' });
  const head = { headSha: member, headRepo: 'eve/shop' };
  github.addPullRequest(REPO, { ...head, number: 9, headRef: 'copy', baseRef: 'main', login: 'eve' });
  const copy = github.addRun(REPO, { ...head, headBranch: 'copy', event: 'pull_request', actor: 'eve' });
  const claims = { commit_sha: member, service_pull_request: '9', flag_name: 'evil' };
  await upload(attacked, FORKS, { ...uploadOf(String(copy.id)), ...claims });
  await waitFor(() => github.lastStatuses(REPO, member).get('coverage'), { what: 'the status of the copy' });
  await upload(attacked, FORKS, uploadOf(run()));
  await waitFor(() => github.lastStatuses(REPO, HEAD).get('coverage'), { what: 'the status of a fork' });
  const green = github.statuses(REPO, member).filter(({ state }) => state === 'success').length;
  const attack = "a fork's pull request at the commit of a member";
  return atMost(0, { attack, of: 'made green there', measured: green, unit: 'statuses' });
}
