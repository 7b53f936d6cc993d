import type { Filter } from 'mongodb';
import { auditFollowed, auditName } from '../../core/repo/audit.ts';
import { completeRepo, followProvider, type RepoSettings } from '../../core/repo/repo.ts';
import { freshRepo, nameKey } from '../repo-steps.ts';
import type { RepoStore } from '../store.ts';
import type { AuditRows } from './audit-log.ts';
import { RECORD } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { RepoDocument } from './documents.ts';
import { isDuplicate } from './errors.ts';
import type { Removals } from './removals.ts';
import { PRESENT, type RepoRows, readRepo } from './repo-rows.ts';
import { createRepoTokens, toEntry } from './repo-tokens.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly removals: Removals;
  readonly audits: AuditRows;
}

/** Repos and their tokens, in MongoDB. */
export function createRepoStore(connection: Connection, rows: Rows, nextId: NextId): RepoStore {
  const { collections, run } = connection;
  const { repos, repo_token_uses: tokenUses } = tablesOf(connection);
  const { audits } = rows;
  return {
    ...createRepoTokens(connection, audits, nextId),
    ...createLookUps(connection, rows.repos),
    async create({ token, ...fresh }, audit) {
      const named = { service: fresh.service, nameKey: nameKey(fresh.name) };
      const isTaken = async (): Promise<boolean> => (await repos.one(named, { projection: { _id: 1 } })) !== undefined;
      // Ids are not spent on names that are taken; the index decides between two that come together.
      if (await isTaken()) return undefined;
      const [id, tokenId] = await run(() => Promise.all([nextId('repo'), nextId('repo-token')]));
      const repo = freshRepo(id, fresh);
      const tokens = [toEntry(tokenId, token)];
      return audits.write(audit && { ...audit, repo: { id, name: auditName(repo) } }, async () => {
        try {
          await run(() => collections.repos.insertOne({ _id: id, ...named, lastSequence: 0, tokens, record: repo }));
          return repo;
        } catch (error) {
          if (isDuplicate(error) && (await isTaken())) return undefined;
          throw error;
        }
      });
    },
    update: ({ repoId, settings, at }, audit) =>
      audits.write(audit, async () =>
        readRepo(await repos.change({ _id: repoId, ...PRESENT }, changeOf(settings, at), RECORD)),
      ),
    // One write of what is given: settings, and other news of the provider, may change at the same time.
    async follow({ repoId, whileNamed, ...change }) {
      const mayTell = change.name !== undefined || change.suspended !== undefined;
      const before = mayTell ? await rows.repos.find(repoId) : undefined;
      let isTaken = false;
      const followed = await audits.write(before && auditFollowed(before, followProvider(before, change)), async () => {
        const fields = [assign(followedFields(change))];
        const meant = { _id: repoId, ...PRESENT, ...(whileNamed !== undefined && { 'record.name': whileNamed }) };
        return repos.change(meant, fields, RECORD).then(readRepo, (error) => {
          isTaken = isDuplicate(error);
          if (!isTaken) throw error;
          return undefined;
        });
      });
      // Clients of the name before are no other repo's.
      if (before !== undefined && followed !== undefined && followed.name !== before.name)
        await tokenUses.remove({ repoId });
      return isTaken ? 'name-taken' : followed;
    },
    remove: (removal, audit) => audits.write(audit, () => rows.removals.remove(removal)),
  };
}

type LookUps = Pick<RepoStore, 'find' | 'findByName' | 'findByProviderId' | 'list' | 'ofOwner'>;

function createLookUps(connection: Connection, rows: RepoRows): LookUps {
  const { repos } = tablesOf(connection);
  return {
    find: rows.find,
    async list({ after, limit }) {
      const { service = '', name = '' } = after ?? {};
      const beyond = [{ service: { $gt: service } }, { service, nameKey: { $gt: nameKey(name) } }];
      // A repo that was removed has no name key any more.
      const named = { nameKey: { $exists: true }, $or: beyond } as Filter<RepoDocument>;
      const found = await repos.list(named, { ...RECORD, sort: { service: 1, nameKey: 1 }, limit });
      return found.map(({ record }) => completeRepo(record));
    },
    findByName: async (service, name) => readRepo(await repos.one({ service, nameKey: nameKey(name) }, RECORD)),
    async ofOwner(service, owner) {
      const key = nameKey(owner);
      // Of all that can follow an owner's name, '0' comes next after '/'.
      const named = { service, nameKey: { $gte: `${key}/`, $lt: `${key}0` } };
      const found = await repos.list(named, { ...RECORD, sort: { service: 1, nameKey: 1 } });
      return found.map(({ record }) => completeRepo(record));
    },
    findByProviderId: async (service, providerId) =>
      readRepo(await repos.one({ service, 'record.providerId': providerId, ...PRESENT }, RECORD)),
  };
}

function followedFields({
  name,
  providerId,
  suspended,
  seen,
  accessLost,
  at,
}: Omit<Following, 'repoId' | 'whileNamed'>) {
  return {
    'record.updatedAt': at,
    ...(name !== undefined && { nameKey: nameKey(name), 'record.name': name }),
    ...(providerId !== undefined && { 'record.providerId': providerId }),
    ...(suspended !== undefined && { 'record.suspended': suspended ?? undefined }),
    ...(seen !== undefined && { 'record.seen': seen }),
    ...(accessLost !== undefined && { 'record.accessLost': accessLost ?? undefined }),
  };
}

type Following = Parameters<RepoStore['follow']>[0];

/** The settings that are given, nothing else; one that is given as undefined goes. */
function changeOf(settings: Partial<RepoSettings>, at: number): object[] {
  const given = Object.entries(settings).map(([name, value]) => [`record.settings.${name}`, value]);
  return [assign({ 'record.updatedAt': at, ...Object.fromEntries(given) })];
}
