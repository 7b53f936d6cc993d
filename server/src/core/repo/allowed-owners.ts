import type { RepoService } from './repo.ts';
import { isRepoService, type RepoAddress } from './repo-name.ts';

/** An owner for which a verified provider token can create repos (rule 28). */
export interface AllowedOwner {
  /** Undefined: at any provider. */
  readonly service: RepoService | undefined;
  /** In lower case. */
  readonly owner: string;
}

/** One entry of ALLOWED_OWNERS, `acme` or `github/acme`; undefined when it is neither. */
export function readAllowedOwner(text: string): AllowedOwner | undefined {
  const [, service, owner = ''] = /^(?:([a-z]+)\/)?([a-z0-9._~-]{1,100})$/.exec(text.toLowerCase()) ?? [];
  if (owner === '' || (service !== undefined && !isRepoService(service))) return undefined;
  return { service, owner };
}

/** Whether a repo's owner is one of these; to providers, Acme and acme are the same. */
export function isAllowedOwner(allowed: readonly AllowedOwner[], { service, name }: RepoAddress): boolean {
  const owner = name.toLowerCase().split('/', 1)[0];
  return allowed.some((one) => one.owner === owner && (one.service ?? service) === service);
}
