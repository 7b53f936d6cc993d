import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summarizeBuild } from '../server/src/core/builds/build-summary.ts';
import { previewVerdict } from '../server/src/core/builds/preview-verdict.ts';
import { numRuns } from './support/property-runs.ts';
import { anyHistory, anyRules, closePull, drawnRules, tell } from './support/rendered-output/generated-close.ts';
import { NAMES, overallClaims } from './support/rendered-output/overall-claims.ts';

test('statuses, page, tab, list, comment and JSON name one overall state and the same failing checks', () => {
  fc.assert(
    fc.property(anyHistory, anyRules, (history, rules) => {
      const claims = overallClaims(tell(history, rules));
      expect(claims.filter(({ said, known }) => said !== known)).toEqual([]);
    }),
    { numRuns: numRuns(300) },
  );
});

test('every state is met, by each kind of check, and so is what was accepted or informs alone', () => {
  const drawn = fc.sample(fc.tuple(anyHistory, anyRules), { numRuns: 300, seed: 7 });
  const all = drawn.map(([history, rules]) => tell(history, rules));
  const named = all.flatMap(overallClaims).filter(({ what, known }) => what === NAMES && known !== '');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ said, known }) => said !== known)).toEqual([]);
  const met = new Set(
    all.flatMap(({ json: { overall } }) => {
      if (overall === undefined) return [];
      const { state, failing, would_fail, accepted } = overall;
      return [state, ...failing, ...would_fail.map((id) => `would fail: ${id}`), ...(accepted ? ['accepted'] : [])];
    }),
  );
  const states = ['success', 'failure', 'incomplete', 'accepted'];
  const checks = ['total', 'changes', 'flag:unit', 'flag:api', 'elsewhere', ...GROUPS];
  const hints = ['flag:api', 'total', 'changes', 'group:first'].map((id) => `would fail: ${id}`);
  expect([...met]).toEqual(expect.arrayContaining([...states, ...checks, ...hints]));
});

const GROUPS = ['group:first', 'group:unit', 'group:of-api', 'group:acme-c'];

test('thresholds that are tried say what the next close says', () => {
  const seen = { passes: 0, fails: 0, ratchet: 0, differs: 0 };
  // Whether another part alone made a drop is known only at a close.
  const plain = anyHistory.map((history) => ({
    ...history,
    settings: {
      ...history.settings,
      ...{ ignoreRemovedCode: false, ignoreUntouchedFiles: false, ignoreUnstableLines: false },
    },
  }));
  fc.assert(
    fc.property(plain, anyRules, anyHistory, (history, rules, { settings: { minimum, allowedDrop, patchMinimum } }) => {
      const now = closePull(history, { ...rules, accepted: false }).build;
      const tried = { ...history, settings: { ...history.settings, minimum, allowedDrop, patchMinimum } };
      const then = closePull(tried, { ...rules, accepted: false }).build.result;
      const previewed = previewVerdict(summarizeBuild(now), drawnRules(tried, rules));
      const { state, rule, informational } = then?.totalVerdict ?? then?.verdict ?? {};
      expect({ ...previewed?.verdict }).toMatchObject({ state, rule });
      expect(previewed?.verdict.informational).toBe(informational);
      const ofLines = then?.patch?.verdict?.rule === 'patch-minimum' ? then.patch.verdict.state : undefined;
      expect(previewed?.patch).toBe(ofLines && (ofLines === 'success' ? 'passes' : 'fails'));
      seen[state === 'success' ? 'passes' : 'fails'] += 1;
      if (rule === 'ratchet') seen.ratchet += 1;
      if (state !== (now.result?.totalVerdict ?? now.result?.verdict)?.state) seen.differs += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(3);
});
