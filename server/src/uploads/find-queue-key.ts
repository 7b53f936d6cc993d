import { requireRepo } from '../access/uploaders/repo-of-token.ts';
import { type ResolvedToken, resolveToken } from '../access/uploaders/resolve-token.ts';
import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import { isIdToken } from '../access/uploaders/verify-id-token.ts';

/** What is known of an upload before all of it is checked. */
export interface EarlyClaim {
  /** The job's own token, where it was found. */
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  /** The job has none, so that the header's counts. */
  readonly hasNoToken: boolean;
  /** The token of the Authorization header. */
  readonly headerToken: string | undefined;
  /** The network that it came from. */
  readonly address: string;
}

/** A token that came, and the id of its repo, where that can be said before its host is asked. */
export interface FoundQueueKey {
  readonly resolved: ResolvedToken;
  readonly repoId: number | undefined;
}

/**
 * The key that an upload waits in line by, found cheaply; who uploads is found out once the upload is checked.
 * Undefined if only the whole upload can say which token counts. Throws a Failure for a token that nobody knows, or
 * that does not pass: no further byte is looked at.
 */
export async function findEarlyKey(
  services: UploaderServices,
  { token, repoName, hasNoToken, headerToken, address }: EarlyClaim,
): Promise<FoundQueueKey | undefined> {
  const decisive = token ?? (hasNoToken ? headerToken : undefined);
  if (decisive === undefined)
    return headerToken === undefined ? undefined : findLateKey(services, headerToken, address);
  const found = await resolve(services, decisive, address);
  if (found.resolved.kind === 'own') requireRepo(found.resolved.repo, { token: decisive, repoName }, services.hosts);
  return found;
}

/** By a text that may be a token, and may be none. An ID token is checked only where it is the one that counts. */
export async function findLateKey(
  services: UploaderServices,
  token: string,
  address: string,
): Promise<FoundQueueKey | undefined> {
  return isIdToken(services, token) ? undefined : resolve(services, token, address);
}

async function resolve(services: UploaderServices, token: string, address: string): Promise<FoundQueueKey> {
  const resolved = await resolveToken(services, { token, address, repoName: undefined });
  if (resolved.kind === 'host') return { resolved, repoId: services.vouchedTokens.find(token) };
  return { resolved, repoId: (resolved.kind === 'own' ? resolved.repo : resolved.opened.repo)?.id };
}
