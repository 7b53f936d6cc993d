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

test('200 previews say what the pull requests’ builds say afterward', { timeout: 900_000 }, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyPull, async (drawn) => {
      const previewed = await previewThenUpload(stage, drawn);
      const { base, passes, flags, overall } = previewed.preview;
      const carried = flags.some((flag) => flag.carried_from !== null) ? ['carried'] : [];
      const hasGroup = (ids: readonly string[] = []): boolean => ids.some((id) => id.startsWith('group:'));
      const ofGroups = [
        ...(hasGroup(overall?.failing) ? ['group fails'] : []),
        ...(hasGroup(overall?.would_fail) ? ['group would fail'] : []),
      ];
      for (const kind of [base?.rule ?? 'no base', passes ? 'passes' : 'fails', ...carried, ...ofGroups])
        seen.add(kind);
      expectSame(previewed);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  const groups = ['group fails', 'group would fail'];
  const kinds = ['ancestor', 'carried', 'fails', ...groups, 'merge-base', 'merge-parent', 'no base', 'passes'];
  expect([...seen].sort()).toEqual(kinds);
});
