import type { Repo } from '../core/repo/repo.ts';
import type { NewRepo } from './store.ts';

/** The record of a new repo. */
export function freshRepo(id: number, { at, ...fresh }: Omit<NewRepo, 'token'>): Repo {
  return { id, providerId: undefined, ...fresh, suspended: undefined, createdAt: at, updatedAt: at };
}

/** Names are one repo's whatever their case, as at every provider. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}
