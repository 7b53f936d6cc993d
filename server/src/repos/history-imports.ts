import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { Failure } from '../core/failure.ts';
import { type Actor, actorOf, auditBy, auditName } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import { type FoundHistory, type HistoryEvent, type HistoryImport, MAX_EVENTS } from '../storage/history-imports.ts';

/** How far an import is. */
export type HistoryCounts = Pick<HistoryImport, 'added' | 'own' | 'again' | 'between'>;

/** Histories as files. */
export interface HistoryFiles {
  /** Reads all of an archive, and compares it with the repo. Throws a Failure that says what is wrong with it. */
  check(archive: string, repo: Pick<Repo, 'id'>): Promise<FoundHistory>;
  /** An archive in pieces that a store takes. */
  pieces(archive: string): AsyncIterable<string>;
  /** Adds it to a repo, newest build first; what is there already is left out. */
  bring(brought: {
    readonly repo: Repo;
    readonly pieces: AsyncIterable<string>;
    readonly by: Actor;
    /** When the import began. */
    readonly now: Timestamp;
  }): AsyncIterable<HistoryCounts>;
}

type Stored = 'accounts' | 'repos' | 'histories' | 'transfers' | 'builds' | 'audit' | 'views';

export interface HistoryServices extends Pick<Services, Stored | 'resolveAccess' | 'clock' | 'logger' | 'onDue'> {
  readonly historyFiles: HistoryFiles;
  /** Called when there is something to be done of a history. */
  readonly onHistoryDue: () => void;
}

export interface ShownHistoryImport {
  readonly repo: Repo;
  readonly newest: BuildSummary | undefined;
  /** Undefined: nothing was uploaded. */
  readonly current: HistoryImport | undefined;
  /** Whether the repo has imported builds, by whatever way they came. */
  readonly hasImported: boolean;
  /** Names of accounts that its log mentions. */
  readonly people: ReadonlyMap<number, string>;
}

/** What a person does with an uploaded history. */
export type HistoryAction = 'start' | 'pause' | 'discard' | 'remove';

/** What one look for work found. */
interface Looked {
  /** When a lease ends; undefined: nobody works. */
  readonly nextAt: Timestamp | undefined;
  readonly didWork: boolean;
}

/** After this long without a sign of the process that works on it, another takes it over, in ms. */
const LEASE = 60_000;
const REMOVED_AT_ONCE = 50;
const NONE: HistoryCounts = { added: 0, own: 0, again: 0, between: 0 };

export async function showHistoryImport(services: HistoryServices, request: RepoRequest): Promise<ShownHistoryImport> {
  const { histories, views } = services;
  const repo = await findAdministeredRepo(services, request);
  const { newest } = await findBranchHead(views, { repo, branch: undefined });
  const hasImported = (await lowestBuilds(services, repo.id, 1)).length > 0;
  const current = await histories.find(repo.id);
  return { repo, newest, current, hasImported, people: await namesIn(services, current?.log ?? []) };
}

/** Takes an upload and checks it; nothing of it is in the repo then. */
export async function takeHistory(
  services: HistoryServices,
  { archive, ...request }: RepoRequest & { readonly archive: string },
): Promise<void> {
  const { histories, historyFiles, clock } = services;
  const repo = await findAdministeredRepo(services, request);
  const before = await histories.find(repo.id);
  if (before !== undefined && isBusy(before)) throw new Failure('conflict', STILL_BUSY);
  const found = await historyFiles.check(archive, repo);
  if (found.repo.toLowerCase() !== auditName(repo).toLowerCase())
    throw new Failure('payload-invalid', ofAnother(found.repo, auditName(repo)));
  const by = actorOf(request.caller);
  const at = clock.now();
  const log = [{ what: 'uploaded', at, by: by.by, looked: 0 }] as const;
  const begun = { repoId: repo.id, state: 'checked', found, by, at, log, ...NONE, leaseUntil: 0, parts: 0 } as const;
  await histories.begin(begun, historyFiles.pieces(archive));
}

export async function changeHistoryImport(
  services: HistoryServices,
  { action, ...request }: RepoRequest & { readonly action: HistoryAction },
): Promise<void> {
  const { histories, clock, onHistoryDue } = services;
  const repo = await findAdministeredRepo(services, request);
  const current = await histories.find(repo.id);
  if (action === 'discard' && current !== undefined && !isBusy(current)) return histories.remove(repo.id);
  const state = NEXT[action];
  const at = clock.now();
  const by = actorOf(request.caller);
  const changed = await histories.change(repo.id, (was) => {
    if (!mayBecome(was, state)) return undefined;
    // The server that works on it gives the lease back; until then, no other begins.
    const next = { ...was, state, at, by, failure: undefined };
    if (state === 'removing') return { ...next, ...NONE };
    if (state === 'paused') return withEvent(next, { what: 'paused', at, by: by.by });
    return { ...withEvent(next, { what: 'started', at, by: by.by }), ...NONE, startedAt: was.startedAt ?? at };
  });
  if (changed === undefined) throw new Failure('conflict', NOTHING_TO_DO);
  onHistoryDue();
}

const NEXT: Readonly<Record<HistoryAction, 'running' | 'paused' | 'removing'>> = {
  ...{ start: 'running', pause: 'paused' },
  ...{ discard: 'removing', remove: 'removing' },
};

function withEvent(of: HistoryImport, event: Omit<HistoryEvent, 'looked'>): HistoryImport {
  return { ...of, log: [...(of.log ?? []), { ...event, looked: lookedAt(of) }].slice(-MAX_EVENTS) };
}

/** How many builds of it an import has come to. */
export function lookedAt({ added, own, again, between }: HistoryCounts): number {
  return added + own + again + between;
}

async function namesIn(
  { accounts }: HistoryServices,
  log: readonly HistoryEvent[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(log.flatMap(({ by }) => (by?.kind === 'account' ? [by.account] : [])));
  const found = await Promise.all([...ids].map((id) => accounts.find(id)));
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.id, one.name] as const])));
}

function isBusy({ state }: HistoryImport): boolean {
  return state === 'running' || state === 'removing';
}

/** One that failed may be tried again; whatever is there may be taken away. */
function mayBecome({ state, parts }: HistoryImport, next: 'running' | 'paused' | 'removing'): boolean {
  if (next === 'removing') return state !== 'removing' && state !== 'checked';
  if (next === 'paused') return state === 'running';
  return parts > 0 && ['checked', 'failed', 'paused'].includes(state);
}

/** Does what is to be done of one repo. */
export async function workOnHistory(services: HistoryServices): Promise<Looked> {
  const { histories, clock, logger } = services;
  const now = clock.now();
  const busy = (await histories.list()).filter(isBusy);
  const due = busy.find(({ leaseUntil }) => leaseUntil <= now);
  const nextAt = busy.reduce<number | undefined>(
    (soonest, { leaseUntil }) => Math.min(soonest ?? leaseUntil, leaseUntil),
    undefined,
  );
  if (due === undefined) return { nextAt, didWork: false };
  const mine = await histories.change(due.repoId, (was) =>
    isBusy(was) && was.leaseUntil === due.leaseUntil ? { ...was, leaseUntil: now + LEASE } : undefined,
  );
  if (mine === undefined) return { nextAt, didWork: true };
  try {
    await (mine.state === 'running' ? bring(services, mine) : takeAway(services, mine));
  } catch (error) {
    logger.warn({ repoId: mine.repoId, err: error }, 'a history could not be imported');
    if (!(error instanceof Failure)) throw error;
    await settle(services, mine, { state: 'failed', failure: error.message });
  }
  return { nextAt: undefined, didWork: true };
}

async function bring(services: HistoryServices, { repoId, by, startedAt, at }: HistoryImport): Promise<void> {
  const { histories, historyFiles, repos, onDue } = services;
  const repo = await repos.find(repoId);
  if (repo === undefined) return histories.remove(repoId);
  let counts = NONE;
  const asked = { repo, pieces: histories.parts(repoId), by, now: startedAt ?? at };
  for await (const far of historyFiles.bring(asked)) {
    counts = far;
    // Somebody paused it, or takes it away again.
    if (!(await keep(services, repoId, far))) return;
  }
  if (await settle(services, { repoId }, { state: 'done', ...counts })) await histories.dropParts(repoId);
  onDue();
}

/** Says how far it is; false: something else is to be done now, by any server. */
async function keep({ histories, clock }: HistoryServices, repoId: number, counts: HistoryCounts): Promise<boolean> {
  const kept = await histories.change(repoId, (was) => {
    if (was.state === 'running') return { ...was, ...counts, leaseUntil: clock.now() + LEASE };
    return was.state === 'paused' ? { ...was, ...counts, leaseUntil: 0 } : givenBack(was);
  });
  return kept?.state === 'running';
}

/** Removal waits for the builds that are being added: another server would not see those. */
function givenBack(was: HistoryImport): HistoryImport | undefined {
  return was.state === 'removing' ? { ...was, leaseUntil: 0 } : undefined;
}

async function settle(
  { histories, clock }: HistoryServices,
  { repoId }: Pick<HistoryImport, 'repoId'>,
  change: Partial<HistoryCounts> & { readonly state: 'done' | 'failed'; readonly failure?: string },
): Promise<boolean> {
  const at = clock.now();
  // Paused after its last build: it is done anyway.
  const ends = (was: HistoryImport) => was.state === 'running' || (was.state === 'paused' && change.state === 'done');
  const settled = await histories.change(repoId, (was) =>
    ends(was) ? withEvent({ ...was, ...change, at, leaseUntil: 0 }, { what: change.state, at }) : givenBack(was),
  );
  return settled?.state === change.state;
}

async function takeAway(services: HistoryServices, { repoId, by, found }: HistoryImport): Promise<void> {
  const { audit, builds, histories, repos, clock } = services;
  const repo = await repos.find(repoId);
  let removed = 0;
  for (;;) {
    const some = await lowestBuilds(services, repoId, REMOVED_AT_ONCE);
    if (some.length === 0) break;
    for (const { id } of some) await builds.remove(id);
    removed += some.length;
    const leaseUntil = clock.now() + LEASE;
    await histories.change(repoId, (was) => (was.state === 'removing' ? { ...was, leaseUntil } : undefined));
  }
  await histories.remove(repoId);
  if (repo === undefined) return;
  const after = { from: found.from, builds: removed };
  await audit.record(auditBy(by, { action: 'history.removed', at: clock.now(), repo, after }));
}

/** Imported builds are below all others. */
async function lowestBuilds({ transfers }: HistoryServices, repoId: number, limit: number) {
  const some = await transfers.buildsAfter({ repoId, sequence: Number.MIN_SAFE_INTEGER, limit });
  return some.filter(({ imported }) => imported !== undefined);
}

const STILL_BUSY = 'A history is being imported into this repo, or removed. Wait until that is done.';
const NOTHING_TO_DO = 'There is nothing to do: the page was out of date. Reload it.';

function ofAnother(theirs: string, ours: string): string {
  return `This is the history of ${theirs}, not of ${ours}. Write it with --as=${ours} if it belongs here.`;
}
