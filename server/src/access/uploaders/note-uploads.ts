import type { JobFacts } from '../../core/builds/job.ts';
import { keyOfRefusal, type RefusedUpload } from '../../core/builds/refused-upload.ts';
import { Failure, type FailureCode } from '../../core/failure.ts';
import { printable } from '../../core/printable.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { namesOfRemotes } from '../../core/repo/remote-names.ts';
import { REPO_SERVICES, type Repo } from '../../core/repo/repo.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { createWriteLimit } from '../../platform/limiter.ts';
import type { Services } from '../../services/services.ts';

interface UploadTrouble {
  /** Undefined: nobody knows whose it is, and nothing is noted. */
  readonly repoId: number | undefined;
  readonly error: unknown;
  /** As its User-Agent says; may be empty. */
  readonly client: string;
}

/** Notes why an upload was refused, for those who see its repo's page. Never fails. */
export type NoteRefusal = (trouble: UploadTrouble) => Promise<void>;

/** What the person who set the client up can fix; a server in trouble says so in its own log. */
const MENDED_BY_CLIENTS: ReadonlySet<FailureCode> = new Set([
  'payload-invalid',
  'payload-too-large',
  'repo-token-unknown',
  'over-limit',
  'forbidden',
  'conflict',
]);

const MAX_SENTENCE = 600;
const MAX_CLIENT = 100;
const MINUTE = 60_000;

/** Writes in a minute: a refusal must stay cheap, whatever is sent. */
const NOTED_A_MINUTE = { ofRepo: 10, ofAll: 100 };

export function createNoteRefusal({
  refusals,
  secretTexts,
  clock,
  logger,
}: Pick<Services, 'refusals' | 'secretTexts' | 'clock' | 'logger'>): NoteRefusal {
  const mayWrite = createWriteLimit(clock, {
    window: MINUTE,
    ofKey: NOTED_A_MINUTE.ofRepo,
    ofAll: NOTED_A_MINUTE.ofAll,
  });
  return async ({ repoId, error, client }) => {
    if (repoId === undefined || !(error instanceof Failure) || !MENDED_BY_CLIENTS.has(error.code)) return;
    if (!mayWrite(repoId)) return;
    const at = clock.now();
    const refused: Omit<RefusedUpload, 'key'> = {
      repoId,
      code: error.code,
      sentence: printable(secretTexts.hide(error.message), MAX_SENTENCE),
      field: error.field && printable(secretTexts.hide(error.field), MAX_CLIENT),
      client: printable(secretTexts.hide(client), MAX_CLIENT) || undefined,
      firstAt: at,
      lastAt: at,
      count: 1,
    };
    try {
      await refusals.note({ ...refused, key: keyOfRefusal(refused) });
    } catch (cause) {
      logger.warn({ err: cause, repo: repoId }, 'could not record a rejected upload');
    }
  };
}

interface SeenUse {
  readonly repo: Repo;
  readonly facts: Pick<JobFacts, 'serviceName' | 'remotes'>;
  /** `<owner>/<name>`, where the client says so. */
  readonly repoName: string | undefined;
  /** As its User-Agent says; may be empty. */
  readonly client: string;
}

/** Notes that a repo's own token was used. Never fails. */
export type NoteTokenUse = (seen: SeenUse) => Promise<void>;

/** Uploads do not pay for it: of one repo and name one use is written in this time, in ms. */
const WRITTEN_EVERY = 60_000;
/** Uses that are remembered; of more the oldest is forgotten. */
const MAX_REMEMBERED = 10_000;
const MAX_NAME = 200;

export function createNoteTokenUse({
  tokenUses,
  secretTexts,
  clock,
  logger,
}: Pick<Services, 'tokenUses' | 'secretTexts' | 'clock' | 'logger'>): NoteTokenUse {
  const written = new RecentMap<true>({ max: MAX_REMEMBERED, lasts: WRITTEN_EVERY, now: clock.now });
  return async ({ repo, facts, repoName, client }) => {
    const at = clock.now();
    const named = printable(secretTexts.hide(nameOf(repo, { repoName, remotes: facts.remotes })), MAX_NAME);
    const key = `${repo.id}/${named}`;
    if (written.get(key)) return;
    written.set(key, true);
    const text = [client, facts.serviceName].filter(Boolean).join(' · ');
    const use = { repoId: repo.id, named, client: printable(secretTexts.hide(text), MAX_CLIENT) || undefined, at };
    try {
      await tokenUses.note(use);
    } catch (error) {
      logger.warn({ err: error, repo: repo.id }, 'could not record the use of a repo token');
    }
  };
}

/** The repo that a client says it is of, in lower case. Repos of no git host may be called otherwise than their git. */
function nameOf(
  { name, service }: Repo,
  { repoName, remotes }: { readonly repoName: string | undefined; readonly remotes: string | undefined },
): string {
  if (repoName !== undefined) return repoName.toLowerCase();
  const names = service === 'manual' || remotes === undefined ? [] : namesOfRemotes(remotes);
  const own = name.toLowerCase();
  return names.includes(own) ? own : (names[0] ?? '');
}

/** Notes that an upload named a repo and brought no token of it, for those who maintain that repo. Never fails. */
export type RecordUnauthenticatedUpload = (upload: {
  /** As the upload says; undefined: it names none. */
  readonly repoName: string | undefined;
  readonly error: unknown;
}) => Promise<void>;

/** One repo's entries, and those of all, in a minute. */
const WRITES = { window: 60_000, ofKey: 2, ofAll: 20 };

/** For each repo one entry, which holds nothing that the sender wrote: the sender may want to mislead. */
export function createRecordUnauthenticatedUpload({
  refusals,
  repos,
  clock,
  logger,
}: Pick<Services, 'refusals' | 'repos' | 'clock' | 'logger'>): RecordUnauthenticatedUpload {
  const mayNote = createWriteLimit(clock, WRITES);
  return async ({ repoName, error }) => {
    if (repoName === undefined || !(error instanceof Failure) || error.code !== 'repo-token-unknown') return;
    const services = REPO_SERVICES.filter((service) => findNameProblem(service, repoName) === undefined);
    if (services.length === 0 || !mayNote(repoName.toLowerCase())) return;
    const at = clock.now();
    const refused = {
      key: 'unproven',
      code: error.code,
      sentence: 'An upload named this repo, but had no token for it.',
      field: undefined,
      client: undefined,
      firstAt: at,
      lastAt: at,
      count: 1,
      unproven: true,
    } as const;
    try {
      const found = await Promise.all(services.map((service) => repos.findByName(service, repoName)));
      for (const repo of found) if (repo !== undefined) await refusals.note({ ...refused, repoId: repo.id });
    } catch (cause) {
      logger.warn({ err: cause }, 'could not record a rejected upload');
    }
  };
}
