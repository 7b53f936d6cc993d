import { setTimeout as sleep } from 'node:timers/promises';
import { coverageApi } from '../coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { createChaosClient } from './chaos-client.ts';
import { checkBuilds } from './check-builds.ts';
import { checkComments } from './check-comments.ts';
import { checkServers } from './check-servers.ts';
import { checkStatuses } from './check-statuses.ts';
import { type ChaosStore, type Deployment, startDeployment } from './deployment.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { readOutcome } from './outcome.ts';
import { makePlan, type Plan } from './plan.ts';
import type { PlannedBuild } from './plan-builds.ts';
import { commitNamed, REPOS } from './plan-repos.ts';
import { BASE_BRANCH } from './plan-stories.ts';
import type { RoundSize } from './round-size.ts';
import { runPlan } from './run-plan.ts';
import { addFindings, type Tally } from './tally.ts';

export interface Round {
  readonly seed: number;
  readonly size: RoundSize;
  readonly store: ChaosStore;
  /** Milliseconds in which all must have settled once nobody is killed any more. */
  readonly settleWithin: number;
  /** Whether to end the leases of killed processes instead of waiting until they run out (a minute). */
  readonly endLeases: boolean;
}

/** How often it is looked whether all has settled, and how long afterwards nothing may move, in ms. */
const POLL = 500;
const STILLNESS = 1_500;

interface Scene {
  readonly plan: Plan;
  readonly github: GithubStandIn;
  readonly deployment: Deployment;
  readonly ledger: Ledger;
}

/** One round: everything is started empty, the plan of the seed is run, and what came out is compared with it. */
export async function runRound(round: Round, tally: Tally): Promise<void> {
  const { seed, size, store } = round;
  const plan = makePlan(seed, size);
  const github = await startGithubStandIn({ hourlyLimit: 1_000_000 });
  setUpGithub(github, plan.builds);
  const deployment = await startDeployment({ store, servers: size.servers, github });
  try {
    const scene: Scene = { plan, github, deployment, ledger: createLedger() };
    const send = createChaosClient({
      urls: deployment.servers.map(({ url }) => url),
      tokens: await createRepos(deployment),
      ledger: scene.ledger,
      tally,
    });
    await runPlan({ send, deployment, store, clients: size.clients, tally }, plan);
    if (round.endLeases) await deployment.startAfresh();
    await settle(scene, round, tally);
    addFindings(tally, await checkServers(deployment, size.primaryKills > 0));
    count(scene, tally);
  } finally {
    await deployment.dispose();
    await github.close();
  }
}

async function createRepos(deployment: Deployment): Promise<ReadonlyMap<string, string>> {
  const [server] = deployment.servers;
  const api = coverageApi(server?.url ?? '', server?.adminToken ?? '');
  const created = await Promise.all(REPOS.map(({ name, settings }) => api.createRepo({ name, ...settings })));
  return new Map(created.map(({ name, token }) => [name, token]));
}

function setUpGithub(github: GithubStandIn, builds: readonly PlannedBuild[]): void {
  for (const repo of REPOS) {
    github.addRepo(repo.name);
    github.addCommit(repo.name, { sha: commitNamed(repo, 'the beginning'), branch: BASE_BRANCH });
  }
  for (const { repo, commit, target, branch, pullRequest, message } of builds) {
    const parents = [commitNamed(repo, 'the beginning')];
    github.addCommit(repo.name, { sha: target, parents, branch });
    if (pullRequest === undefined) continue;
    if (commit !== target) github.addCommit(repo.name, { sha: commit, parents: [...parents, target], message });
    const merge = commit === target ? {} : { mergeCommitSha: commit };
    // The last head that is added is the one that it has in the end.
    github.addPullRequest(repo.name, { number: pullRequest, headSha: target, baseRef: BASE_BRANCH, headRef: branch, ...merge });
  }
}

/** Looks until nothing is left to be found, then once more: what had come right must stay so. */
async function settle(scene: Scene, { settleWithin }: Round, tally: Tally): Promise<void> {
  const begin = performance.now();
  let findings = await check(scene);
  while (findings.length > 0 && performance.now() - begin < settleWithin) {
    await sleep(POLL);
    findings = await check(scene);
  }
  if (findings.length === 0) {
    tally.settledAfter = Math.max(tally.settledAfter, performance.now() - begin);
    await sleep(STILLNESS);
    findings = await check(scene);
  }
  addFindings(tally, findings);
}

async function check({ plan, github, deployment, ledger }: Scene): Promise<readonly string[]> {
  const [server] = deployment.servers;
  if (server === undefined) return ['there is no server'];
  try {
    const seen = await readOutcome(server, plan.builds);
    return [
      ...checkBuilds(seen, plan.builds, ledger),
      ...checkStatuses(seen, github.statuses),
      ...checkComments(seen, { of: github.comments, requests: github.requests() }),
      ...github.violations().map((violation) => `GitHub's API description does not allow this: ${JSON.stringify(violation)}`),
    ];
  } catch (error) {
    return [`the result could not be read: ${error instanceof Error ? error.message : error}`];
  }
}

function count({ plan, github, deployment }: Scene, tally: Tally): void {
  const isWrite = (method: string): boolean => method === 'POST' || method === 'PATCH';
  const writes = github.requests().filter(({ method, processed }) => isWrite(method) && processed);
  tally.rounds += 1;
  tally.builds += plan.builds.length;
  tally.jobs += plan.builds.reduce((sum, { jobs }) => sum + jobs.length, 0);
  tally.failedStarts += deployment.failedStarts().length;
  tally.statuses += writes.filter(({ path }) => path.includes('/statuses/')).length;
  tally.commentWrites += writes.filter(({ path }) => path.includes('/comments')).length;
}
