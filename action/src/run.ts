import { dirname } from 'node:path';
import type { ClosePayload, JobDiff, SourceFile } from '@coverage/shared';
import { type CoverageClient, createCoverageClient } from './api/coverage-client.ts';
import { encodeJob } from './api/encode-job.ts';
import { createRetryingFetches, type Runtime } from './api/retrying-fetch.ts';
import { logUnsent, readChange } from './change/read-change.ts';
import { describeEvent } from './context/event.ts';
import { createGit, type Git } from './context/git.ts';
import { type BuildContext, readBuildContext } from './context/github.ts';
import { ActionFailure, noSecret } from './failure.ts';
import type { Counts, FileHits } from './formats/file-hits.ts';
import { formatNamed } from './formats/formats.ts';
import { withReportFile } from './formats/report-bytes.ts';
import type { GitOptions } from './git/git-folder.ts';
import { createGitFolders, type GitFolders } from './git/git-folders.ts';
import { foldersBetween, isSha } from './git/git-places.ts';
import type { Inputs } from './inputs.ts';
import type { Log } from './log.ts';
import * as sayChange from './messages/change.ts';
import { noCheckout, TESTED_COMMIT_UNKNOWN } from './messages/change.ts';
import { CARRYFORWARD_TOO_EARLY, FILES_IN_CLOSE, unknownSha } from './messages/inputs.ts';
import * as say from './messages/outcome.ts';
import { withoutLines, withoutLinesAllowed } from './messages/reports.ts';
import type { StepOutcome, UploadOutcome } from './outputs.ts';
import { findBuildUrl, readClosedBuild } from './read-outcome.ts';
import { type Checkout, readCheckout } from './report/checkout.ts';
import { type FoundReport, findReports } from './report/find-reports.ts';
import { collectFiles, type ReadReport, toSourceFile } from './report/source-files.ts';
import { chooseTexts, type SentTexts, type TextOf } from './report/source-texts.ts';

/** What the step works with. */
export interface Tools {
  readonly runtime: Runtime;
  /** How git is run where it is not as in a workflow: for tests. */
  readonly git?: Omit<GitOptions, 'server'>;
  readonly log: Log;
}

/** One try; the server answers within 10 s, the rest is for sending a large report over a slow line. */
const TRY_LIMIT_MS = 120_000;
const NOTHING: Counts = { covered: 0, all: 0 };
const READ_LIMITS = { totalMs: 5_000, tryMs: 5_000 };

/** Uploads the coverage of this job, or closes the build. Throws `ActionFailure` for what a person has to mend. */
export function run(inputs: Inputs, tools: Tools): Promise<StepOutcome> {
  const { runtime, log } = tools;
  const fetchWithin = createRetryingFetches(runtime, log);
  const send = fetchWithin({ totalMs: inputs.timeoutMs, tryMs: TRY_LIMIT_MS });
  const read = fetchWithin(READ_LIMITS);
  const client = createCoverageClient({ send, read }, inputs, log);
  const outcome =
    inputs.task === 'close'
      ? closeBuild(inputs, { ...tools, client })
      : withGitFolders(inputs, tools, (folders) => reportCoverage(inputs, { ...tools, client, folders }));
  return inputs.withoutSecret ? outcome.catch(excuseServer) : outcome;
}

const OF_SERVER: ReadonlySet<string> = new Set(['server-refused', 'server-unreachable', 'answer-not-understood']);

/** That a repo takes nothing from forks is no fault of the pull request. */
function excuseServer(error: unknown): never {
  throw error instanceof ActionFailure && OF_SERVER.has(error.code) ? noSecret(error) : error;
}

type Toolbox = Tools & { readonly client: CoverageClient };

async function withGitFolders<T>(
  { runner, githubToken }: Inputs,
  { git = {} }: Tools,
  work: (folders: GitFolders) => Promise<T>,
): Promise<T> {
  const server = { url: runner.serverUrl, token: githubToken };
  const folders = createGitFolders(runner.workspace, { ...git, server });
  try {
    return await work(folders);
  } finally {
    await folders.remove();
  }
}

async function reportCoverage(inputs: Inputs, tools: Toolbox & { readonly folders: GitFolders }): Promise<StepOutcome> {
  const { log, client, folders } = tools;
  const git = createGit(folders);
  if (inputs.carryforward !== '') log.info(CARRYFORWARD_TOO_EARLY);
  const reports = readReports(inputs, log);
  const checkout = await findCheckout(reports, inputs.runner.workspace, git);
  const files = collectFiles(reports, { ...inputs, checkout }, log);
  const context = await readBuildContext({ ...inputs.runner, workspace: checkout.root }, inputs, git);
  const diff = inputs.sendDiff ? await findChange(inputs, { checkout, context }, tools) : undefined;
  const envelope = {
    ...tokenOf(inputs),
    ...context,
    ...(diff === undefined ? {} : { diff }),
    parallel: inputs.parallel,
    run_at: new Date(tools.runtime.now()).toISOString(),
  };
  const choice = inputs.sendSource ?? (await client.readUploadSettings())?.send_source ?? 'none';
  const texts = chooseTexts(choice, diff);
  const body = await encodeJob(envelope, sourceFiles(files, checkout, texts.textOf));
  logTexts(texts, log);
  log.info(say.uploading(files.length, { commit: context.commit_sha, url: inputs.endpoint.href, bytes: body.length }));
  const answer = await client.uploadJob(body);
  log.info(`${answer.message}: ${answer.url}`);
  await checkWholeCommit(tools, { jobUrl: answer.url, sent: context.commit_sha });
  const upload: UploadOutcome = { ...answer, flagName: inputs.flagName, ...summed(files), reports: listed(reports) };
  if (inputs.parallel) return { upload };
  const buildUrl = await findBuildUrl(tools, answer.url);
  return buildUrl === undefined ? { upload } : { upload, ...(await closedBuild(tools, buildUrl)) };
}

/** Without one the run itself is what the server asks the git host about. */
function tokenOf({ token }: Inputs): { readonly repo_token?: string } {
  return token === '' ? {} : { repo_token: token };
}

/** A short commit that neither the checkout nor the server could complete is the wrong one, or not fetched. */
async function checkWholeCommit(
  { client }: Toolbox,
  { jobUrl, sent = '' }: { readonly jobUrl: string; readonly sent: string | undefined },
): Promise<void> {
  if (sent === '' || isSha(sent)) return;
  const job = await client.readJob(jobUrl);
  if (job?.commit_sha === sent) throw new ActionFailure('bad-input', unknownSha(sent));
}

/** What the built commit changed; the server needs it where its git host does not list the changed lines. */
async function findChange(
  { runner }: Inputs,
  { checkout, context }: { checkout: Checkout; context: BuildContext },
  { log, folders }: Pick<Tools, 'log'> & { readonly folders: GitFolders },
): Promise<JobDiff | undefined> {
  const head = context.service_tested_sha ?? context.commit_sha;
  if (checkout.byGit && head !== undefined)
    return readChange({ root: checkout.root, head, facts: describeEvent(runner) }, { log, folders });
  logUnsent(log, checkout.byGit ? TESTED_COMMIT_UNKNOWN : noCheckout(checkout.root));
  return undefined;
}

async function closeBuild(inputs: Inputs, tools: Toolbox): Promise<StepOutcome> {
  if (inputs.files.length > 0) tools.log.info(FILES_IN_CLOSE);
  const buildNumber = inputs.buildNumber || inputs.runner.runId;
  const payload: ClosePayload = {
    ...tokenOf(inputs),
    ...(inputs.runner.repository === '' ? {} : { repo_name: inputs.runner.repository }),
    ...(inputs.carryforward === '' ? {} : { carryforward: inputs.carryforward }),
    payload: { ...(buildNumber === '' ? {} : { build_num: buildNumber }), status: 'done' },
  };
  const answer = await tools.client.closeBuild(payload);
  tools.log.info(say.closed(answer.jobs, answer.url));
  return closedBuild(tools, answer.url);
}

async function closedBuild(tools: Toolbox, buildUrl: string): Promise<StepOutcome> {
  const build = await readClosedBuild(tools, buildUrl);
  return { buildUrl, ...(build === undefined ? {} : { build }) };
}

function readReports({ runner, files, format, allowEmpty }: Inputs, log: Log): (ReadReport & FoundReport)[] {
  const search = { workspace: runner.workspace, patterns: files, format: formatNamed(format), allowEmpty };
  const reports = findReports(search, log).map((found) => {
    const parsed = withReportFile(found, (report) => found.format.parse(report));
    for (const warning of parsed.warnings) log.warning(warning);
    return { ...found, ...parsed };
  });
  const empty = reports.filter(({ files }) => files.every((file) => file.lastLine === 0));
  for (const report of empty)
    if (!report.format.onePerSource || empty.length === reports.length) refuseEmpty(report, { allowEmpty, log });
  return reports;
}

function refuseEmpty({ path, format }: FoundReport, { allowEmpty, log }: { allowEmpty: boolean; log: Log }): void {
  if (!allowEmpty) throw new ActionFailure('report-empty', withoutLines(path, format.name));
  log.info(withoutLinesAllowed(path, format.name));
}

/**
 * The workspace is the checkout, unless actions/checkout was given a `path`: then it is the outermost folder on the way
 * to the reports that is one. A folder nearer to them may have been planted by the tested code.
 */
function findCheckout([first]: readonly FoundReport[], workspace: string, git: Git): Promise<Checkout> {
  return readCheckout(git, workspace, first === undefined ? [] : foldersBetween(workspace, dirname(first.absolute)));
}

function logTexts({ counts }: SentTexts, log: Log): void {
  const { sent, kept } = counts();
  if (sent + kept > 0) log.info(sayChange.textsSent({ sent, kept }));
}

function* sourceFiles(files: readonly FileHits[], { root }: Checkout, textOf: TextOf): Generator<SourceFile> {
  for (const file of files) yield toSourceFile(file, root, textOf);
}

function summed(files: readonly FileHits[]): Pick<UploadOutcome, 'files' | 'lines' | 'branches'> {
  return {
    files: files.length,
    lines: sumOf(files.map((file) => file.countLines())),
    branches: sumOf(files.map((file) => file.countBranches())),
  };
}

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, { covered, all }) => ({ covered: sum.covered + covered, all: sum.all + all }), NOTHING);
}

function listed(reports: readonly FoundReport[]): UploadOutcome['reports'] {
  return reports.map(({ path, format }) => ({ path, format: format.name }));
}
