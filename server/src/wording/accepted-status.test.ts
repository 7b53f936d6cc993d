import { expect, test } from 'vitest';
import { announcing, statuses, TARGET } from '../../../test/support/plan-scene.ts';
import { aBuild, aFlag, aResult, totals } from '../../../test/support/records.ts';
import { acceptFailures, markAccepted } from '../core/builds/acceptance.ts';
import type { BuildResult } from '../core/builds/build.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { planClose } from './plan.ts';

const FAILED = { ...aResult().verdict, state: 'failure' } as const;
const ofFlag = (name: string, covered: number, verdict = aFlag('').verdict) =>
  aFlag(name, { totals: totals(covered, 100), verdict });
const failing = (flags: BuildResult['flags']): BuildResult =>
  aResult({
    verdict: FAILED,
    flags,
    patch: {
      totals: totals(1, 3),
      files: [],
      fileCount: 0,
      unmeasured: [],
      unmeasuredCount: 0,
      complete: true,
      verdict: FAILED,
    },
  });
const announced = (result: BuildResult): readonly string[] =>
  statuses(
    planClose(aBuild({ target: TARGET }), result, { ...announcing, repo: { ...announcing.repo, patchStatus: true } })
      .messages,
  );

test('each context that failed is a success that says who accepted it and why; what fails since is red', () => {
  const accepted = acceptFailures(failing([ofFlag('ui', 70, FAILED)]), { by: 'mona', at: 5, reason: 'as agreed 🚀' });
  const now = failing([ofFlag('UI', 80, FAILED), ofFlag('ui', 70, FAILED), ofFlag('web', 60, FAILED)]);
  expect(announced(markAccepted(now, accepted))).toEqual([
    'success coverage: 80.00%, accepted by mona: as agreed �',
    'success coverage/patch: 33.33%, accepted by mona: as agreed �',
    // Two flags share this context: the one that nobody accepted shows.
    expect.stringMatching(/^failure coverage \(UI\): /),
    expect.stringMatching(/^failure coverage \(web\): /),
  ]);
  const alone = failing([ofFlag('ui', 70, FAILED)]);
  expect(announced(markAccepted(alone, accepted)).at(-1)).toBe(
    'success coverage (ui): 70.00%, accepted by mona: as agreed �',
  );
});

test('a long reason is cut', () => {
  const reason = '\u202eno '.repeat(120);
  const result = failing([]);
  const [status = ''] = announced(markAccepted(result, acceptFailures(result, { by: 'm'.repeat(99), at: 5, reason })));
  expect([...status.slice('success coverage: '.length)].length).toBeLessThanOrEqual(USUAL_TERMS.maxDescription);
  expect(status).toMatch(/^success coverage: 80\.00%, accepted by m+…: \\u202eno .*…$/);
});
