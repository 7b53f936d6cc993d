import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CoverageApi, job, shaOf, sourceFile } from '../coverage-api.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { workflowRunEvent } from '../runner-stand-in/event-payloads.ts';
import { runAction } from '../runner-stand-in/run-action.ts';
import { waitFor } from '../wait-for.ts';
import { type Attack, atMost } from './attack.ts';

const REPO = 'acme/prices';
// GitHub tells no history of the next: its base is the newest build of main.
const [MAIN, NEXT, FORKS] = [shaOf('main of prices'), shaOf('next of prices'), shaOf('main of a fork of prices')];
/** Line by line: what main covers, and what the fork does. */
const [ALL, QUARTER] = [
  [1, 1, 1, 1],
  [1, 0, 0, 0],
];

/**
 * A fork has its pull request's branch called `main`; its run is followed by a `workflow_run` of the repo, which has
 * the repo token.
 */
export const mainOfForks: Attack = {
  name: 'main-of-forks',
  async run(start) {
    const github = await startPrices();
    try {
      const attacked = await start({ GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token });
      const { api } = attacked;
      const { token } = await api.createRepo({ service: 'github', name: REPO });
      await api.changeSettings(REPO, { visibility: 'public' });
      const push = async (commit: string) => {
        const run = String(github.addRun(REPO, { headSha: commit, headBranch: 'main' }).id);
        return send(api, { repo_token: token, service_number: run, commit_sha: commit, lines: ALL });
      };
      await push(MAIN);
      const ofAction = await uploadByAction(attacked, { github, token });
      const run = addRuns(github);
      const raw = await send(api, { repo_token: token, service_number: run, commit_sha: FORKS, lines: QUARTER });
      const trusted = [ofAction, raw].filter(({ unverified, pull_request: pull }) => !unverified || pull !== 9);
      const badge = await api.send(`/github/${REPO}/badge.svg`);
      const next = await push(NEXT);
      const attack = 'a fork whose branch is called main, by a workflow_run with the repo token';
      const moved = [!badge.text.includes('coverage: 100'), next.coverage_change !== 0].filter(Boolean).length;
      return [
        atMost(0, { attack, of: 'verified, or not of its pull request', measured: trusted.length, unit: 'builds' }),
        atMost(0, { attack, of: "main's badge and base, moved", measured: moved, unit: 'times' }),
      ];
    } finally {
      await github.close();
    }
  },
};

async function startPrices(): Promise<GithubStandIn> {
  const github = await startGithubStandIn();
  github.addRepo(REPO);
  github.addCommit(REPO, { sha: MAIN, branch: 'main' });
  const head = { headSha: FORKS, headRef: 'main', headRepo: 'eve/prices', login: 'eve' };
  github.addPullRequest(REPO, { ...head, number: 9, baseRef: 'main', baseSha: MAIN });
  return github;
}

/** The fork's run, and the one that follows it, whose id this answers. */
function addRuns(github: GithubStandIn): string {
  const ofFork = { headSha: FORKS, headBranch: 'main', headRepo: 'eve/prices', actor: 'eve' };
  github.addRun(REPO, { ...ofFork, event: 'pull_request', status: 'completed' });
  return String(github.addRun(REPO, { headSha: MAIN, headBranch: 'main', event: 'workflow_run' }).id);
}

type Sent = Readonly<Record<'repo_token' | 'service_number' | 'commit_sha', string>> & { readonly lines: number[] };

/** A client that says `main` of everything. */
async function send(api: CoverageApi, { lines, ...fields }: Sent) {
  const content = { ...job({ ...fields, source_files: [sourceFile('a.js', lines)] }), service_job_id: undefined };
  const { status, text, json } = await api.uploadJob({ ...content, service_name: 'github' });
  if (status !== 200) throw new Error(`an upload was answered ${status}: ${text}`);
  return closedBuild(api, (await api.jobJson(json.url.slice(json.url.lastIndexOf('/') + 1))).json.build);
}

async function uploadByAction(
  { server, api }: AttackedServer,
  { github, token }: { readonly github: GithubStandIn; readonly token: string },
) {
  const workspace = await mkdtemp(join(tmpdir(), 'main-of-forks-'));
  try {
    await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
    await writeFile(join(workspace, 'lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
    const runId = addRuns(github);
    const head = { headSha: FORKS, headBranch: 'main', headRepo: 'eve/prices' };
    const event = workflowRunEvent({ repo: REPO, sha: MAIN, ...head });
    const inputs = { 'server-url': server.url, 'repo-token': token };
    const { exitCode, stdout, outputs } = await runAction({ workspace, event, runId, githubToken: '', inputs });
    if (exitCode !== 0) throw new Error(stdout);
    return await closedBuild(api, outputs['build-url'] ?? '');
  } finally {
    await rm(workspace, { recursive: true });
  }
}

function closedBuild(api: CoverageApi, build: string) {
  const read = async () => {
    const { json } = await api.buildJson(build);
    return json.state === 'closed' ? json : undefined;
  };
  return waitFor(read, { what: 'the close', timeoutMs: 15_000 });
}
