import { beforeAll, expect, it } from 'vitest';
import { ARCHIVE_KINDS } from '../../server/src/storage/archive.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { askStore, fillStore, workThrough } from './copy-scene.ts';
import { ask, copy, copyFiles, digestsOf, isEqual } from './copying.ts';
import { askEverything } from './every-method.ts';
import { MINUTE, T0 } from './records.ts';

/** When everything in the scene is due. */
const LATER = T0 + 24 * 60 * MINUTE;

describeWithMongodb('a copy of a store', (server) => {
  const files = copyFiles();
  /** With a little of everything. */
  let filled = '';

  beforeAll(async () => {
    filled = files.next();
    const store = await openStore({ url: filled });
    await fillStore(store);
    await store.close();
  });

  it('is equal there and back, and answers the same', async () => {
    const [there, back] = [server.databaseUrl(), files.next()];
    const first = await copy({ from: filled, to: there });
    expect(first.map(({ kind }) => kind)).toEqual(ARCHIVE_KINDS);
    expect(first.filter(({ to, hasChanged }) => to.count < 2 || hasChanged)).toEqual([]);
    expect(first.filter((one) => !one.isEqual)).toEqual([]);
    expect(isEqual(first)).toBe(true);
    expect(digestsOf(await copy({ from: there, to: back }))).toEqual(digestsOf(first));

    const answers = await ask(filled, LATER, askStore);
    expect(await ask(there, LATER, askStore)).toEqual(answers);
    expect(await ask(back, LATER, askStore)).toEqual(answers);
    const work = await ask(filled, LATER, (store) => workThrough(store, LATER));
    expect(work).toMatchObject({ builds: expect.arrayContaining([1]) });
    expect(await ask(there, LATER, (store) => workThrough(store, LATER))).toEqual(work);
    expect(await ask(back, LATER, (store) => workThrough(store, LATER))).toEqual(work);
  }, 60_000);

  it('is equal for a store of which every method was called', async () => {
    const [file, there] = [files.next(), server.databaseUrl()];
    await askEverything(await openStore({ url: file }), async () => undefined);
    expect(isEqual(await copy({ from: file, to: there }))).toBe(true);
    expect(isEqual(await copy({ from: there, to: files.next() }))).toBe(true);
  });
});
