import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import type { AcceptJob, Store } from '../../server/src/storage/store.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import type { ReplicaSet } from '../support/mongod/replica-set.ts';
import { type RunningMongod, startMongod } from '../support/mongod/start-mongod.ts';
import { isWeekly } from '../support/weekly.ts';
import { accept, bytes, closing, comment, MINUTE, putRepo, SHA, say, status, upload } from './records.ts';
import { type Moment, stepDownDuring } from './step-down.ts';

const found = await findMongod({ ownProcesses: true });
const MOMENTS: readonly Moment[] = ['a command has come', 'a write is done'];
const APP = 'stepping-down';
const PULL = 5;
/** Past by the clocks of the members. */
const AGO = Date.now() - MINUTE;
/** More than any story has. */
const MOST_COMMANDS = 60;
/** Milliseconds for each test: every command of its story waits for an election. */
const LIMIT = 480_000;

interface Scene {
  readonly repoId: number;
  readonly build: Build;
  readonly sent: AcceptJob;
}

// Each command waits for an election, which depends on what else the machine does: `npm run test:weekly`. What a client
// sends again until it is answered is there once, and all of it.
describe.skipIf(found.kind === 'none' || !isWeekly)('on a replica set', () => {
  let mongod: RunningMongod | undefined;
  let stores: readonly Store[] = [];
  const set = (): ReplicaSet => mongod?.replicaSet as ReplicaSet;
  const store = (n: number): Store => stores[n] as Store;

  beforeAll(async () => {
    if (found.kind !== 'none') mongod = await startMongod({ replicaSet: 3, testCommands: true, found });
  }, LIMIT);
  afterAll(() => mongod?.stop());
  beforeEach(async () => {
    const url = `${mongod?.databaseUrl()}&appName=${APP}`;
    // As a process manager does it: after an outage the members may still be catching up.
    stores = await Promise.all([1, 2].map(() => untilAnswered(() => openMongoStore({ url }))));
  }, LIMIT);
  afterEach(() => Promise.all(stores.map((one) => one.close())));

  let repos = 0;
  /** A build with one job, and an upload for it or, `stated` so, for another. */
  async function openScene(stated: { readonly serviceNumber?: string } = {}): Promise<Scene> {
    repos += 1;
    const { id: repoId } = await putRepo(store(1), { name: `octo/parser-${repos}` });
    const joining = { serviceNumber: '71', parallel: true, pullRequest: PULL };
    const { build } = await accept(store(1), repoId, { ...joining, serviceJobId: '1' });
    const facts = { ...joining, serviceJobId: '2', ...stated };
    return { repoId, build, sent: upload(repoId, facts, { report: bytes('the report') }) };
  }

  /** By another server than the one that was interrupted. */
  async function expectAccepted({ repoId, sent }: Scene, builds: number, jobs: number): Promise<void> {
    const again = await store(1).jobs.accept(sent);
    expect(again?.repeated).toBe(true);
    expect(await store(1).builds.list({ repoId, branch: undefined, offset: 0, limit: 9 })).toMatchObject({
      total: builds,
    });
    const found = await store(1).jobs.ofBuild(again?.build.id ?? 0);
    expect(found.map(({ number }) => number)).toEqual(Array.from({ length: jobs }, (_, n) => n + 1));
    expect(await store(1).builds.find(again?.build.id ?? 0)).toMatchObject({ jobs });
    const [report] = await store(1).jobs.reports([again?.job.id ?? 0]);
    expect(Buffer.from(report ?? []).toString()).toBe('the report');
  }

  const accepting = async ({ sent }: Scene): Promise<void> => {
    await untilAnswered(() => store(0).jobs.accept(sent));
  };
  const closesBuild = async ({ build }: Scene): Promise<void> => {
    const messages = [say(status('success')), comment('Covered', PULL)];
    // As a worker does: it reads the build again, and one that is closed it leaves.
    await untilAnswered(async () => {
      const now = (await store(0).builds.find(build.id)) as Build;
      if (now.state === 'open') await store(0).builds.close(closing(now, { messages, at: AGO }));
    });
  };

  const openClosed = async (): Promise<Scene> => {
    const scene = await openScene();
    await store(1).builds.close(closing(scene.build, { target: SHA, messages: [say(status('success'))], at: AGO }));
    return scene;
  };
  const claimOf = async ({ repoId }: Scene, n: number) => {
    const claimed = await store(n).outbox.claim({ at: AGO, lease: MINUTE, limit: 200 });
    return claimed.filter((one) => one.repoId === repoId);
  };
  const deliver = async (scene: Scene, n: number): Promise<void> => {
    for (const { id, wanted } of await claimOf(scene, n))
      await untilAnswered(() => store(n).outbox.delivered({ id, ...wanted, commentId: undefined, at: AGO }));
  };

  const STORIES = [
    {
      what: 'the first job of a build',
      commands: 9,
      writes: 5,
      open: () => openScene({ serviceNumber: '72' }),
      act: accepting,
      check: (scene: Scene) => expectAccepted(scene, 2, 1),
    },
    {
      what: 'the next job of a build',
      commands: 3,
      writes: 2,
      open: () => openScene(),
      act: accepting,
      check: (scene: Scene) => expectAccepted(scene, 1, 2),
    },
    {
      what: 'a request to close',
      commands: 3,
      writes: 1,
      open: () => openScene(),
      act: async ({ repoId }: Scene) => {
        const request = { repoId, buildNumber: '71', carryforward: undefined, at: AGO };
        await untilAnswered(() => store(0).builds.requestClose(request));
      },
      check: async ({ build }: Scene) => {
        const claimed = await store(1).builds.claimDue({ at: AGO, lease: MINUTE, limit: 50 });
        expect(claimed.map(({ id }) => id)).toContain(build.id);
      },
    },
    {
      what: 'a close',
      commands: 7,
      writes: 4,
      open: () => openScene(),
      act: closesBuild,
      check: async ({ build, repoId }: Scene) => {
        expect(await store(1).builds.find(build.id)).toMatchObject({ state: 'closed', jobs: 1 });
        expect(Buffer.from((await store(1).builds.report(build.id)) ?? []).toString()).toBe(`merged ${build.id}`);
        // What the interrupted one left, the next worker announces.
        const claimed = await store(1).outbox.claim({ at: AGO, lease: MINUTE, limit: 50 });
        expect(claimed.filter((one) => one.repoId === repoId)).toHaveLength(2);
      },
    },
    {
      what: 'a re-run',
      commands: 2,
      writes: 1,
      open: openClosed,
      act: async ({ repoId }: Scene) => {
        await untilAnswered(() => store(0).builds.requestRerun({ repoId, buildNumber: '71', at: AGO }));
      },
      check: async ({ build }: Scene) => {
        const asked = await store(1).builds.find(build.id);
        expect(asked).toMatchObject({ state: 'open', due: [{ kind: 'close', at: AGO }], jobs: 1 });
        const claimed = await store(1).builds.claimDue({ at: AGO, lease: MINUTE, limit: 50 });
        expect(claimed.filter(({ id }) => id === build.id)).toEqual([asked]);
      },
    },
    {
      what: 'a delivery',
      commands: 4,
      writes: 2,
      open: openClosed,
      act: async (scene: Scene) => untilAnswered(() => deliver(scene, 0)),
      check: async (scene: Scene) => {
        // A claim whose answer was lost runs out.
        await store(1).outbox.voidLeases();
        await deliver(scene, 1);
        const delivered = await store(1).outbox.ofBuild((await store(1).builds.find(scene.build.id)) as Build);
        expect(delivered).toMatchObject([{ delivered: { version: 1 }, wanted: { version: 1 } }]);
        expect(await claimOf(scene, 1)).toEqual([]);
      },
    },
    {
      what: 'the removal of a repo',
      commands: 10,
      writes: 5,
      open: openClosed,
      act: async ({ repoId }: Scene) => {
        const removal = { repoId, description: 'repo was removed', at: AGO };
        await untilAnswered(() => store(0).repos.remove(removal));
      },
      check: async ({ repoId, build }: Scene) => {
        expect(await store(1).repos.find(repoId)).toBeUndefined();
        // What the interrupted one left, the next sweep removes.
        await store(1).transfers.clear();
        expect(await store(1).builds.find(build.id)).toBeUndefined();
        expect(await store(1).jobs.ofBuild(build.id)).toEqual([]);
        expect(await store(1).builds.list({ repoId, branch: undefined, offset: 0, limit: 9 })).toMatchObject({
          total: 0,
        });
      },
    },
  ] as const;

  it.each(STORIES.flatMap((story) => MOMENTS.map((moment) => ({ ...story, moment }))))(
    'a primary that steps down when $moment of $what loses nothing and doubles nothing',
    async ({ open, act, check, moment, commands, writes }) => {
      let interrupted = 0;
      for (let skip = 0; skip < MOST_COMMANDS; skip += 1) {
        const scene = await open();
        const isReached = await stepDownDuring(set(), { appName: APP, moment, skip }, () => act(scene));
        await check(scene);
        if (!isReached) break;
        interrupted += 1;
      }
      expect(interrupted).toBeGreaterThanOrEqual(moment === 'a write is done' ? writes : commands);
      expect(interrupted).toBeLessThan(MOST_COMMANDS);
    },
    LIMIT,
  );

  it.each(['the members come back', 'the primary comes back last'])(
    'a job that no majority had is stored once when it is sent again, and %s',
    async (how) => {
      const scene = await openScene();
      const others = await set().killOthers();
      await expect(store(0).jobs.accept(scene.sent)).rejects.toMatchObject({ code: 'unavailable' });
      if (how === 'the members come back') {
        await others.restart();
        await accepting(scene);
      } else {
        // What it alone wrote is rolled back when it returns.
        const primary = await others.killRest();
        await others.restart();
        await accepting(scene);
        await primary.restart();
      }
      await expectAccepted(scene, 1, 2);
    },
    LIMIT,
  );
});

/** As the action does: what is to be tried again is tried again. */
async function untilAnswered<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'unavailable' || attempt === 10) throw error;
    }
  }
}
