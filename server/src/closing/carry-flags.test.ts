import { describe, expect, test } from 'vitest';
import { aDiff } from '../../../test/support/diffs.ts';
import { aClosedBuild } from '../../../test/support/records.ts';
import type { CarriedPick } from '../core/builds/build.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import type { ChangedCarried, ReportEngine } from '../reports/report-engine.ts';
import type { JobStore } from '../storage/store.ts';
import { askOrigins, diffCarried } from './carry-flags.ts';
import type { CarriedFlag } from './choose-carried.ts';

const pick = (flag: string, buildId = 60): CarriedPick => ({
  flag,
  buildId,
  number: String(buildId),
  commit: 'c'.repeat(40),
  closedAt: 0,
  closeCount: 1,
});
const carry = (flag: string, buildId?: number): CarriedFlag => ({
  pick: pick(flag, buildId),
  origin: aClosedBuild({}),
  reports: [Uint8Array.of(1)],
});
const changed = (name: string, stated: Partial<ChangedCarried> = {}): ChangedCarried => ({
  flag: 'ui',
  name,
  from: `old ${name}`,
  to: `new ${name}`,
  ...stated,
});

/** What the stored texts of a file differ in. */
const byTexts = (name: string) => aDiff(name, ['add', 'keep']);
const byProvider = (...names: readonly string[]): Diff => ({
  files: names.map((name) => aDiff(name, ['remove'])),
  complete: true,
});

interface Scene {
  readonly changed?: readonly ChangedCarried[];
  /** Digests of the texts that are not stored any more. */
  readonly lost?: readonly string[];
  readonly tooDifferent?: boolean;
  readonly provider?: (pick: CarriedPick) => Diff | undefined;
}

async function run(carried: readonly CarriedFlag[], scene: Scene = {}) {
  const calls: string[] = [];
  const engine: Pick<ReportEngine, 'findChangedCarried' | 'diffSources'> = {
    findChangedCarried: async ({ jobs, carried: flags }) => {
      calls.push(`find ${jobs.length} ${flags.map(({ flag }) => flag).join()}`);
      return scene.changed ?? [];
    },
    diffSources: async ({ name, from, to }) => {
      calls.push(`diff ${Buffer.from(from)} ${Buffer.from(to)}`);
      return scene.tooDifferent ? undefined : byTexts(name);
    },
  };
  const source = async (repoId: number, digest: string) =>
    repoId !== 3 || scene.lost?.includes(digest) ? undefined : { digest, bytes: Buffer.from(digest) };
  const found = await diffCarried({ source } as Pick<JobStore, 'source'>, {
    engine,
    repoId: 3,
    jobs: [{ flag: 'unit', report: Uint8Array.of(2) }],
    carried,
    assumesSame: false,
    knownDiffOf: (asked) => {
      calls.push(`ask ${asked.buildId}`);
      return scene.provider?.(asked);
    },
  });
  return { calls, found };
}

describe('rule 16: what changed in carried files', () => {
  test('nothing is asked where nothing is carried', async () => {
    expect(await run([])).toEqual({ calls: [], found: [] });
  });

  test('is found in the stored texts, which go before the provider', async () => {
    const { calls, found } = await run([carry('ui')], {
      changed: [changed('a.ts')],
      provider: () => byProvider('./a.ts', 'b.ts'),
    });
    expect(calls).toEqual(['find 1 ui', 'diff old a.ts new a.ts', 'ask 60']);
    expect(found).toEqual([
      {
        flag: 'ui',
        reports: [Uint8Array.of(1)],
        assumesSame: false,
        diff: { files: [byTexts('a.ts'), ...byProvider('b.ts').files], complete: true },
      },
    ]);
  });

  test.each<[string, Scene]>([
    ['one text is gone', { lost: ['old a.ts'] }],
    ['the other text is gone', { lost: ['new a.ts'] }],
    ['the texts differ too much', { tooDifferent: true }],
  ])('where %s: the provider’s is left', async (_, scene) => {
    const { found } = await run([carry('ui')], {
      changed: [changed('a.ts')],
      provider: () => byProvider('a.ts'),
      ...scene,
    });
    expect(found[0]?.diff).toEqual(byProvider('a.ts'));
    const without = await run([carry('ui')], { changed: [changed('a.ts')], ...scene });
    expect(without.found[0]?.diff).toBeUndefined();
  });

  test('texts alone tell of no other file', async () => {
    const { found } = await run([carry('ui')], { changed: [changed('a.ts')] });
    expect(found[0]?.diff).toEqual({ files: [byTexts('a.ts')], complete: false });
  });

  test('each flag has its own, and what two share is found once', async () => {
    const shared = [changed('a.ts'), changed('a.ts', { flag: 'api' }), changed('b.ts', { flag: 'api', from: 'x' })];
    const { calls, found } = await run([carry('api'), carry('ui')], { changed: shared });
    expect(calls).toEqual(['find 1 api,ui', 'diff old a.ts new a.ts', 'diff x new b.ts', 'ask 60', 'ask 60']);
    expect(found.map(({ flag, diff }) => [flag, diff?.files.map(({ name }) => name)])).toEqual([
      ['api', ['a.ts', 'b.ts']],
      ['ui', ['a.ts']],
    ]);
  });

  test('the provider is asked once per origin, and about no more than twenty', async () => {
    const asked: number[] = [];
    const origins = Array.from({ length: 21 }, (_, index) => index + 1);
    const flags = [...origins, 1].map((origin, index) => carry(`flag${index}`, origin));
    const { diffOf, unavailable } = await askOrigins(flags, async ({ pick: { buildId } }) => {
      asked.push(buildId);
      return { kind: 'answer', value: byProvider(`${buildId}.ts`) };
    });
    expect(asked).toEqual(origins.slice(0, 20));
    expect([1, 20, 21].map((origin) => diffOf(pick('ui', origin))?.files[0]?.name)).toEqual([
      '1.ts',
      '20.ts',
      undefined,
    ]);
    expect(unavailable).toBe(false);
  });

  test('what one origin is not answered for is told apart', async () => {
    const refusal = 'no';
    const found = await askOrigins([carry('ui'), carry('api', 61)], async ({ pick: { buildId } }) =>
      buildId === 60 ? { kind: 'unavailable', refusal } : { kind: 'answer', value: byProvider('a.ts') },
    );
    expect(found).toMatchObject({ unavailable: true, refusal });
    expect(found.diffOf(pick('ui'))).toBeUndefined();
  });
});
