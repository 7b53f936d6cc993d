import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import type { ArchiveWriter } from '../../server/src/storage/archive.ts';
import type { KindComparison } from '../../server/src/storage/copy/copy-store.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { fillStore, goOn } from './copy-scene.ts';
import { ask, copy, copyFiles, digestsOf } from './copying.ts';
import { MINUTE, T0 } from './records.ts';

/** When everything in the scene is due. */
const LATER = T0 + 24 * 60 * MINUTE;

describeWithMongodb('a copy of a store that is used or cut off', (server) => {
  const files = copyFiles();
  /** With a little of everything. */
  let filled = '';

  beforeAll(async () => {
    filled = files.next();
    const store = await openStore({ url: filled });
    await fillStore(store);
    await store.close();
  });

  it('continues as the store would that it was made of', async () => {
    const [same, there, other] = [files.next(), server.databaseUrl(), server.databaseUrl()];
    await copy({ from: filled, to: same });
    await copy({ from: filled, to: there });
    await copy({ from: there, to: other });
    const outcome = await ask(same, LATER, (store) => goOn(store, 1));
    const { value } = await lastBuild(filled);
    expect(outcome).toMatchObject({
      joined: [1, 3],
      repeated: [true, true],
      opened: [1, value + 1, expect.any(Number)],
    });
    expect(await ask(there, LATER, (store) => goOn(store, 1))).toEqual(outcome);
    expect(await ask(other, LATER, (store) => goOn(store, 1))).toEqual(outcome);
  }, 60_000);

  it.each([
    ['before a write', 'before'],
    ['after a write', 'after'],
    ['between a write and the note of it', 'between'],
  ] as const)(
    'ends the same when it is cut off %s, again and again',
    async (_, when) => {
      const whole = digestsOf(await copy({ from: filled, to: files.next() }));
      for (const to of [server.databaseUrl(), files.next()]) {
        let outcome: readonly KindComparison[] | undefined;
        for (let runs = 0; outcome === undefined; runs += 1) {
          expect(runs).toBeLessThan(100);
          outcome = await cutOff(when, { from: filled, to });
          if (outcome === undefined)
            await expect(openStore({ url: to })).rejects.toThrow(/run npm run copy-store again/);
          else expect(runs).toBeGreaterThan(10);
        }
        expect(digestsOf(outcome)).toEqual(whole);
        await (await openStore({ url: to })).close();
      }
    },
    60_000,
  );
});

async function lastBuild(url: string): Promise<{ readonly value: number }> {
  const db = new DatabaseSync(url.slice('sqlite:'.length));
  const row = db.prepare("SELECT value FROM counters WHERE name = 'build'").get();
  db.close();
  return { value: Number(row?.value) };
}

type CutOff = 'before' | 'after' | 'between';

const CUT = new Error('cut off');

/** A run that writes one batch and is cut off at the second; undefined: it was. */
async function cutOff(when: CutOff, urls: { readonly from: string; readonly to: string }) {
  try {
    return await copy(urls, (plain) => ({ ...plain, to: failing(plain.to, when) }));
  } catch (error) {
    if (error !== CUT) throw error;
    return undefined;
  }
}

function failing(writer: ArchiveWriter, when: CutOff): ArchiveWriter {
  let batches = 0;
  return {
    ...writer,
    async write(batch) {
      batches += 1;
      if (batches === 1) return writer.write(batch);
      if (when === 'after') await writer.write(batch);
      const before = (await writer.findNote())?.progress[batch.kind];
      if (when === 'between' && before !== undefined) await writer.write({ ...batch, progress: before });
      throw CUT;
    },
  };
}
