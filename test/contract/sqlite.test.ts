import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { describeReopening, describeStore } from './store-contract.ts';

let directory = '';
let files = 0;

beforeAll(async () => {
  directory = await makeDataFolder('coverage-store-');
});
afterAll(() => rm(directory, { recursive: true }));

async function openFile() {
  files += 1;
  const url = `sqlite:${join(directory, `${files}`, 'coverage.db')}`;
  const store = await openStore({ url });
  const reopen = async () => {
    await store.close();
    return openStore({ url });
  };
  return { store, reopen };
}

describeStore('SQLite in memory', async () => ({ store: await openStore({ url: 'sqlite::memory:' }) }));
describeStore('SQLite in a file', openFile);
describeReopening('SQLite, opened again', openFile);
