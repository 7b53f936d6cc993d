import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import { anyPull, previewThenUpload } from '../../support/previews/generated-pull.ts';
import { expectSame } from '../../support/previews/same-as-build.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

test('200 previews say what the pull requests’ builds say afterwards', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyPull, async (drawn) => expectSame(await previewThenUpload(stage, drawn))),
    { numRuns: 200, endOnFailure: true },
  );
});
