import { join } from 'node:path';
import { findGitPlaces, type GitPlaces, isSha, readRef, readSmall } from '../git/git-places.ts';
import type { LocalCheckout } from './local-checkout.ts';

/** The branch that a change goes to, and the commit that it was at when it was fetched last. */
export interface TargetBranch {
  /** Undefined where only a commit was named. */
  readonly name: string | undefined;
  readonly sha: string;
}

const MAX_LINK_BYTES = 4 << 10;
/** Where nothing says which branch is the repo's main one. */
const USUAL = ['main', 'master'] as const;

/** What was named, else the branch that `origin` calls its main one, else the usual one that is there. */
export function findTarget({ root, bounds }: LocalCheckout, named: string | undefined): TargetBranch | undefined {
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
