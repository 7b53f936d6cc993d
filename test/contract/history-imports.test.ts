import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../server/src/core/failure.ts';
import type { Caller } from '../../server/src/core/repo/caller.ts';
import {
  changeHistoryImport,
  type HistoryCounts,
  type HistoryServices,
  workOnHistory,
} from '../../server/src/repos/history-imports.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { putRepo } from './records.ts';

/** Two servers over one store, which a person pauses and starts while one of them works. */

const CALLER: Caller = { kind: 'user', user: 'mona', role: 'administrator' };
const NOW = Date.UTC(2030, 0, 1);
const BUILD = { commit: 'a'.repeat(40), at: NOW, shown: 80, percent: 80 };
const counts = (added: number): HistoryCounts => ({ added, own: 0, again: 0, between: 0 });

let store: Store;
let names = 0;
let address: { readonly service: 'github'; readonly name: string };
let repoId: number;
beforeAll(async () => {
  store = await openStore({ url: 'sqlite::memory:' });
});
afterAll(() => store.close());
beforeEach(async () => {
  names += 1;
  address = { service: 'github', name: `acme/past-${names}` };
  repoId = (await putRepo(store, address)).id;
  const found = {
    ...{ from: 'codecov', address: 'https://codecov.example', repo: `github/${address.name}`, builds: 2 },
    ...{ withLines: 0, withCounts: 2, branches: ['main'], flags: [], newest: BUILD, oldest: BUILD },
  };
  const by = { by: { kind: 'admin' } };
  const begun = { repoId, state: 'checked', found, by, at: NOW, log: [], ...counts(0), leaseUntil: 0, parts: 0 };
  await store.histories.begin(begun as never, pieces());
});

async function* pieces(): AsyncGenerator<string> {
  yield 'bytes';
}

/** A server whose import comes to its builds one by one, as it is let. */
function server() {
  const gates: ((failure?: Error) => void)[] = [];
  let begun = 0;
  const services = {
    ...{ ...store, clock: { now: () => NOW }, resolveAccess: async (caller: Caller) => caller },
    ...{ onDue: () => {}, onHistoryDue: () => {}, logger: { warn: () => {} } },
    historyFiles: {
      async *bring() {
        begun += 1;
        for (const added of [1, 2]) {
          await new Promise<void>((resolve, reject) =>
            gates.push((failure) => (failure ? reject(failure) : resolve())),
          );
          yield counts(added);
        }
      },
    },
  } as unknown as HistoryServices;
  return {
    act: (action: 'start' | 'pause' | 'remove') => changeHistoryImport(services, { caller: CALLER, address, action }),
    work: () => workOnHistory(services),
    begun: () => begun,
    /** Lets it come to its next build, or fail there. */
    step: async (failure?: Error) => {
      while (gates.length === 0) await new Promise((resolve) => setImmediate(resolve));
      gates.shift()?.(failure);
    },
  };
}

test('paused and started again at another server, an import continues and is not begun twice', async () => {
  const [first, second] = [server(), server()];
  await first.act('start');
  const work = first.work();
  await first.step();
  await second.act('pause');
  await second.act('start');
  await second.work();
  expect(second.begun()).toBe(0);
  await first.step();
  await work;
  expect(await store.histories.find(repoId)).toMatchObject({ state: 'done', added: 2 });
});

test('paused, it gives its work back, and another server begins', async () => {
  const [first, second] = [server(), server()];
  await first.act('start');
  const work = first.work();
  await second.act('pause');
  await first.step();
  await work;
  expect(await store.histories.find(repoId)).toMatchObject({ state: 'paused', added: 1, leaseUntil: 0 });
  await second.act('start');
  const again = second.work();
  await second.step();
  await second.step();
  await again;
  expect(await store.histories.find(repoId)).toMatchObject({ state: 'done', added: 2 });
});

test.each([
  ['goes on', undefined],
  ['fails', new Failure('payload-invalid', 'The archive ends early.')],
])('another server removes only when the builds in progress are there, if the import %s', async (_, failure) => {
  const [first, second] = [server(), server()];
  await first.act('start');
  const work = first.work();
  await second.act('remove');
  await second.work();
  expect(await store.histories.find(repoId)).toMatchObject({ state: 'removing' });
  await first.step(failure);
  await work;
  await second.work();
  expect(await store.histories.find(repoId)).toBeUndefined();
});
