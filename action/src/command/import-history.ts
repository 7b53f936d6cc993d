import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PastCommit, PastTotals } from '@coverage/shared/history';
import { HitFiles } from '../formats/hit-files.ts';
import { ActionFailure } from '../runner/failure.ts';
import { counted } from '../runner/words.ts';
import {
  countReasons,
  describeHistory,
  type FoundHistory,
  type LeftOut,
  shownBeside,
} from './history/describe-history.ts';
import { MAX, type Options, readOptions } from './history/history-options.ts';
import { type Opened, openSource, partOf, TOKEN } from './history/open-source.ts';
import { type LeftOutCommit, type PastReport, type PastSource, SOURCES } from './history/past.ts';
import { withPastGit } from './history/past-git.ts';
import { isWhole, writeHistory } from './history/write-history.ts';
import { findLocalCheckout } from './local-checkout.ts';
import { createProxiedFetch } from './proxied-fetch.ts';
import { type Command, EXIT, type Shell } from './shell/command.ts';

/** Commits between two lines of progress. */
const STEP = 500;

/** Reads what another coverage service knows of a repo, and writes a folder that a server imports. */
export const importHistory: Command = {
  name: 'import-history',
  summary: 'fetch the history of a repo from another coverage service',
  usage: '--from=<service> --repo=<service/owner/name> [options]',
  explanation:
    'Reads the history of a repo from another service, or from a folder of old reports, and writes a folder that an\n' +
    'administrator uploads on the page "Import history" of the repo, or imports on the server. The command never\n' +
    `contacts your server, which never sees the other service's token: that is read from ${TOKEN}.\n` +
    'An interrupted run continues where it stopped.',
  examples: [
    ['import-history --from=codecov --repo=github/acme/shop --dry-run', 'Show what would be imported.'],
    ['import-history --from=coveralls --repo=github/acme/shop --since=2024-01-01', 'Percentages of two years.'],
    ['import-history --from=folder --in=old-reports --repo=github/acme/shop', 'Reports named by commit.'],
  ],
  options: [
    { name: 'from', value: 'service', choices: SOURCES, summary: 'where the history comes from' },
    { name: 'repo', value: 'service/owner/name', summary: 'the repo, there and here' },
    { name: 'as', value: 'service/owner/name', summary: 'the name of the repo here, if it is a different one' },
    { name: 'branch', value: 'name', multiple: true, summary: 'only commits of this branch; else the default branch' },
    { name: 'since', value: 'date', summary: 'only commits from this day on, as 2024-01-31' },
    { name: 'lines', value: 'number', summary: 'how many of the newest commits come with their lines' },
    { name: 'url', value: 'address', summary: 'the URL of your own server of that service' },
    { name: 'project', value: 'key', summary: "SonarQube's key of the repo" },
    { name: 'in', value: 'path', summary: 'a folder of reports, a copy of a Codecov bucket, or uploads of gocov' },
    { name: 'repo-hash', value: 'hash', summary: 'the repo, if a Codecov bucket has several' },
    { name: 'flags', summary: 'the folder below the one named by the commit is the flag' },
    { name: 'to', value: 'folder', summary: 'the folder to write; the default is coverage-history' },
    { name: 'requests-per-minute', value: 'number', summary: 'how fast to call the service; the default is 100' },
    { name: 'ca-file', value: 'file', summary: 'certificate authorities that signed the certificate of the service' },
    { name: 'dry-run', summary: 'show what would be imported, and write nothing' },
  ],
  async run(given, shell) {
    const asked = readOptions(given, shell);
    if (!asked.isTrial && isWhole(asked.to)) throw new ActionFailure('bad-input', alreadyThere(asked.to));
    const fetch = await createProxiedFetch(shell.runtime.fetch, { env: shell.env, caFile: asked.caFile });
    await withPastGit(findLocalCheckout(shell.folder), async (git) => {
      const opened = openSource(asked, git, { ...shell, runtime: { ...shell.runtime, fetch } });
      await bring(asked, opened, { shell, isQuiet: given.isOn('quiet') });
    });
    return EXIT.good;
  },
};

async function bring(
  asked: Options,
  { source, name, requests, lines }: Opened,
  { shell, isQuiet }: { readonly shell: Shell; readonly isQuiet: boolean },
): Promise<void> {
  const tell = (line: string): void => (isQuiet ? undefined : shell.say(line));
  const { commits, leftOut } = await readList(source, tell);
  if (commits.length === 0) throw new ActionFailure('bad-input', nothingThere(name, source.address));
  const withLines = asked.lines ?? lines;
  const found: FoundHistory = { ...asked, name, address: source.address, commits, leftOut, withLines };
  if (asked.isTrial) {
    const flags = (await source.flags?.(commits[0] as PastCommit)) ?? [];
    shell.print(describeHistory({ ...found, flags, requests: requests?.count() }));
    return;
  }
  const reading = { source, name, withLines, leftOut, requests, tell };
  const flags = await writeFolder(asked, commits, { reading, shell });
  for (const note of source.notes()) tell(note);
  shell.print(describeHistory({ ...found, flags, requests: requests?.count() }));
}

interface Reading {
  readonly source: PastSource;
  readonly name: string;
  readonly withLines: number;
  readonly leftOut: LeftOut;
  /** Given: each report takes a while. */
  readonly requests: Opened['requests'];
  readonly tell: (line: string) => void;
}

/** Answers the flags that have lines. A folder of a run that was stopped is written again, from the answers it kept. */
async function writeFolder(
  { from, as, to }: Options,
  commits: readonly PastCommit[],
  { reading, shell }: { readonly reading: Reading; readonly shell: Shell },
): Promise<readonly string[]> {
  const { source, name, withLines, leftOut, requests, tell } = reading;
  const unfinished = join(partOf(to), 'history');
  rmSync(unfinished, { recursive: true, force: true });
  const writer = writeHistory(unfinished);
  const flags = new Set<string>();
  for (const [at, commit] of commits.entries()) {
    const hasLines = at < withLines;
    const isRead = hasLines || !isCounted(commit);
    const reports = isRead ? await source.reports(commit) : [];
    for (const { flag } of hasLines ? reports : []) if (flag !== undefined) flags.add(flag);
    if (at === 0 && reports.length > 0) tell(shownBeside(name, commit, countAll(reports)));
    if (hasLines && reports.length > 0) writer.add({ ...commit, totals: undefined }, reports);
    else if (isCounted(commit)) writer.add(commit, []);
    else if (reports.length > 0) writer.add({ ...commit, totals: countAll(reports) }, []);
    if (at > 0 && (at % STEP === 0 || (requests !== undefined && isRead)))
      tell(`Read ${at} of ${counted(commits.length, 'commit')} so far.`);
  }
  const by = shell.runtime.userAgent;
  writer.finish({
    ...{ from, address: source.address, repo: as, by, now: shell.runtime.now() },
    leftOut: countReasons(leftOut).map(({ why, some }) => ({ why, commits: some.length })),
    requests: requests?.count().sent,
    notes: source.notes(),
  });
  moveInto(unfinished, to);
  rmSync(partOf(to), { recursive: true, force: true });
  return [...flags].sort();
}

function isCounted({ totals, shown }: PastCommit): boolean {
  return totals !== undefined || shown !== undefined;
}

/** Newest first, each commit once. */
async function readList(source: PastSource, tell: (line: string) => void) {
  const commits = new Map<string, PastCommit>();
  const leftOut: LeftOutCommit[] = [];
  for await (const found of source.list()) {
    if ('why' in found) leftOut.push(found);
    else if (!commits.has(found.commit)) commits.set(found.commit, found);
    if (commits.size % STEP === 0 && commits.size > 0) tell(`${commits.size} commits found.`);
  }
  const sorted = [...commits.values()].sort((a, b) => b.at - a.at);
  const beyond = sorted.slice(MAX.builds).map(({ commit }) => ({ commit, why: `more than ${MAX.builds} are older` }));
  return { commits: sorted.slice(0, MAX.builds), leftOut: [...leftOut, ...beyond] satisfies LeftOut };
}

/** Rule 6: lines and branches of all reports together. */
function countAll(reports: readonly PastReport[]): PastTotals {
  const joined = new HitFiles();
  for (const { files } of reports) for (const file of files) joined.add(file.renamed(file.name));
  const sum = { coveredLines: 0, relevantLines: 0, coveredBranches: 0, branches: 0 };
  for (const file of joined.packed()) {
    const [lines, branches] = [file.countLines(), file.countBranches()];
    sum.coveredLines += lines.covered;
    sum.relevantLines += lines.all;
    sum.coveredBranches += branches.covered;
    sum.branches += branches.all;
  }
  return sum;
}

function moveInto(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

function alreadyThere(folder: string): string {
  return `${folder} has a complete history already. Remove it, or give another folder with --to.`;
}

function nothingThere(name: string, address: string): string {
  return `Nothing was found at ${name} of ${address}. Check --repo, --branch and --since.`;
}
