import type { Repo, Role } from './repo.ts';

/** Who sent a request, as far as it proves that. */
export type Caller =
  | { readonly kind: 'user'; readonly user: string; readonly role: Role }
  /** Holds the token of one repo: reads its numbers, never source or settings (rule 30). */
  | { readonly kind: 'repo'; readonly repoId: number }
  | { readonly kind: 'anonymous' };

/** The user in whose name ADMIN_TOKEN acts: no personal token can bear it, since user names hold no parentheses. */
export const ADMIN_USER = '(ADMIN_TOKEN)';

/** Whether the caller may read the repo's numbers and pages. */
export function mayRead(caller: Caller, repo: Pick<Repo, 'id' | 'owner' | 'settings'>): boolean {
  if (repo.settings.visibility === 'public') return true;
  if (caller.kind === 'repo') return caller.repoId === repo.id;
  return mayAdminister(caller, repo);
}

/** Whether the caller may see e-mail addresses of committers: that repo's own token, its owner and administrators. */
export function mayReadEmails(caller: Caller, repo: Pick<Repo, 'id' | 'owner'>): boolean {
  return caller.kind === 'repo' ? caller.repoId === repo.id : mayAdminister(caller, repo);
}

/** Whether the caller may see the repo's token and change its settings: its owner and administrators. */
export function mayAdminister(caller: Caller, repo: Pick<Repo, 'owner'>): boolean {
  return caller.kind === 'user' && (caller.role === 'administrator' || caller.user === repo.owner);
}
