import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildJson } from '@coverage/shared';
import { type CoverageApi, coverageApi } from '../support/coverage-api.ts';
import { fixtures, placeReport } from '../support/fixture-reports.ts';
import { loadGitHistory } from '../support/github-stand-in/load-git-history.ts';
import { createSampleCheckout, type SampleCheckout } from '../support/sample-checkout.ts';
import { type Commits, checkOut, type Moment, makeCommits } from './commits.ts';
import { openForkPull, PULL } from './fork.ts';
import { GITHUB } from './github.ts';
import type { DemoHost, StartedHost, StepResult } from './hosts.ts';
import { type Instances, type Storage, startInstances } from './instances.ts';
import { testedBy } from './tested.ts';

interface Step {
  /** GITHUB_RUN_ID: all steps of one run share it. */
  readonly run: string;
  readonly on: Moment;
}

/** Servers, a git host and a checkout, with the steps of a workflow to run on them. */
export interface Scene {
  readonly instances: Instances;
  readonly host: StartedHost;
  /** Which one it is. */
  readonly kind: DemoHost;
  readonly repo: string;
  readonly repoToken: string;
  readonly commits: {
    readonly base: string;
    readonly firstHead: string;
    readonly secondHead: string;
    readonly forkHead: string;
  };
  /** Whether the checkout has a history, by which the host says what a commit changed. */
  readonly hasGit: boolean;
  /** Builds that were closed, in order. */
  builds(): readonly BuildJson[];
  /** Runs the action on one report, as one parallel job of the run. */
  upload(step: Step & { readonly flag: string; readonly report: string }): Promise<void>;
  /** Runs the action's closing step; answers the closed build. */
  close(step: Step & { readonly carryforward?: string }): Promise<BuildJson>;
  /** Fails where the host would have seen something that its API does not know. */
  checkNothingOdd(): void;
  dispose(): Promise<void>;
}

const REPO = 'acme/shop';

interface SceneOptions {
  /** Default: GitHub. */
  readonly kind?: DemoHost;
  /** Receives a line for each step of the workflow. */
  readonly tell: (line: string) => void;
  /** Default: one server on SQLite. */
  readonly storage?: Storage;
  /** For the servers, on top. */
  readonly env?: Readonly<Record<string, string>>;
  /** The host's clock. */
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
  { tell, kind = GITHUB, storage = { database: undefined, instances: 1 }, env: more, now = Date.now }: SceneOptions,
  ends: (() => Promise<void>)[],
): Promise<Omit<Scene, 'dispose'>> {
  const host = await kind.start({ now });
  ends.push(() => host.close());
  const instances = await startInstances({ ...host.env, LOG_LEVEL: 'warn', ...more }, storage);
  ends.push(() => instances.dispose());
  const checkout = await createSampleCheckout();
  ends.push(() => checkout.dispose());
  const commits = makeCommits(checkout);
  setUpHost(host, checkout, commits);
  const api = coverageApi(instances.first.url, instances.first.adminToken);
  const { service } = kind;
  const repoToken = await createRepo(api, service);
  const acceptForks = (): Promise<void> => api.changeSettings(REPO, { accept_forks: true }, service);
  const builds: BuildJson[] = [];
  const workflow: Workflow = { instances, checkout, commits, repoToken, api, host, kind, tell };
  const runs = new Set<string>();
  /** Whatever begins a run comes before its first step. */
  const begin = async (step: Step): Promise<void> => {
    if (runs.has(step.run)) return;
    runs.add(step.run);
    if (step.on === 'second push') pushSecond(host, commits);
    if (step.on === 'fork') await openForkPull({ host, acceptForks, repo: REPO }, commits);
    host.beginRun({ repo: REPO, commits, ...step });
  };
  return {
    instances,
    host,
    kind,
    repo: REPO,
    repoToken,
    commits,
    hasGit: checkout.hasGit,
    builds: () => builds,
    async upload(step) {
      await begin(step);
      return upload(workflow, step);
    },
    async close(step) {
      const build = await close(workflow, step);
      builds.push(build);
      return build;
    },
    checkNothingOdd() {
      const violation = host.violation();
      if (violation) throw new Error(`The API of ${kind.name} does not allow this: ${violation}`);
    },
  };
}

/** A database that was named may have seen a demo before. */
async function createRepo(api: CoverageApi, service: string): Promise<string> {
  if ((await api.readRepo(REPO, service)).status !== 404) {
    throw new Error(
      `The database has a repo ${REPO} already, of an earlier demo: name another database, or drop that one.`,
    );
  }
  return (await api.createRepo({ service, name: REPO })).token;
}

interface Workflow {
  readonly instances: Instances;
  readonly checkout: SampleCheckout;
  readonly commits: Commits;
  readonly repoToken: string;
  readonly api: CoverageApi;
  readonly host: StartedHost;
  readonly kind: DemoHost;
  readonly tell: (line: string) => void;
}

async function upload(
  workflow: Workflow,
  step: Step & { readonly flag: string; readonly report: string },
): Promise<void> {
  const { checkout } = workflow;
  const file = await placeReport(checkout.directory, step.report);
  const { result, by } = await runStep(workflow, { ...step, file });
  await rm(join(checkout.directory, file));
  workflow.tell(`  uploaded ${step.report}/${file} as flag ${step.flag}${by}: ${result.jobUrl}`);
}

async function close(workflow: Workflow, step: Step & { readonly carryforward?: string }): Promise<BuildJson> {
  const { result, by } = await runStep(workflow, step);
  const { buildUrl = '', coverage, verdict } = result;
  const shown = coverage === '' ? '' : `, coverage ${coverage}, verdict ${verdict}`;
  workflow.tell(`  ran the closing step${by}: ${buildUrl}${shown}`);
  const build = await workflow.api.buildJson(buildUrl);
  if (build.json.state !== 'closed') throw new Error(`The build is not closed: ${build.text}`);
  return build.json;
}

/** A step's result, and for the story who served it, where there are several. */
interface Served {
  readonly result: StepResult;
  readonly by: string;
}

async function runStep(
  { instances, checkout, repoToken, commits, host, kind }: Workflow,
  step: Step & { readonly flag?: string; readonly file?: string; readonly carryforward?: string },
): Promise<Served> {
  const { server, number } = instances.next();
  await checkOut(checkout, step.on, testedBy(step.on, commits, kind.tested).sha);
  const { directory: workspace } = checkout;
  const result = await host.runStep({ ...step, repo: REPO, commits, workspace, server: server.url, repoToken });
  return { result, by: instances.all.length > 1 ? `, at instance ${number}` : '' };
}

/** The pull request gets its next head. */
function pushSecond(host: StartedHost, { secondHead, secondMerge }: Commits): void {
  host.addPullRequest(REPO, { ...PULL, headSha: secondHead, baseRef: 'main', mergeCommitSha: secondMerge });
}

/** The host knows the checkout's commits and what they changed: without that it would name no changed line. */
function setUpHost(host: StartedHost, { directory, hasGit }: SampleCheckout, commits: Commits): void {
  host.addRepo(REPO);
  if (hasGit) loadGitHistory(host, { directory, repo: REPO });
  else host.addCommit(REPO, { sha: commits.base, branch: 'main', message: 'Sell tea' });
  putSources(host, commits);
  host.addPullRequest(REPO, {
    ...PULL,
    headSha: commits.firstHead,
    baseRef: 'main',
    mergeCommitSha: commits.firstMerge,
  });
  host.addCommit(REPO, { sha: commits.secondHead, message: 'Explain coupons', parents: [commits.firstHead] });
}

/** The pages ask for the text of a file at the commit that was measured. */
function putSources(host: StartedHost, { base, firstMerge, secondMerge, forkMerge }: Commits): void {
  const heads = [firstMerge, secondMerge, forkMerge].map((sha) => ['head', sha] as const);
  const states = [['base', base] as const, ...heads];
  for (const [state, sha] of states) {
    const folder = join(fixtures, 'sample-project', state);
    for (const path of globSync('{web/src,billing}/*', { cwd: folder }))
      host.putFile(REPO, { sha, path, content: readFileSync(join(folder, path)) });
  }
}
