import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pastBuild } from '../../server/src/core/builds/imported-build.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { createBuildRows } from '../../server/src/storage/sqlite/build-rows.ts';
import { connect } from '../../server/src/storage/sqlite/connection.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { accept, hex, putRepo, T0, TOTALS } from './records.ts';

const MANY = 6_000;

it('counts the builds of a repo with many of them, also after one was removed, accepted or imported', async () => {
  const directory = await makeDataFolder('coverage-counts-');
  const path = join(directory, 'coverage.db');
  try {
    const before = await openStore({ url: `sqlite:${path}` });
    const repo = await putRepo(before);
    const { build } = await accept(before, repo.id);
    await before.close();
    addCopies(path, build.id);

    const store = await openStore({ url: `sqlite:${path}` });
    const total = async (): Promise<number> =>
      (await store.views.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 1 })).total;
    expect(await total()).toBe(MANY);
    await store.builds.remove(build.id);
    expect(await total()).toBe(MANY - 1);
    await accept(store, repo.id, { commit: hex(1), serviceNumber: 'another' });
    expect(await total()).toBe(MANY);
    const past = { commit: hex(2), branch: 'main', at: T0, message: 'Change', author: 'Mona' };
    const imported = { from: 'codecov', at: T0, detail: 'counts', shown: 70 } as const;
    const older = pastBuild(past, imported, { jobs: [], composed: { totals: TOTALS, files: 0, flags: [] } });
    await store.transfers.addOlder(repo.id, [{ build: older, jobs: [], report: undefined }]);
    expect(await total()).toBe(MANY + 1);
    await store.close();
  } finally {
    await rm(directory, { recursive: true });
  }
});

/** So that the repo has MANY builds. */
function addCopies(path: string, id: number): void {
  const connection = connect({ path, busyTimeout: 1_000 });
  const rows = createBuildRows(connection);
  const build = connection.read(() => rows.find(id));
  if (build === undefined) throw new Error('the build to copy is gone');
  connection.write(() => {
    for (let n = 1; n < MANY; n += 1) rows.insert({ ...build, id: id + n, sequence: build.sequence + n });
    connection.prepare(`UPDATE counters SET value = ? WHERE name = 'build'`).run(id + MANY);
    connection.prepare('UPDATE repos SET last_sequence = ? WHERE id = ?').run(MANY, build.repoId);
  });
  void connection.close();
}
