import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildJson } from '@coverage/shared';
import { type CoverageApi, coverageApi } from '../support/coverage-api.ts';
import { pullRequestEvent, pushEvent, type WorkflowEvent } from '../support/event-payloads.ts';
import { fixtures, placeReport } from '../support/fixture-reports.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { loadGitHistory } from '../support/github-stand-in/load-git-history.ts';
import { type ActionResult, runAction } from '../support/run-action.ts';
import { createSampleCheckout, type SampleCheckout } from '../support/sample-checkout.ts';
import { type Commits, checkOut, type Moment, makeCommits } from './commits.ts';
import { forkEvent, openForkPull, WITHOUT_SECRET } from './fork.ts';
import { type Instances, type Storage, startInstances } from './instances.ts';

interface Step {
  /** GITHUB_RUN_ID: all steps of one run share it. */
  readonly run: string;
  readonly on: Moment;
}

/** Servers, a GitHub and a checkout, with the steps of a workflow to run on them. */
export interface Scene {
  readonly instances: Instances;
  readonly github: GithubStandIn;
  readonly repo: string;
  readonly repoToken: string;
  readonly commits: {
    readonly base: string;
    readonly firstHead: string;
    readonly secondHead: string;
    readonly forkHead: string;
  };
  /** Whether the checkout has a history, by which GitHub says what a commit changed. */
  readonly hasGit: boolean;
  /** Builds that were closed, in order. */
  builds(): readonly BuildJson[];
  /** Runs the action on one report, as one parallel job of the run. */
  upload(step: Step & { readonly flag: string; readonly report: string }): Promise<void>;
  /** Runs the action's closing step; answers the closed build. */
  close(step: Step & { readonly carryforward?: string }): Promise<BuildJson>;
  /** Fails where GitHub would have seen something that its API description does not allow. */
  checkNothingOdd(): void;
  dispose(): Promise<void>;
}

const REPO = 'acme/shop';
const PULL = { number: 7, title: 'Take coupons' } as const;

interface SceneOptions {
  /** Receives a line for each step of the workflow. */
  readonly tell: (line: string) => void;
  /** Default: one server on SQLite. */
  readonly storage?: Storage;
  /** Of the servers, on top. */
  readonly env?: Readonly<Record<string, string>>;
  /** GitHub's clock. */
  readonly now?: () => number;
}

/** Starts everything. */
export async function createScene(options: SceneOptions): Promise<Scene> {
  const ends: (() => Promise<void>)[] = [];
  const dispose = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    return { ...(await setUp(options, ends)), dispose };
  } catch (error) {
    // Servers that are left running would keep this process alive.
    await dispose();
    throw error;
  }
}

async function setUp(
  { tell, storage = { database: undefined, instances: 1 }, env: more, now = Date.now }: SceneOptions,
  ends: (() => Promise<void>)[],
): Promise<Omit<Scene, 'dispose'>> {
  const github = await startGithubStandIn({ now });
  ends.push(() => github.close());
  const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, LOG_LEVEL: 'warn', ...more };
  const instances = await startInstances(env, storage);
  ends.push(() => instances.dispose());
  const checkout = await createSampleCheckout();
  ends.push(() => checkout.dispose());
  const commits = await makeCommits(checkout);
  setUpGithub(github, checkout, commits);
  const api = coverageApi(instances.first.url, instances.first.adminToken);
  const repoToken = await createRepo(api);
  const builds: BuildJson[] = [];
  const workflow: Workflow = { instances, checkout, commits, repoToken, api, tell };
  return {
    instances,
    github,
    repo: REPO,
    repoToken,
    commits,
    hasGit: checkout.hasGit,
    builds: () => builds,
    async upload(step) {
      if (step.on === 'second push') pushSecond(github, commits);
      if (step.on === 'fork') await openForkPull({ github, api, repo: REPO }, { ...commits, run: step.run });
      return upload(workflow, step);
    },
    async close(step) {
      const build = await close(workflow, step);
      builds.push(build);
      return build;
    },
    checkNothingOdd() {
      const [violation] = github.violations();
      if (violation) throw new Error(`GitHub's API description does not allow this: ${JSON.stringify(violation)}`);
    },
  };
}

/** A database that was named may have seen a demo before. */
async function createRepo(api: CoverageApi): Promise<string> {
  if ((await api.readRepo(REPO)).status !== 404) {
    throw new Error(
      `The database has a repo ${REPO} already, of an earlier demo: name another database, or drop that one.`,
    );
  }
  return (await api.createRepo({ name: REPO })).token;
}

interface Workflow {
  readonly instances: Instances;
  readonly checkout: SampleCheckout;
  readonly commits: Commits;
  readonly repoToken: string;
  readonly api: CoverageApi;
  readonly tell: (line: string) => void;
}

async function upload(
  workflow: Workflow,
  step: Step & { readonly flag: string; readonly report: string },
): Promise<void> {
  const { checkout } = workflow;
  const file = await placeReport(checkout.directory, step.report);
  const { result, by } = await runStep(workflow, step, { 'flag-name': step.flag, file, parallel: 'true' });
  await rm(join(checkout.directory, file));
  workflow.tell(`  ran the action on ${step.report}/${file} as flag ${step.flag}${by}: ${result.outputs['job-url']}`);
}

async function close(workflow: Workflow, step: Step & { readonly carryforward?: string }): Promise<BuildJson> {
  const { carryforward } = step;
  const { result, by } = await runStep(workflow, step, {
    'parallel-finished': 'true',
    ...(carryforward === undefined ? {} : { carryforward }),
  });
  const url = result.outputs['build-url'] ?? '';
  const { coverage, verdict } = result.outputs;
  const shown = coverage === '' ? '' : `, coverage ${coverage}, verdict ${verdict}`;
  workflow.tell(`  ran the closing step${by}: ${url}${shown}`);
  const build = await workflow.api.buildJson(url);
  if (build.json.state !== 'closed') throw new Error(`The build is not closed: ${build.text}`);
  return build.json;
}

/** A step's result, and for the story who served it, where there are several. */
interface Served {
  readonly result: ActionResult;
  readonly by: string;
}

async function runStep(workflow: Workflow, step: Step, inputs: Record<string, string>): Promise<Served> {
  const { instances, checkout, repoToken, commits } = workflow;
  const { server, number } = instances.next();
  await checkOut(checkout, commits, step.on);
  const result = await runAction({
    workspace: checkout.directory,
    inputs: {
      'server-url': server.url,
      ...(step.on === 'fork' ? WITHOUT_SECRET : { 'repo-token': repoToken }),
      ...inputs,
    },
    event: eventOf(step.on, commits),
    runId: step.run,
  });
  if (result.exitCode !== 0) throw new Error(`The action failed:\n${result.stdout}${result.stderr}`);
  return { result, by: instances.all.length > 1 ? `, at instance ${number}` : '' };
}

function eventOf(moment: Moment, commits: Commits): WorkflowEvent {
  if (moment === 'main') return pushEvent({ repo: REPO, branch: 'main', sha: commits.base, message: 'Sell tea' });
  if (moment === 'fork') return forkEvent(REPO, commits);
  const first = moment === 'first push';
  return pullRequestEvent({
    repo: REPO,
    number: 7,
    headRef: 'coupons',
    headSha: first ? commits.firstHead : commits.secondHead,
    baseSha: commits.base,
    mergeSha: first ? commits.firstMerge : commits.secondMerge,
  });
}

/** The pull request gets its next head. */
function pushSecond(github: GithubStandIn, { secondHead, secondMerge }: Commits): void {
  github.addPullRequest(REPO, { ...PULL, headSha: secondHead, baseRef: 'main', mergeCommitSha: secondMerge });
}

/** GitHub knows the checkout's commits and what they changed: without that it would name no changed line. */
function setUpGithub(github: GithubStandIn, { directory, hasGit }: SampleCheckout, commits: Commits): void {
  github.addRepo(REPO);
  if (hasGit) loadGitHistory(github, { directory, repo: REPO });
  else github.addCommit(REPO, { sha: commits.base, branch: 'main', message: 'Sell tea' });
  putSources(github, commits);
  github.addPullRequest(REPO, {
    ...PULL,
    headSha: commits.firstHead,
    baseRef: 'main',
    mergeCommitSha: commits.firstMerge,
  });
  github.addCommit(REPO, { sha: commits.secondHead, message: 'Explain coupons', parents: [commits.firstHead] });
}

/** The pages ask for the text of a file at the commit that was measured. */
function putSources(github: GithubStandIn, { base, firstMerge, secondMerge, forkMerge }: Commits): void {
  const heads = [firstMerge, secondMerge, forkMerge].map((sha) => ['head', sha] as const);
  const states = [['base', base] as const, ...heads];
  for (const [state, sha] of states) {
    const folder = join(fixtures, 'sample-project', state);
    for (const path of globSync('{web/src,billing}/*', { cwd: folder }))
      github.putFile(REPO, { sha, path, content: readFileSync(join(folder, path)) });
  }
}
