import { MongoClient, MongoNetworkError } from 'mongodb';
import { expect, it } from 'vitest';
import type { ArchiveWriter } from '../../server/src/storage/archive.ts';
import type { StoreCopy } from '../../server/src/storage/copy/copy-store.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { fillStore } from './copy-scene.ts';
import { ask, copy, copyFiles, isEqual, putStore } from './copying.ts';
import { openMongodbScene } from './mongodb-scene.ts';
import { accept, bytes, close, hex, MINUTE, putRepo, SHA, say, status, T0, upload } from './records.ts';

const files = copyFiles();
const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'Failure', message: expect.stringMatching(message) });

describeWithMongodb('a copy of a database of MongoDB', (server) => {
  const change = async (url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> => {
    const client = new MongoClient(url);
    await work(client);
    await client.close();
  };

  it('is refused when it is not there, and does not make it', async () => {
    const from = server.databaseUrl();
    await expect(copy({ from, to: files.next() })).rejects.toEqual(
      refusal(/of --from: no server has ever stored anything in it/),
    );
    await change(from, async (client) => expect(await client.db().collections()).toEqual([]));
  });

  it('is refused into one that holds something, and while a server works on it', async () => {
    const [from, to] = [await putStore(server.databaseUrl()), await putStore(server.databaseUrl())];
    await expect(copy({ from, to })).rejects.toEqual(
      refusal(/not empty: it holds repos \(1\), builds \(1\), jobs \(1\), parts of reports \(1\)/),
    );
    const store = await openStore({ url: from });
    await accept(store, 1, { serviceNumber: '72', parallel: false }, { at: 1 });
    const claimed = await store.builds.claimDue({ at: Date.now(), lease: MINUTE, limit: 1 });
    expect(claimed).toHaveLength(1);
    await expect(copy({ from, to: files.next() })).rejects.toEqual(
      refusal(/A server is using the database .*, at least until 20/),
    );
    await store.builds.release({ buildId: claimed[0]?.id ?? 0, retryAt: undefined });
    await store.close();
    expect(isEqual(await copy({ from, to: files.next() }))).toBe(true);
  });

  it('leaves the leases of a process that died behind', async () => {
    const from = await putStore(files.next());
    const at = Date.UTC(2100, 0, 1);
    await ask(from, at, async ({ builds }) =>
      expect(await builds.claimDue({ at, lease: MINUTE, limit: 9 })).toHaveLength(1),
    );
    const to = server.databaseUrl();
    await copy({ from, to });
    await ask(to, at, async ({ builds }) =>
      expect(await builds.claimDue({ at, lease: MINUTE, limit: 9 })).toHaveLength(1),
    );
  });

  it('finds out that the source was changed, or the target, and leaves the target locked', async () => {
    const from = await putStore(server.databaseUrl());
    const close = (client: MongoClient) =>
      client
        .db()
        .collection('jobs')
        .updateOne({}, { $set: { 'record.files': 99 } });
    const first = files.next();
    const changed = await copy({ from, to: first }, (plain) => whenFinishing(plain, () => change(from, close)));
    expect(changed.filter((one) => !one.isEqual)).toMatchObject([{ kind: 'job', hasChanged: true }]);
    await expect(openStore({ url: first })).rejects.toEqual(refusal(/is not finished/));

    const second = server.databaseUrl();
    const damage = (client: MongoClient) =>
      client
        .db()
        .collection('report_parts')
        .updateMany({}, { $set: { bytes: Buffer.from('x') } });
    const damaged = await copy({ from, to: second }, (plain) => whenFinishing(plain, () => change(second, damage)));
    expect(damaged.filter((one) => !one.isEqual)).toMatchObject([{ kind: 'job', hasChanged: false }]);
    await expect(openStore({ url: second })).rejects.toEqual(refusal(/is not finished/));
  });

  it('holds what counts of what processes left that were cut off, and nothing else', async () => {
    const from = server.databaseUrl();
    await leaveHalfDone(from);
    const [back, there] = [files.next(), server.databaseUrl()];
    expect(isEqual(await copy({ from, to: back }))).toBe(true);
    await copy({ from: back, to: there });
    for (const url of [back, there]) {
      await ask(url, T0, async (store) => {
        expect(await store.repos.findByName('github', 'octo/removed')).toBeUndefined();
        expect(await store.jobs.source(1, hex(1, 64))).toEqual({ digest: hex(1, 64), bytes: bytes('source') });
        expect(await store.jobs.source(1, hex(2, 64))).toBeUndefined();
        expect(await store.builds.list({ repoId: 1, branch: undefined, offset: 0, limit: 9 })).toMatchObject({
          total: 1,
        });
        const announced = [
          ...(await store.outbox.ofBuild({ repoId: 1, target: SHA, pullRequest: undefined })),
          ...(await store.outbox.ofBuild({ repoId: 2, target: SHA, pullRequest: undefined })),
        ];
        expect(announced.map(({ wanted, repoRemoved }) => [wanted.content, repoRemoved])).toMatchObject([
          [{ state: 'success' }, false],
          [{ state: 'error', description: 'repo was removed' }, true],
        ]);
      });
    }
    await change(there, async (client) => {
      const counts = ['repos', 'builds', 'jobs', 'report_parts', 'sources'].map((name) =>
        client.db().collection(name).countDocuments(),
      );
      expect(await Promise.all(counts)).toEqual([1, 1, 1, 2, 1]);
    });
  });

  it('is written as the store itself writes it, document by document', async () => {
    const [from, back, there] = [server.databaseUrl(), files.next(), server.databaseUrl()];
    await ask(from, T0, fillStore);
    await copy({ from, to: back });
    await copy({ from: back, to: there });
    const names = [
      'repos',
      'personal_tokens',
      'accounts',
      'audit',
      'members',
      'share_links',
      'builds',
      'sources',
      'facts',
    ];
    for (const name of [...names, 'host_apps', 'deliveries', 'counters']) {
      const [written, copied] = await Promise.all([from, there].map((url) => readDocuments(url, name)));
      expect(written?.length).toBeGreaterThan(1);
      expect(copied).toEqual(written);
    }
  });

  it('holds every collection that there is', async () => {
    const url = await putStore(server.databaseUrl());
    // It has no index, so it begins with its first document.
    await ask(url, T0, ({ hostApps }) => hostApps.put({ service: 'github', revision: 1, sealed: 's', at: T0 }));
    await change(url, async (client) => {
      const names = (await client.db().collections()).map(({ collectionName }) => collectionName).sort();
      // A new collection belongs into the archive of each adapter, then here; notes are about the database itself.
      expect(names).toEqual(
        [
          'accounts',
          'audit',
          'builds',
          'counters',
          'deliveries',
          'facts',
          'flip_ledgers',
          'history_imports',
          'history_parts',
          'host_apps',
          'jobs',
          'members',
          'merged_reports',
          'notes',
          'personal_tokens',
          'provider_sources',
          'refused_uploads',
          'repo_token_uses',
          'report_parts',
          'repos',
          'sessions',
          'share_links',
          'sources',
          'unverified_usage',
          'used_id_tokens',
        ].sort(),
      );
    });
  });
});

/** What changes from run to run: times, and names inside the database. */
const OF_NO_ACCOUNT = new Set(['openedAt', 'seenAt', 'version', 'stamp', 'slot', 'meetingSlot', 'report', 'document']);

async function readDocuments(url: string, name: string): Promise<readonly unknown[]> {
  const client = new MongoClient(url);
  const filter = { removal: { $exists: false }, ...(name === 'counters' ? { _id: { $ne: 'check' as never } } : {}) };
  const documents = await client
    .db()
    .collection(name)
    .find(filter, { sort: { _id: 1 } })
    .toArray();
  await client.close();
  // A claim has no meaning once its lease is over, and what a repo sent today begins at 0 in another store.
  const documentsWithoutClaims = documents.map(({ claim: _, sent: __, ...document }) => document);
  return documentsWithoutClaims.map((document) =>
    JSON.parse(JSON.stringify(document, (field, value: unknown) => (OF_NO_ACCOUNT.has(field) ? '' : value))),
  );
}

/** Something happens after everything was written, before it is compared. */
function whenFinishing(plain: StoreCopy, event: () => Promise<void>): StoreCopy {
  let events = 0;
  const read: ArchiveWriter['read'] = (kind, after) => {
    const entries = plain.to.read(kind, after);
    return (async function* () {
      events += 1;
      if (events === 1) await event();
      yield* entries;
    })();
  };
  return { ...plain, to: { ...plain.to, read } };
}

/**
 * An upload that was not accepted, a source and an announcement that were not brought to their end, a build without a
 * job, half a removal.
 */
async function leaveHalfDone(url: string): Promise<void> {
  const scene = await openMongodbScene(url);
  const { store } = scene;
  const cutOffAt = (isHere: (where: string, what: string) => boolean) =>
    scene.beforeEach((where, what) => {
      if (isHere(where, what)) throw new MongoNetworkError('cut off');
    });
  const repo = await putRepo(store);
  const removed = await putRepo(store, { name: 'octo/removed' });
  cutOffAt((where, what) => where === 'sources' && what === 'updateMany');
  const { build } = await accept(store, repo.id, {}, { sources: [{ digest: hex(1, 64), bytes: bytes('source') }] });
  let writes = 0;
  cutOffAt((where, what) => {
    writes += Number(where === 'builds' && what === 'updateOne');
    return writes === 2;
  });
  const lost = upload(repo.id, { serviceNumber: '72' }, { sources: [{ digest: hex(2, 64), bytes: bytes('lost') }] });
  await expect(store.jobs.accept(lost)).rejects.toMatchObject({ code: 'unavailable' });
  cutOffAt((where) => where === 'deliveries');
  await close(store, build, { target: SHA, messages: [say(status('success'))] });
  const other = await accept(store, removed.id);
  await close(store, other.build, { target: SHA, messages: [say(status('pending'))] });
  expect(await store.repos.remove({ repoId: removed.id, description: 'repo was removed', at: T0 })).toBe(true);
  scene.beforeEach(undefined);
  await store.close();
}
