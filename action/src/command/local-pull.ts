import { join } from 'node:path';
import type { PreviewJson, PreviewQuestion } from '@coverage/shared';
import { FILE_PLACES } from '@coverage/shared/coverage-file';
import { type AskPreview, createAskPreview, type PreviewJob } from '../api/coverage-client.ts';
import { createRetryingFetches } from '../api/retrying-fetch.ts';
import { type LocalChange, type NoChange, readLocalChange } from '../change/local-change.ts';
import { findGitPlaces, type GitPlaces, isSha, readRef, readSmall } from '../git/git-places.ts';
import { toSourceFile } from '../report/source-files.ts';
import { createSourceReader } from '../report/source-reader.ts';
import { TextEnds } from '../report/text-ends.ts';
import { ActionFailure } from '../runner/failure.ts';
import { readSeconds } from '../step/input-values.ts';
import { readCarryforward } from '../step/inputs.ts';
import { withGitFolders } from '../step/run.ts';
import { findLocalCheckout, type LocalCheckout } from './local-checkout.ts';
import { type LocalReports, logOf, READING_OPTIONS, readLocalReports, typedPath } from './local-reports.ts';
import { createProxiedFetch } from './proxied-fetch.ts';
import { ENDPOINT_MISSING, readSettings, SERVER_OPTIONS, type Settings, TOKEN_MISSING } from './settings.ts';
import type { Arguments, Option, Shell } from './shell/command.ts';

export const NO_BASE =
  'The target branch of the change is unknown: this is not a git checkout, or origin has no default branch, and ' +
  'neither main nor master. Name it with --base=<branch>.';

/** The branch that a change goes to, and the commit that it was at when it was fetched last. */
interface TargetBranch {
  /** Undefined if only a commit was named. */
  readonly name: string | undefined;
  readonly sha: string;
}

const MAX_LINK_BYTES = 4 << 10;
/** If nothing says which branch is the repo's main one. */
const USUAL = ['main', 'master'] as const;

/** What was named, else the branch that `origin` calls its main one, else the usual one that is there. */
function findTarget({ root, bounds }: LocalCheckout, named: string | undefined): TargetBranch | undefined {
  const places = findGitPlaces(root, bounds);
  if (places === undefined) return undefined;
  if (named !== undefined) {
    const sha = isSha(named) ? named : shaOf(places, named);
    return sha === undefined ? undefined : { name: isSha(named) ? undefined : withoutRemote(named), sha };
  }
  for (const name of [mainOfOrigin(places), ...USUAL]) {
    const sha = name === undefined ? undefined : shaOf(places, name);
    if (sha !== undefined) return { name, sha };
  }
  return undefined;
}

/** As it is at `origin`, since the pull request goes there; a branch of the clone alone counts too. */
function shaOf(places: GitPlaces, name: string): string | undefined {
  const branch = withoutRemote(name);
  return readRef(places, `refs/remotes/origin/${branch}`) ?? readRef(places, `refs/heads/${branch}`);
}

function withoutRemote(name: string): string {
  return name.replace(/^(?:refs\/remotes\/)?origin\/|^refs\/heads\//, '');
}

function mainOfOrigin({ common }: GitPlaces): string | undefined {
  const link = readSmall(join(common, 'refs', 'remotes', 'origin', 'HEAD'), MAX_LINK_BYTES)?.trim();
  return /^ref: refs\/remotes\/origin\/(.+)$/.exec(link ?? '')?.[1];
}

/** Which branch the change goes to: the same for every command that looks at a change. */
export const CHANGE_OPTIONS: readonly Option[] = [
  {
    name: 'base',
    aliases: ['base-branch'],
    value: 'branch',
    summary: 'the target branch of the pull request; else the default branch of origin',
  },
];

/** What asking for a verdict needs. */
export const PREVIEW_OPTIONS: readonly Option[] = [
  ...SERVER_OPTIONS,
  { name: 'repo', value: 'service/owner/name', summary: 'which repo, with a personal token; else COVERAGE_REPO' },
  ...CHANGE_OPTIONS,
  {
    name: 'flag',
    short: 'j',
    aliases: ['job-flag'],
    value: 'name[=report]',
    multiple: true,
    summary: 'a flag for all reports, or for the reports after "=", as in unit=coverage/unit/lcov.info',
  },
  {
    name: 'carryforward',
    value: 'flags',
    multiple: true,
    summary: 'flags that did not run and keep their last report, with commas, or "all"',
  },
  { name: 'pull-request', value: 'number', summary: 'the number of the pull request, if it exists already' },
  {
    name: 'tested-at',
    value: 'commit',
    choices: ['head', 'merge'],
    summary: "which commit the pull request's CI tests; else as the repo's last one was",
  },
  ...READING_OPTIONS,
];

const TIME_LIMIT_MS = 30_000;
const TRY_LIMIT_MS = 60_000;
/** Somebody sits and waits. */
const SECONDS = { unset: 120, max: 60 * 60 };
/** The diffs that an answer asks for lead to the next ones: of the base, then between it and the merge base. */
const MAX_ROUNDS = 4;

/** What the checkout changed since it left its target branch; undefined if unknown, which is then reported. */
export async function withLocalChange<T>(
  given: Arguments,
  shell: Shell,
  work: (change: LocalChange | undefined, target: TargetBranch | undefined) => Promise<T>,
): Promise<T> {
  const checkout = findLocalCheckout(shell.folder);
  const named = given.text('base');
  const target = findTarget(checkout, named);
  if (target === undefined && named !== undefined)
    throw new ActionFailure(
      'bad-input',
      `Neither origin nor this clone has a branch ${named}. Fetch it, or name another one with --base.`,
    );
  if (target === undefined) {
    shell.say(NO_BASE);
    return work(undefined, undefined);
  }
  const runner = { workspace: checkout.bounds, serverUrl: '' };
  return withGitFolders({ runner, githubToken: '' }, {}, async (folders) => {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const change = await readLocalChange({ root: checkout.root, target: target.sha }, { folders, signal });
    if (typeof change !== 'string') return work(change, target);
    shell.say(noChange(change, target.name ?? target.sha));
    return work(undefined, target);
  });
}

/** The verdict, with what it was asked by. */
export interface LocalPreview {
  readonly preview: PreviewJson;
  /** All reports together. */
  readonly local: LocalReports;
  readonly change: LocalChange | undefined;
}

/** Sends what a pull request would upload now, and answers what it would get. */
export async function previewLocally(given: Arguments, shell: Shell): Promise<LocalPreview> {
  const settings = readSettings(given, shell);
  const local = await readLocalReports(given, shell);
  const jobs = await readJobs(given, shell, local);
  const ask = await openServer(given, shell, settings);
  return withLocalChange(given, shell, async (change, target) => {
    const head = change?.head ?? settings.checkout.headSha;
    if (head === undefined)
      throw new ActionFailure('bad-input', 'There is no commit here to judge: run this in a checkout of the repo.');
    const carryforward = readCarryforward({ input: (name) => given.texts(name).join('\n') });
    const question: PreviewQuestion = {
      head_sha: head,
      ...stated({
        branch: settings.run.facts.branch ?? settings.checkout.branch,
        base_branch: target?.name ?? settings.run.facts.baseBranch,
        merge_base_sha: change?.mergeBase,
      }),
      ...(carryforward.length === 0 ? {} : { carryforward }),
      ...(change === undefined ? {} : { ancestors: [...change.ancestors], coverage_yml: await filesOf(change) }),
      ...pullRequestOf(given.text('pull-request') ?? settings.run.facts.pullRequest),
      ...testedAt(given.text('tested-at')),
    };
    return { preview: await askInRounds(ask, { question, jobs, change }), local, change };
  });
}

/** Where the change begins, and as it is now: the server may have read neither. */
async function filesOf(change: LocalChange): Promise<NonNullable<PreviewQuestion['coverage_yml']>> {
  const [base, head] = await Promise.all([
    change.readFile('mergeBase', FILE_PLACES),
    change.readFile('head', FILE_PLACES),
  ]);
  return { ...(base !== undefined && { base }), ...(head !== undefined && { head }) };
}

async function askInRounds(
  ask: AskPreview,
  {
    question,
    jobs,
    change,
  }: { question: PreviewQuestion; jobs: readonly PreviewJob[]; change: LocalChange | undefined },
): Promise<PreviewJson> {
  if (change === undefined) return ask(question, jobs);
  const diffs = [change.diff];
  for (let round = 1; ; round += 1) {
    const preview = await ask({ ...question, diffs }, jobs);
    const more = await Promise.all(preview.wanted_diffs.map((range) => change.compare(range)));
    const found = more.filter((diff) => diff !== undefined);
    if (found.length === 0 || round === MAX_ROUNDS) return preview;
    diffs.push(...found);
  }
}

/** One job, or one for each flag with reports of its own. */
async function readJobs(given: Arguments, shell: Shell, local: LocalReports): Promise<readonly PreviewJob[]> {
  const flags = given.texts('flag').map((text) => text.split('=', 2) as [flag: string, report?: string]);
  const toJob = (flag: string | undefined, { files, leftOut, checkout }: LocalReports): PreviewJob => {
    const [reader, ends, log] = [createSourceReader(checkout), new TextEnds(), logOf(given, shell)];
    const sent = files.map((file) => toSourceFile(file, reader, { ends }));
    reader.tellRefused(log);
    return { flag, files: sent, leftOut: { ...leftOut, ...ends.tell(log) } };
  };
  if (flags.length === 0) return [toJob(undefined, local)];
  const jobs: PreviewJob[] = [];
  for (const [flag, report] of flags)
    jobs.push(toJob(flag, report === undefined ? local : await readLocalReports(withReports(given, [report]), shell)));
  return jobs;
}

function withReports(given: Arguments, reports: readonly string[]): Arguments {
  const texts = (option: string) => (option === 'file' ? [] : given.texts(option));
  return { ...given, operands: reports, texts };
}

async function openServer(given: Arguments, shell: Shell, settings: Settings): Promise<AskPreview> {
  const { endpoint, endpointRefused } = settings;
  if (endpointRefused !== undefined) throw new ActionFailure('bad-input', endpointRefused);
  const token = settings.token || shell.env.COVERAGE_TOKEN || '';
  if (!URL.canParse(endpoint)) throw new ActionFailure('bad-input', ENDPOINT_MISSING);
  if (token === '') throw new ActionFailure('bad-input', TOKEN_MISSING);
  const named = given.text('ca-file');
  const caFile = named === undefined ? '' : typedPath(named, shell);
  const fetch = await createProxiedFetch(shell.runtime.fetch, { env: shell.env, caFile });
  const totalMs = readSeconds({ input: (name) => given.text(name) ?? '' }, 'timeout', SECONDS);
  const send = createRetryingFetches(
    { ...shell.runtime, fetch },
    logOf(given, shell),
  )({
    totalMs,
    tryMs: TRY_LIMIT_MS,
  });
  return createAskPreview(send, { endpoint, token, repo: given.text('repo') || shell.env.COVERAGE_REPO });
}

function stated(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function pullRequestOf(text: string | undefined): Pick<PreviewQuestion, 'pull_request'> {
  if (text === undefined) return {};
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new ActionFailure('bad-input', `The number of a pull request is 1 or more, not "${text}".`);
  return { pull_request: number };
}

function testedAt(text: string | undefined): Pick<PreviewQuestion, 'tested_at_merge'> {
  return text === undefined ? {} : { tested_at_merge: text === 'merge' };
}

function noChange(why: NoChange, base: string): string {
  const reasons: Record<NoChange, string> = {
    'no-checkout': 'git knows no commit here',
    'no-merge-base': 'the clone does not show where both part: fetch more of the history (git fetch --unshallow)',
    'not-compared': 'git could not compare them within its time',
  };
  return `What changed since ${base} is not known: ${reasons[why]}.`;
}
