import { dirname } from 'node:path';
import type { ClosePayload, JobDiff, JobPayload, LeftOut, SourceFile } from '@coverage/shared';
import { type CoverageClient, createCoverageClient } from '../api/coverage-client.ts';
import { encodeJob, type JobEnvelope, unpackJob } from '../api/encode-job.ts';
import { tellReading } from '../api/progress.ts';
import { createRetryingFetches, type Runtime } from '../api/retrying-fetch.ts';
import { logUnsent, readChange } from '../change/read-change.ts';
import { readRules } from '../change/read-rules.ts';
import { createGit, type Git } from '../context/git.ts';
import { type BuildContext, type Runner, readBuildContext } from '../context/github.ts';
import { findTested, type Tested } from '../context/tested.ts';
import type { ParsedReport } from '../formats/coverage-format.ts';
import type { FileHits } from '../formats/file-hits.ts';
import { formatNamed } from '../formats/formats.ts';
import { withReportFile } from '../formats/report-bytes.ts';
import { createGitFolders, type GitFolders, type GitOptions } from '../git/git-folder.ts';
import { foldersBetween, isSha } from '../git/git-places.ts';
import { type Checkout, readCheckout } from '../report/checkout.ts';
import { type FoundReport, findReports } from '../report/find-reports.ts';
import { collectFiles, type ReadReport, toSourceFile } from '../report/source-files.ts';
import {
  chooseTexts,
  createSourceReader,
  type SentTexts,
  type SourceReader,
  type TextOf,
} from '../report/source-reader.ts';
import { TextEnds } from '../report/text-ends.ts';
import { ActionFailure, noSecret } from '../runner/failure.ts';
import type { Log } from '../runner/log.ts';
import { type Counts, counted } from '../runner/words.ts';
import { tellClose, tellJob } from './dry-run.ts';
import type { Inputs } from './inputs.ts';
import type { StepOutcome } from './outputs.ts';
import { describeUpload, findBuildUrl, readClosedBuild, verdictUnreadable, waitForVerdict } from './read-outcome.ts';

/** What the step works with. */
export interface Tools {
  readonly runtime: Runtime;
  /** How git is run where it is not as in a workflow: for tests. */
  readonly git?: Omit<GitOptions, 'server'>;
  readonly log: Log;
}

/** One try; the server answers within 10 s, the rest is for sending a large report over a slow line. */
const TRY_LIMIT_MS = 120_000;
const READ_LIMITS = { totalMs: 5_000, tryMs: 5_000 };

/**
 * Uploads the coverage of this job, or closes the build. Throws `ActionFailure` for anything that a person has to fix.
 */
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

/** Removes the folders that git was given of our own, however the work ends. */
export async function withGitFolders<T>(
  { runner, githubToken }: Pick<Inputs, 'githubToken'> & { readonly runner: Pick<Runner, 'workspace' | 'serverUrl'> },
  { git = {} }: Pick<Tools, 'git'>,
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

/** A job as it is sent, and what it was made of. */
export interface PreparedJob {
  readonly envelope: JobEnvelope;
  readonly files: readonly FileHits[];
  readonly leftOut: LeftOut;
  readonly reports: readonly FoundReport[];
  /** The whole job, packed. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Finds the reports, reads them, maps their names, and says who built what: everything but sending it. */
export async function prepareJob(
  inputs: Inputs,
  tools: Toolbox & { readonly folders: GitFolders },
): Promise<PreparedJob> {
  const { log, client, folders, runtime } = tools;
  const git = createGit(folders);
  const reports = readReports(inputs, log, runtime.now);
  const checkout = await findCheckout(reports, inputs.place?.root ?? inputs.runner.workspace, git);
  const collected = collectFiles(reports, { ...inputs, checkout }, log);
  const runner = { ...inputs.runner, workspace: checkout.root };
  const tested = await findTested(runner, inputs, git);
  if (tested.warning !== '') log.warning(tested.warning);
  const ofRunner = await readBuildContext(runner, inputs, git, tested);
  const context = inputs.ofService?.(ofRunner) ?? ofRunner;
  const diff = inputs.sendDiff ? await findChange(tested, { checkout, context }, tools) : undefined;
  const rules = checkout.byGit ? await readRules({ root: checkout.root, head: testedBy(context) }, tools) : undefined;
  const envelope = {
    ...tokenOf(inputs),
    run_at: new Date(runtime.now()).toISOString(),
    ...context,
    ...(diff === undefined ? {} : { diff }),
    ...(rules === undefined ? {} : { coverage_yml: rules }),
    parallel: inputs.parallel,
    ...(inputs.expectedJobs === undefined ? {} : { expected_jobs: inputs.expectedJobs }),
  };
  const asked = inputs.dryRun ? undefined : () => client.readUploadSettings();
  const choice = inputs.sendSource ?? (await asked?.())?.send_source ?? 'none';
  const texts = chooseTexts(choice, diff);
  const [reader, ends] = [createSourceReader(checkout), new TextEnds()];
  let leftOut = collected.leftOut;
  const files = sourceFiles(collected.files, reader, { ends, textOf: texts.textOf });
  const body = await encodeJob(envelope, files, () => {
    leftOut = { ...leftOut, ...ends.tell(log) };
    return Object.keys(leftOut).length === 0 ? {} : { left_out: leftOut };
  });
  reader.tellRefused(log);
  logTexts(texts, log);
  return { envelope, files: ends.files, leftOut, reports, body };
}

async function reportCoverage(inputs: Inputs, tools: Toolbox & { readonly folders: GitFolders }): Promise<StepOutcome> {
  const { log, client } = tools;
  if (inputs.carryforward.length > 0)
    log.info('Input carryforward takes effect in the step that closes the build (parallel-finished).');
  const { envelope, files, leftOut, reports, body } = await prepareJob(inputs, tools);
  const url = inputs.endpoint.href;
  if (inputs.dryRun) {
    tellJob(log, { envelope, files, bytes: body.length }, url);
    return { dryRun: { url, body: () => withoutToken(unpackJob(body)) } };
  }
  log.info(uploading(files.length, { commit: envelope.commit_sha, url, bytes: body.length }));
  const answer = await client.uploadJob(body);
  log.info(`${answer.message}: ${answer.url}`);
  await checkWholeCommit(tools, { jobUrl: answer.url, sent: envelope.commit_sha });
  const upload = describeUpload(answer, { flagName: inputs.flagName, files, leftOut, reports });
  if (inputs.parallel) return { upload };
  const buildUrl = await findBuildUrl(tools, answer.url);
  if (buildUrl === undefined && inputs.waitMs !== undefined) log.warning(verdictUnreadable(answer.url));
  return buildUrl === undefined ? { upload } : { upload, ...(await closedBuild(inputs, { ...tools, buildUrl })) };
}

/** Without one the run itself is what the server asks the git host about. */
function tokenOf({ token }: Inputs): { readonly repo_token?: string } {
  return token === '' ? {} : { repo_token: token };
}

function withoutToken({ repo_token: _, ...body }: JobPayload | ClosePayload): object {
  return body;
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
  { facts }: Tested,
  { checkout, context }: { checkout: Checkout; context: BuildContext },
  { log, folders }: Pick<Tools, 'log'> & { readonly folders: GitFolders },
): Promise<JobDiff | undefined> {
  const head = testedBy(context);
  if (checkout.byGit && head !== undefined) return readChange({ root: checkout.root, head, facts }, { log, folders });
  logUnsent(log, checkout.byGit ? 'nothing says which commit was tested' : `git knows no checkout at ${checkout.root}`);
  return undefined;
}

function testedBy({ service_tested_sha, commit_sha }: BuildContext): string | undefined {
  return service_tested_sha ?? commit_sha;
}

async function closeBuild(inputs: Inputs, tools: Toolbox): Promise<StepOutcome> {
  if (inputs.files.length > 0) tools.log.info('Inputs file and files are not used in the step that closes the build.');
  if (inputs.expectedJobs !== undefined)
    tools.log.info(
      'Input expected-jobs is for the uploads: the step that closes the build closes it with what has arrived.',
    );
  const buildNumber = inputs.buildNumber || inputs.runner.runId;
  const payload: ClosePayload = {
    ...tokenOf(inputs),
    ...(inputs.runner.repository === '' ? {} : { repo_name: inputs.runner.repository }),
    ...(inputs.carryforward.length === 0 ? {} : { carryforward: inputs.carryforward }),
    payload: { ...(buildNumber === '' ? {} : { build_num: buildNumber }), status: 'done' },
  };
  if (inputs.dryRun) {
    tellClose(tools.log, payload, inputs.endpoint.href);
    return { dryRun: { url: inputs.endpoint.href, body: () => withoutToken(payload) } };
  }
  const answer = await tools.client.closeBuild(payload);
  tools.log.info(`Closed the build of ${counted(answer.jobs, 'job')}: ${answer.url}`);
  return closedBuild(inputs, { ...tools, buildUrl: answer.url });
}

async function closedBuild(
  { waitMs }: Inputs,
  { buildUrl, ...tools }: Toolbox & { readonly buildUrl: string },
): Promise<StepOutcome> {
  if (waitMs !== undefined) return { buildUrl, ...(await waitForVerdict(tools, buildUrl, waitMs)) };
  const build = await readClosedBuild(tools, buildUrl);
  return { buildUrl, ...(build === undefined ? {} : { build }) };
}

/** Finds and reads what the inputs name. */
export function readReports(
  inputs: Pick<Inputs, 'files' | 'format' | 'allowEmpty' | 'place'> & { readonly runner: Pick<Runner, 'workspace'> },
  log: Log,
  now: () => number = Date.now,
): (ReadReport & FoundReport)[] {
  const { runner, files, format, allowEmpty, place } = inputs;
  const search = {
    workspace: place?.folder ?? runner.workspace,
    patterns: files,
    format: formatNamed(format),
    allowEmpty,
  };
  const reports = findReports(search, log).map((found) => {
    const parsed = parseReport(found, { log, now });
    for (const warning of parsed.warnings) log.warning(warning);
    return { ...found, ...parsed };
  });
  const empty = reports.filter(({ files }) => files.every((file) => file.lastLine === 0));
  for (const report of empty)
    if (!report.format.onePerSource || empty.length === reports.length) refuseEmpty(report, { allowEmpty, log });
  return reports;
}

/** What a damaged report says in place of coverage is quoted, but not where a committed link may lead to a secret. */
function parseReport(found: FoundReport, telling: { readonly log: Log; readonly now: () => number }): ParsedReport {
  try {
    return withReportFile(found, (report) => found.format.parse(tellReading(report, telling)));
  } catch (error) {
    if (!found.isLinked || !(error instanceof ActionFailure)) throw error;
    throw new ActionFailure(
      error.code,
      `${found.path} is a link to a file that is not a complete report (${found.format.name}). ` +
        'Name the report itself to see what is wrong with it.',
    );
  }
}

function refuseEmpty({ path, format }: FoundReport, { allowEmpty, log }: { allowEmpty: boolean; log: Log }): void {
  if (!allowEmpty)
    throw new ActionFailure(
      'report-empty',
      `${path} is a report (${format.name}) without any line of any file. ` +
        'Check that the tests ran with coverage on, or set "allow-empty".',
    );
  log.info(`${path} is a report (${format.name}) without any line of any file. Accepted as it is: allow-empty is set.`);
}

/**
 * The workspace is the checkout, unless actions/checkout was given a `path`: then it is the outermost folder on the way
 * to the reports that is one. A folder nearer to them may have been planted by the tested code.
 */
export function findCheckout([first]: readonly FoundReport[], workspace: string, git: Git): Promise<Checkout> {
  return readCheckout(git, workspace, first === undefined ? [] : foldersBetween(workspace, dirname(first.absolute)));
}

function logTexts({ counts }: SentTexts, log: Log): void {
  const { sent, kept } = counts();
  if (sent + kept > 0) log.info(textsSent({ sent, kept }));
}

function* sourceFiles(
  files: readonly FileHits[],
  reader: SourceReader,
  texts: { readonly ends: TextEnds; readonly textOf: TextOf },
): Generator<SourceFile> {
  for (const file of files) yield toSourceFile(file, reader, texts);
}

/** How many source texts go along, and how many stay behind. */
function textsSent({ sent, kept }: Counts<'sent' | 'kept'>): string {
  const more = kept === 0 ? '' : `; ${kept} stayed behind, being no text or beyond 1 MiB each and 32 MiB in all`;
  return `The text of ${counted(sent, 'source file')} is sent with this upload${more}.`;
}

function unknownSha(start: string): string {
  return (
    `Input git-commit: neither the checkout nor a build on the server has one commit that begins with "${start}". ` +
    'The upload is stored, but the server can’t post a commit status for it. Give all the digits, or check ' +
    'out more commits ("fetch-depth: 0" of actions/checkout).'
  );
}

function uploading(files: number, to: { readonly commit: string | undefined; url: string; bytes: number }): string {
  const { commit = 'unknown', url, bytes } = to;
  return `Uploading ${counted(files, 'file')} for commit ${commit} to ${url} (${counted(bytes, 'byte')})`;
}
