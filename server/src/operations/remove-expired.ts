import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { type ExpiredBuild, type Expiry, expiredBuilds } from './expired-builds.ts';
import { removeUnnamedTexts, type TextsAsked, type TextsNamed } from './remove-unnamed-texts.ts';

/** For one repo. */
export interface RemovedBuilds {
  readonly repo: Repo;
  readonly builds: number;
  /** When the last of them was made; undefined: there is none. */
  readonly until: number | undefined;
  /** Source texts that no build names. */
  readonly texts: number;
}

export interface Removal extends Pick<TextsAsked, 'textLooks'> {
  /** Nothing is removed, and all are told. */
  readonly isTrial: boolean;
  /** Called with why the texts of a repo stay: the others have their turn. */
  readonly onKept: (repo: Repo, error: unknown) => void;
}

/** At most this many builds of one repo in a round: another repo's turn comes, and the rest goes in the next. */
const ROUND = 500;
const REPOS = 100;

/**
 * Removes every repo's builds that are beyond its retention and its texts that no build names, and tells of each repo
 * that had some, of builds and texts apart.
 */
export async function* removeExpired(
  services: Expiry & TextsNamed & Pick<Services, 'repos'>,
  { isTrial, textLooks, onKept }: Removal,
): AsyncGenerator<RemovedBuilds> {
  const { repos } = services;
  for (let after: Repo | undefined; ; ) {
    const some = await repos.list({ after, limit: REPOS });
    for (const repo of some) {
      const removed = await removeOf(services, repo, isTrial);
      if (removed !== undefined) yield removed;
      const texts = await removeUnnamedTexts(services, { repoId: repo.id, isTrial, textLooks }).catch(
        (error: unknown) => {
          onKept(repo, error);
          return 0;
        },
      );
      if (texts > 0) yield { repo, builds: 0, until: undefined, texts };
    }
    after = some.at(-1);
    if (after === undefined) return;
  }
}

async function removeOf(services: Expiry, repo: Repo, isTrial: boolean): Promise<RemovedBuilds | undefined> {
  const expired: ExpiredBuild[] = [];
  for await (const build of expiredBuilds(services, repo)) {
    expired.push(build);
    if (!isTrial && expired.length >= ROUND) break;
  }
  if (expired.length === 0) return undefined;
  if (!isTrial) for (const { id } of expired) await services.builds.remove(id);
  const until = expired.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
  return { repo, builds: expired.length, until, texts: 0 };
}
