import { createHash } from 'node:crypto';
import {
  FILE_PLACES,
  type FileProblem,
  MAX_FILE_BYTES,
  readCoverageFile,
  type ValidFile,
} from '@coverage/shared/coverage-file';
import { rulesPlace } from '../core/builds/base-branches.ts';
import type { Build } from '../core/builds/build.ts';
import type { BrokenFile, RulesFile } from '../core/builds/judged-rules.ts';
import type { CodeOwnersFile } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { type Answer, answerOf, refusalOf } from '../hosts/facts/ask-provider.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { Provider } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';
import type { FactStore } from '../storage/store.ts';
import { fileKey, keptText, ownersKey, type StoredText, sentFileKey } from './kept-rules.ts';
import { findSentPlace, readSentRules } from './sent-rules.ts';

/** What was read for a build, and what could not be. */
export interface FoundRules {
  /** Undefined: there is none, or none that is valid. */
  readonly file: (RulesFile & ValidFile) | undefined;
  readonly broken: BrokenFile | undefined;
  /** The provider did not answer, though it may later. */
  readonly unavailable: boolean;
  readonly refusal: string | undefined;
  /** The commit that it was read at; undefined: it is not known. */
  readonly commit: string | undefined;
}

type Reading = Pick<Services, 'builds' | 'askProvider' | 'hosts' | 'facts' | 'jobs' | 'clock'>;

interface Asked {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
}

interface AskedAt extends Omit<Asked, 'build'> {
  readonly commit: string;
}

interface OwnersAsked extends AskedAt {
  readonly file: CodeOwnersFile;
}

export type ReadFileAt =
  | { readonly kind: 'none' }
  | { readonly kind: 'valid'; readonly file: RulesFile & ValidFile; readonly text: string }
  | {
      readonly kind: 'broken';
      readonly broken: BrokenFile;
      readonly problems: readonly FileProblem[];
      readonly text: string;
    }
  | { readonly kind: 'unavailable'; readonly refusal: string | undefined };

/** Builds of a branch that are asked for the last valid file. */
const RECENT = 20;

/** For a file that a page shows. */
const MAX_LINES = 2_000;

const NOTHING: FoundRules = {
  file: undefined,
  broken: undefined,
  unavailable: false,
  refusal: undefined,
  commit: undefined,
};

/** The file that judges a build: that of its base, else the last valid one of that branch. */
export async function readRules(services: Reading, asked: Asked): Promise<FoundRules> {
  if (asked.repo.settings.configFile === 'off') return NOTHING;
  const place = canAsk(services, asked.repo)
    ? await findPlace(services, asked)
    : ({ kind: 'answer', value: await findSent(services, asked) } as const);
  if (place.kind === 'unavailable') return { ...NOTHING, unavailable: true, refusal: place.refusal };
  const commit = place.value;
  if (commit === undefined) return NOTHING;
  const found = await readFileAt(services, { ...asked, commit });
  switch (found.kind) {
    case 'none':
      return { ...NOTHING, commit };
    case 'unavailable':
      return { ...NOTHING, commit, unavailable: true, refusal: found.refusal };
    case 'valid':
      return { ...NOTHING, commit, file: found.file };
    case 'broken':
      return { ...NOTHING, commit, broken: found.broken, file: await findLastValid(services, asked) };
  }
}

/** What a repo's file is at a commit. */
export async function readFileAt(services: Reading, { repo, commit, deadline }: AskedAt): Promise<ReadFileAt> {
  if (!canAsk(services, repo)) return (await findKept(services, { repo, commit })) ?? { kind: 'none' };
  const answer = await services.askProvider({
    repo,
    deadline,
    key: fileKey(commit),
    ask: (provider) => readFirst(provider, { repo: repo.name, commit, places: FILE_PLACES, maxBytes: MAX_FILE_BYTES }),
  });
  if (answer.kind === 'unavailable') return { kind: 'unavailable', refusal: answer.refusal };
  return answer.value === undefined ? { kind: 'none' } : readStored(answer.value, commit);
}

/** What it is at the commit of a build; without a git host, as the build's own upload has it. */
export async function readProposed(
  services: Reading,
  { build, commit, ...asked }: Asked & { readonly commit: string },
): Promise<ReadFileAt> {
  if (canAsk(services, asked.repo)) return readFileAt(services, { ...asked, commit });
  const sent = await readSentRules(services, build);
  return sent === undefined ? { kind: 'unavailable', refusal: undefined } : readStored(sent, commit);
}

function canAsk({ hosts }: Pick<Reading, 'hosts'>, repo: Repo): boolean {
  return hosts.of(repo)?.provider !== undefined;
}

/** The commit at which it is looked for, if no git host can be asked. */
function findSent(services: Reading, { build, repo }: Asked): Promise<string | undefined> {
  return findSentPlace(services, { build, repo, recent: () => recentOn(services, repo, branchesOf(build, repo)) });
}

/** Whose file judges a build, or its own where it was pushed to one of them. */
function branchesOf(build: Build, repo: Repo): readonly string[] {
  const place = rulesPlace(build, repo);
  return 'branches' in place ? place.branches : [build.branch ?? ''];
}

/** The text of CODEOWNERS at a commit; no value: there is none. */
export async function readOwners(
  { askProvider }: Reading,
  { repo, commit, file, deadline }: OwnersAsked,
): Promise<Answer<string>> {
  const answer = await askProvider({
    repo,
    deadline,
    key: ownersKey(commit),
    ask: (provider) => readFirst(provider, { repo: repo.name, commit, ...file }),
  });
  const known = answerOf(answer);
  if (answer.kind === 'unavailable') return { kind: 'unavailable', refusal: refusalOf(answer) };
  return { kind: 'answer', value: known === undefined || 'none' in known ? undefined : decode(known.text) };
}

/** The commit at which the file that judges a build stands; no value: it is not known. */
async function findPlace(services: Reading, { build, repo, deadline }: Asked): Promise<Answer<string>> {
  const place = rulesPlace(build, repo);
  if ('commit' in place) return { kind: 'answer', value: place.commit };
  const [branch = 'main'] = place.branches;
  const commit = (await recentOn(services, repo, place.branches)).find((one) => one.commit !== undefined)?.commit;
  if (commit !== undefined || build.commit === undefined) return { kind: 'answer', value: commit };
  const range = { repo: repo.name, base: branch, head: build.commit };
  const answer = await services.askProvider({ repo, deadline, ask: (provider) => provider.findMergeBase(range) });
  return answer.kind === 'unavailable' ? answer : { kind: 'answer', value: answer.value?.commit };
}

/** Trusted builds of a branch, the newest first: of the first branch that has any. */
async function recentOn({ builds }: Reading, repo: Repo, branches: readonly string[]): Promise<readonly Build[]> {
  for (const branch of branches) {
    const closed = await builds.closed({ repoId: repo.id, scope: { branch }, before: undefined, limit: RECENT });
    const trusted = closed.filter(({ trust }) => trust !== 'run');
    if (trusted.length > 0) return trusted;
  }
  return [];
}

async function findLastValid(services: Reading, asked: Asked): Promise<(RulesFile & ValidFile) | undefined> {
  const { build, repo } = asked;
  const branch = build.facts?.pull?.baseBranch ?? build.baseBranch;
  const isOnto = build.pullRequest !== undefined && branch !== undefined && canAsk(services, repo);
  const recent = await recentOn(services, repo, isOnto ? [branch] : branchesOf(build, repo));
  for (const { id, result } of recent) {
    const commit = result?.rules?.file?.commit;
    if (id === build.id || commit === undefined) continue;
    const found = await readFileAt(services, { ...asked, commit });
    if (found.kind === 'valid') return found.file;
  }
  return undefined;
}

/** The first of some places that holds a file. One that is too large counts as such: its size is what is wrong. */
async function readFirst(
  provider: Provider,
  { repo, commit, places, maxBytes }: { repo: string; commit: string; places: readonly string[]; maxBytes: number },
): Promise<StoredText> {
  for (const path of places) {
    const found = await provider.readFile({ repo, commit, path, maxBytes });
    if (found?.kind === 'file') return keptText({ path, text: found.bytes });
    if (found?.kind === 'too-large') return keptText({ path, text: Buffer.alloc(maxBytes + 1, '#') });
  }
  return keptText(null);
}

function readStored(stored: StoredText, commit: string): ReadFileAt {
  if ('none' in stored) return { kind: 'none' };
  const { path, text } = stored;
  const bytes = Buffer.from(text, 'base64');
  const read = readCoverageFile(bytes);
  if ('problems' in read) {
    const [first] = read.problems;
    const { line = 1, column = 1, message = '' } = first ?? {};
    const broken = { path, commit, problems: read.problems.length, line, column, message };
    return { kind: 'broken', broken, problems: read.problems, text: decode(text) };
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'valid', file: { ...read, path, commit, digest }, text: decode(text) };
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

type KeptFacts = { readonly facts: Pick<FactStore, 'find'> };
type KeptAt = { readonly repo: Pick<Repo, 'id'>; readonly commit: string };

/** As the git host said once, else as an upload brought it; undefined if neither is kept. */
async function findKept({ facts }: KeptFacts, { repo, commit }: KeptAt): Promise<ReadFileAt | undefined> {
  for (const key of [fileKey(commit), sentFileKey(commit)]) {
    const stored = (await facts.find(repo.id, key)) as StoredText | undefined;
    if (stored !== undefined) return readStored(stored, commit);
  }
  return undefined;
}

/** A file as an earlier close read it: nobody is asked. Undefined if it is not kept. */
export async function readKeptRules(kept: KeptFacts, at: KeptAt): Promise<ReadFileAt | undefined> {
  const found = await findKept(kept, at);
  return found?.kind === 'none' ? undefined : found;
}

/** The same with its lines, as a page shows it. */
export async function readKeptFile(kept: KeptFacts, at: KeptAt) {
  const read = await readKeptRules(kept, at);
  if (read?.kind !== 'valid' && read?.kind !== 'broken') return undefined;
  const { path } = read.kind === 'valid' ? read.file : read.broken;
  const problems = read.kind === 'broken' ? read.problems : [];
  return { path, commit: at.commit, lines: textLines(read.text), problems };
}

/** As many lines of a file as a page shows. */
export function textLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/).slice(0, MAX_LINES);
}

/** CODEOWNERS as an earlier close read it; undefined: none, or it is not kept. */
export async function readKeptOwners({ facts }: KeptFacts, { repo, commit }: KeptAt): Promise<string | undefined> {
  const stored = (await facts.find(repo.id, ownersKey(commit))) as StoredText | undefined;
  return stored === undefined || 'none' in stored ? undefined : decode(stored.text);
}
