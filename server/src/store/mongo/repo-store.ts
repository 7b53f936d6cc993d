import { completeRepo, type Repo, type RepoSettings } from '../../domain/repo/repo.ts';
import type { NewRepo, RepoStore } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import type { Removals } from './removals.ts';
import { PRESENT, type RepoRows, readRepo } from './repo-rows.ts';
import { createRepoTokens, toEntry } from './repo-tokens.ts';
import { assign } from './server-time.ts';

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
    ...createLookUps(connection, rows.repos),
    async create({ token, ...fresh }) {
      const named = { service: fresh.service, nameKey: nameKey(fresh.name) };
      // Ids are not spent on names that are taken; the index decides between two that come together.
      if ((await run(() => repos.findOne(named, { projection: { _id: 1 } }))) !== null) return undefined;
      const [id, tokenId] = await run(() => Promise.all([nextId('repo'), nextId('repo-token')]));
      const repo = freshRepo(id, fresh);
      try {
        await run(() =>
          repos.insertOne({ _id: id, ...named, lastSequence: 0, tokens: [toEntry(tokenId, token)], record: repo }),
        );
        return repo;
      } catch (error) {
        if (isDuplicate(error) && (await run(() => repos.findOne(named, { projection: { _id: 1 } }))) !== null)
          return undefined;
        throw error;
      }
    },
    async update({ repoId, settings, at }) {
      const changed = await run(() =>
        repos.findOneAndUpdate({ _id: repoId, ...PRESENT }, changeOf(settings, at), {
          returnDocument: 'after',
          projection: { record: 1 },
        }),
      );
      return readRepo(changed);
    },
    follow: (change) => follow(connection, change),
    remove: (removal) => rows.removals.remove(removal),
  };
}

type LookUps = Pick<RepoStore, 'find' | 'findByName' | 'findByProviderId' | 'ofOwner'>;

function createLookUps({ collections: { repos }, run }: Connection, rows: RepoRows): LookUps {
  return {
    find: rows.find,
    async findByName(service, name) {
      return readRepo(
        await run(() => repos.findOne({ service, nameKey: nameKey(name) }, { projection: { record: 1 } })),
      );
    },
    async ofOwner(service, owner) {
      const key = nameKey(owner);
      // Of all that can follow an owner's name, '0' comes next after '/'.
      const named = { service, nameKey: { $gte: `${key}/`, $lt: `${key}0` } };
      const found = await run(() =>
        repos.find(named, { projection: { record: 1 }, sort: { service: 1, nameKey: 1 } }).toArray(),
      );
      return found.map(({ record }) => completeRepo(record));
    },
    findByProviderId: async (service, providerId) => {
      const named = { service, 'record.providerId': providerId, ...PRESENT };
      return readRepo(await run(() => repos.findOne(named, { projection: { record: 1 } })));
    },
  };
}

/** One write of what is given: settings, and other news of the provider, may change at the same time. */
async function follow(
  { collections: { repos }, run }: Connection,
  { repoId, name, providerId, suspended, seen, accessLost, at }: Following,
): ReturnType<RepoStore['follow']> {
  const fields = {
    'record.updatedAt': at,
    ...(name === undefined ? {} : { nameKey: nameKey(name), 'record.name': name }),
    ...(providerId === undefined ? {} : { 'record.providerId': providerId }),
    ...(suspended === undefined ? {} : { 'record.suspended': suspended ?? undefined }),
    ...(seen === undefined ? {} : { 'record.seen': seen }),
    ...(accessLost === undefined ? {} : { 'record.accessLost': accessLost ?? undefined }),
  };
  try {
    return readRepo(
      await run(() =>
        repos.findOneAndUpdate({ _id: repoId, ...PRESENT }, [assign(fields)], {
          returnDocument: 'after',
          projection: { record: 1 },
        }),
      ),
    );
  } catch (error) {
    if (isDuplicate(error)) return 'name-taken';
    throw error;
  }
}

type Following = Parameters<RepoStore['follow']>[0];

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
