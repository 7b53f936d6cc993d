import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import { anyPull, previewThenUpload } from '../../support/previews/generated-pull.ts';
import { expectSame } from '../../support/previews/same-as-build.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

test('200 previews say what the pull requests’ builds say afterwards', { timeout: 900_000 }, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyPull, async (drawn) => {
      const previewed = await previewThenUpload(stage, drawn);
      const { base, passes, flags } = previewed.preview;
      const carried = flags.some((flag) => flag.carried_from !== null) ? ['carried'] : [];
      for (const kind of [base?.rule ?? 'no base', passes ? 'passes' : 'fails', ...carried]) seen.add(kind);
      expectSame(previewed);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  const kinds = ['ancestor', 'carried', 'fails', 'merge-base', 'merge-parent', 'no base', 'passes'];
  expect([...seen].sort()).toEqual(kinds);
});
