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

/** previews.slow.test.ts tries 200. */
test('a preview says what the pull request’s build says afterward', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyPull, async (drawn) => expectSame(await previewThenUpload(stage, drawn))),
    { numRuns: 4, endOnFailure: true },
  );
});
