import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, atMerge, onBranch } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import { numRuns } from '../../support/property-runs.ts';
import {
  createLineIds,
  FILES,
  firstLengths,
  firstTree,
  follow,
  hitNumbers,
  reportOf,
  steps,
  type Tree,
} from '../../support/rendered-output/generated-texts.ts';
import { openPullScene } from '../../support/rendered-output/pull-scene.ts';
import { expectToBeRead, OF_ONE } from '../../support/rendered-output/read-claims.ts';
import type { Claim } from '../../support/rendered-output/told.ts';
import { claimsIn } from '../../support/rendered-output/told-claims.ts';

/** Through real HTTP what test/same-numbers.test.ts tries with many more histories. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

type Fate = 'uploaded' | 'carried' | 'missing';
const limit = fc.option(fc.constantFrom(0, 33.33, 66.67, 100), { nil: null });
const fate = fc.constantFrom<Fate>('uploaded', 'uploaded', 'carried', 'missing');

const history = fc.record({
  lengths: firstLengths,
  others: fc.array(steps, { maxLength: 2 }),
  own: steps,
  hasBase: fc.constantFrom(true, true, true, false),
  at: fc.constantFrom(atHead, atMerge),
  flags: fc.constantFrom<readonly (string | undefined)[]>(['unit', 'api'], ['unit', 'api'], [undefined]),
  fates: fc.tuple(fate, fate),
  before: fc.tuple(hitNumbers, hitNumbers),
  after: fc.tuple(hitNumbers, hitNumbers),
  settings: fc.record({
    patch_status: fc.boolean(),
    patch_minimum: fc.oneof(limit, fc.constant('base')),
    informational: fc.boolean(),
  }),
});

/** So that every run has one whose page has lines to cover. */
const MISSING_LINES: typeof history extends fc.Arbitrary<infer T> ? T : never = {
  lengths: [3, 3, 3],
  others: [],
  own: [{ edits: ['add', 'add', 'keep'] }, 'nothing', 'nothing'],
  hasBase: true,
  at: atHead,
  flags: ['unit', 'api'],
  fates: ['uploaded', 'uploaded'],
  before: [Array(23).fill(1), Array(23).fill(1)],
  after: [Array(23).fill(0), Array(23).fill(1)],
  settings: { patch_status: true, patch_minimum: 100, informational: false },
};

const RUNS: Readonly<Record<string, readonly string[]>> = { unit: ['a.ts', 'b.ts'], api: ['b.ts', 'c.ts'], '': FILES };

function commit(git: CommitGraph, message: string, tree: Tree): string {
  const textOf = (name: string) => tree.get(name)?.map((line) => `line ${line}\n`);
  return git.commit(message, {
    [`${message}.txt`]: `${message}\n`,
    ...Object.fromEntries(FILES.map((name) => [name, textOf(name)?.join('')])),
  });
}

test('the git host and the page are told the numbers of the JSON, whatever happened before', async () => {
  const claims: Claim[] = [];
  await fc.assert(
    fc.asyncProperty(history, async ({ lengths, others, own, hasBase, at, flags, fates, before, after, settings }) => {
      const git = stage.newGit();
      const newLine = createLineIds();
      const first = firstTree(lengths, newLine);
      const root = commit(git, 'root', first);
      let tree = first;
      for (const [index, step] of others.entries()) {
        tree = follow(tree, step, newLine);
        commit(git, `other ${index}`, tree);
      }
      git.switchTo('topic');
      const head = follow(tree, own, newLine);
      commit(git, 'topic', head);
      git.switchTo('main');
      const scene = await openPullScene(stage, git, settings);
      const legs = (of: Tree, hits: readonly (readonly number[])[]) =>
        flags.map((flag, index) => {
          const ran = { files: RUNS[flag ?? ''] ?? [], hits: hits[index] ?? [], digests: 'of texts' } as const;
          return { flag, fate: flag === undefined ? 'uploaded' : fates[index], files: reportOf(of, ran).files };
        });
      if (hasBase) {
        for (const leg of legs(first, before)) await scene.upload({ number: '1', at: onBranch(root), ...leg });
        await scene.close('1');
      }
      const ran = legs(head, after);
      const uploaded = ran.filter((leg) => leg.fate === 'uploaded');
      const sent = uploaded.length === 0 ? ran.slice(0, 1) : uploaded;
      for (const leg of sent) await scene.upload({ number: '2', at: at(scene.pull), ...leg });
      const carried = ran.filter((leg) => leg.fate === 'carried' && !sent.includes(leg)).map(({ flag }) => flag);
      const build = await scene.close('2', carried.length === 0 ? undefined : carried.join(','));
      const said = claimsIn(await scene.told(build));
      claims.push(...said);
      expect(said.filter((one) => one.said !== one.known)).toEqual([]);
    }),
    // Each is a repo with two builds.
    { numRuns: Math.ceil(numRuns(300) / 15), examples: [[MISSING_LINES]] },
  );
  expectToBeRead(claims, OF_ONE);
});
