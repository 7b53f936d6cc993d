import type { JobFacts } from '../../core/builds/job.ts';
import { printable } from '../../core/printable.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { namesOfRemotes } from '../../core/repo/remote-names.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Services } from '../../services/services.ts';

export interface SeenUse {
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
const MAX_CLIENT = 100;
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
