import type { Repo, RepoSettings } from '../../domain/repo/repo.ts';
import type { NewRepo, RepoStore } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import type { Removals } from './removals.ts';
import { PRESENT, type RepoRows } from './repo-rows.ts';
import { createRepoTokens, toEntry } from './repo-tokens.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly removals: Removals;
}

/** Repos and their tokens, in MongoDB. */
export function createRepoStore(connection: Connection, rows: Rows, nextId: NextId): RepoStore {
  const { collections, run } = connection;
  const { repos } = collections;
  return {
    ...createRepoTokens(connection, nextId),
    async create({ token, ...fresh }) {
      const named = { service: fresh.service, nameKey: nameKey(fresh.name) };
      // Ids are not spent on names that are taken; the index decides between two that come together.
      if ((await run(() => repos.findOne(named, { projection: { _id: 1 } }))) !== null) return undefined;
      const [id, tokenId] = await run(() => Promise.all([nextId('repo'), nextId('repo-token')]));
      const repo = freshRepo(id, fresh);
      try {
        await run(() => repos.insertOne({ _id: id, ...named, lastSequence: 0, tokens: [toEntry(tokenId, token)], record: repo }));
        return repo;
      } catch (error) {
        if (isDuplicate(error) && (await run(() => repos.findOne(named, { projection: { _id: 1 } }))) !== null) return undefined;
        throw error;
      }
    },
    find: rows.repos.find,
    async findByName(service, name) {
      return (await run(() => repos.findOne({ service, nameKey: nameKey(name) }, { projection: { record: 1 } })))?.record;
    },
    async update({ repoId, settings, at }) {
      const changed = await run(() =>
        repos.findOneAndUpdate({ _id: repoId, ...PRESENT }, changeOf(settings, at), {
          returnDocument: 'after',
          projection: { record: 1 },
        }),
      );
      return changed?.record;
    },
    remove: (removal) => rows.removals.remove(removal),
  };
}

function freshRepo(id: number, { at, ...fresh }: Omit<NewRepo, 'token'>): Repo {
  return { id, providerId: undefined, ...fresh, suspended: undefined, createdAt: at, updatedAt: at };
}

/** Names are one repo's whatever their case, as at every provider. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

/** The settings that are given, nothing else; one that is given as undefined goes. */
function changeOf(settings: Partial<RepoSettings>, at: number) {
  const set: Record<string, unknown> = { 'record.updatedAt': at };
  const unset: Record<string, ''> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) unset[`record.settings.${name}`] = '';
    else set[`record.settings.${name}`] = value;
  }
  return Object.keys(unset).length === 0 ? { $set: set } : { $set: set, $unset: unset };
}
