import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { atHead, atMerge } from '../support/histories/places.ts';
import {
  HITS,
  LINES,
  MARKS,
  type MarkedStage,
  marksOf,
  marksOn,
  OLD,
  startMarkedStage,
  text,
} from '../support/marked-scene.ts';

let stage: MarkedStage;
beforeAll(async () => {
  stage = await startMarkedStage();
});
afterAll(() => stage.end());

describe('what is marked changes', () => {
  test('a second push has a check run of its own; that of the first stays', async () => {
    const scene = await stage.begin();
    const first = scene.pull();
    await scene.built('2', atHead(first), HITS);
    scene.git.commit('Add one more', { 'src/b.ts': text('b1', 'b2') });
    const second = scene.pull();
    await scene.built('3', atHead(second), { ...HITS, 'src/b.ts': [1, 0] });
    expect(marksOn(scene, second.head)).toEqual([[...MARKS, 'src/b.ts 2-2']]);
    expect(marksOn(scene, first.head)).toEqual([MARKS]);
  });

  test('a late job: other lines are another check run, the same ones none, and none left is said', async () => {
    const scene = await stage.begin();
    const pull = scene.pull();
    await scene.built('2', atHead(pull), HITS);
    await scene.upload('2', atHead(pull), { 'src/a.ts': [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    await scene.close('2');
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    await scene.built('2', atHead(pull), { 'src/a.ts': [0, 0, 1, 1, 0, 0, 0, 0, 0, 0] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS, ['src/a.ts 10-10']]);
    await scene.rerun('2');
    expect(marksOn(scene, pull.head)).toHaveLength(2);
    await scene.built('2', atHead(pull), { 'src/a.ts': [0, 0, 0, 0, 0, 0, 0, 0, 0, 3] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS, ['src/a.ts 10-10'], []]);
    expect(scene.checkRuns(pull.head).at(-1)).toMatchObject({
      name: 'coverage annotations',
      conclusion: 'success',
      title: 'Every relevant changed line is covered',
    });
  });

  test('more than fifty places: fifty are marked, the rest named, and changes of these are said in place', async () => {
    const scene = await stage.begin();
    const lines = Array.from({ length: 120 }, (_, index) => `l${index + 1}`);
    scene.git.commit('Add many', { 'src/many.ts': text(...lines) });
    const pull = scene.pull();
    const hits = lines.map((_, index) => index % 2);
    await scene.built('2', atHead(pull), { ...HITS, 'src/many.ts': hits });
    const [first, ...others] = scene.checkRuns(pull.head);
    expect(others).toEqual([]);
    expect(marksOf(first)).toEqual([
      ...Array.from({ length: 48 }, (_, index) => `src/many.ts ${2 * index + 1}-${2 * index + 1}`),
      ...MARKS,
    ]);
    expect(first?.summary).toMatch(/50 places are marked.*\[12 more places are on the build’s page\]/);
    await scene.built('2', atHead(pull), { 'src/many.ts': [...Array(118).fill(0), 1] });
    const [updated, ...more] = scene.checkRuns(pull.head);
    expect(more).toEqual([]);
    expect(updated).toMatchObject({ id: first?.id, annotations: first?.annotations });
    expect(updated?.title).toBe('62 changed lines are not covered by tests');
    expect(updated?.summary).toContain('[11 more places');
  });

  test('a switch: annotations come and go on open pull requests without another upload', async () => {
    const scene = await stage.begin({});
    const pull = scene.pull();
    await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toEqual([]);
    for (const [annotations, shown] of [
      [true, [MARKS]],
      [true, [MARKS]],
      [false, [MARKS, []]],
    ] as const) {
      await scene.set({ annotations });
      await scene.settled();
      expect(marksOn(scene, pull.head)).toEqual(shown);
    }
    expect(scene.checkRuns(pull.head).at(-1)).toMatchObject({
      conclusion: 'neutral',
      title: 'Annotations are switched off',
    });
    await scene.rerun('2');
    expect(scene.checkRuns(pull.head)).toHaveLength(2);
  });
});

async function revisitOf(build: string): Promise<number | undefined> {
  const stored = await stage.service.store.builds.find(Number(build));
  return findTask(stored?.due ?? [], 'revisit')?.at;
}

describe('while GitHub has trouble', () => {
  test('no line is marked before it says which; the status waits for nothing', async () => {
    const scene = await stage.begin();
    scene.git.switchTo('main');
    scene.git.commit('Meanwhile', { 'src/a.ts': text('k1', 'k2', ...OLD) });
    const pull = scene.pull();
    const mend = stage.github.faults.when(({ path }) =>
      path.includes(`/${scene.repo.name}/compare/${pull.head}...`) ? { kind: 'status', status: 502 } : undefined,
    );
    const build = await scene.built('2', atMerge(pull), { 'src/a.ts': [1, 1, ...LINES] });
    expect(scene.checkRuns(pull.head)).toEqual([]);
    expect(scene.stateOf(pull.head)).toBe('failure');
    expect((await stage.service.build(build)).verdict?.provisional).toBe(false);
    // It is asked again by itself after a minute.
    expect(await revisitOf(build)).toBeGreaterThan(Date.now());
    mend();
    await scene.rerun('2');
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    expect(await revisitOf(build)).toBeUndefined();
  });

  test('a refusal is told on the build’s page, and costs nothing else', async () => {
    const scene = await stage.begin();
    const pull = scene.pull();
    const refusal = { kind: 'status', status: 403, message: 'Resource not accessible by integration' } as const;
    stage.github.faults.next(1, refusal, ({ method, path }) => method === 'POST' && path.endsWith('/check-runs'));
    const build = await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toEqual([]);
    expect(scene.stateOf(pull.head)).toBe('failure');
    expect((await stage.service.build(build)).warnings).toEqual([
      expect.stringMatching(/^The check run "coverage annotations" could not be delivered: .*`checks: write`/),
    ]);
    await scene.rerun('2');
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    expect((await stage.service.build(build)).warnings).toEqual([]);
  });
});
