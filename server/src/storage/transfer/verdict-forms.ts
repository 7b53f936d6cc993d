import { z } from 'zod';
import { count, flag, form, is, list, percent, text, totals } from './plain-forms.ts';

export const judgedBase = form({ number: text, commit: text.optional(), totals });
const minimum = form({ kind: is('minimum'), passes: flag, minimum: percent });
const decrease = form({ kind: is('decrease'), passes: flag, base: judgedBase });
const finding = z.discriminatedUnion('kind', [
  minimum,
  decrease,
  form({ kind: is('drop'), passes: flag, allowed: percent, base: judgedBase }),
  form({ kind: is('build-minimum'), passes: is(true), base: judgedBase }),
  form({ kind: is('first-build'), passes: is(true) }),
  form({ kind: is('first-report'), passes: is(true) }),
]);
const remedy = form({ count, of: z.enum(['changed-lines', 'changed-code', 'lines', 'code']) });
const missingJobs = form({
  arrived: count,
  expected: count,
  waited: z.number(),
  run: z.enum(['failure', 'cancelled']).optional(),
});
const obstacle = z.discriminatedUnion('kind', [
  form({ kind: is('limit'), what: text, seen: count, limit: count }),
  form({ kind: is('memory'), needed: count, limit: count }),
  form({ kind: is('time'), limit: count }),
  form({ kind: is('damaged') }),
]);
const texts = { explanation: text, summary: text, brief: text.optional() };
const reason = z.discriminatedUnion('kind', [
  form({ kind: is('measured'), totals, findings: list(finding), base: judgedBase.optional() }),
  form({
    kind: is('patch'),
    totals,
    complete: flag,
    notMeasured: count.optional(),
    minimum: minimum.optional(),
    base: decrease.optional(),
    remedy: remedy.optional(),
  }),
  form({ kind: is('nothing-relevant') }),
  form({ kind: is('no-measured-change') }),
  form({ kind: is('none-came'), measuredChanges: count, baseNumber: text, baseCommit: text.optional() }),
  form({ kind: is('none-arrived'), relevantLines: count, baseNumber: text, baseCommit: text.optional() }),
  form({ kind: is('incomplete'), flags: list(text), more: count.optional(), jobs: missingJobs.optional() }),
  form({ kind: is('missing-flag'), due: flag, lastSeen: judgedBase }),
  form({ kind: is('carried'), origin: judgedBase }),
  form({ kind: is('cannot-merge'), obstacle }),
  form({ kind: is('text'), ...texts }),
]);

const RULES = [
  'no-decrease',
  'minimum',
  'allowed-drop',
  'first-build',
  'nothing-relevant',
  'no-coverage-arrived',
  'incomplete',
  'cannot-merge',
  'patch-minimum',
  'patch-change',
  'not-reported',
  'carried',
] as const;
const ruling = {
  state: z.enum(['success', 'failure', 'incomplete', 'error']),
  rule: z.enum(RULES),
  informational: is(true).optional(),
  accepted: is(true).optional(),
  provisional: flag.optional(),
};
const forgiven = form({ parts: list(z.enum(['removed', 'untouched'])), subject: z.enum(['build', 'flag']) });

/** Of a build, its changed lines, or a flag; of an earlier version it is in texts. */
export const verdict = z.union([
  form({ ...ruling, reason, forgiven: forgiven.optional() }),
  form({ ...ruling, ...texts }),
]);

const movement = form({ before: totals, after: totals, lostLines: count, gainedLines: count });
const vanished = form({ files: count, lines: count });
const before = form({
  commits: count.optional(),
  branch: text.optional(),
  totals,
  removed: totals,
  added: totals,
});
const split = form({
  base: totals,
  head: totals,
  before: before.optional(),
  changed: totals,
  removed: totals,
  outside: movement,
  untouched: movement,
  unexplained: movement,
  unexplainedFiles: count,
  vanished: vanished.optional(),
});
const part = z.enum(['changed', 'outside', 'untouched', 'removed', 'before', 'unexplained']);

/** Where a change comes from; of an earlier version it is in texts. */
export const cause = z.union([
  form({
    mainPart: part.optional(),
    split: split.optional(),
    changed: totals.optional(),
    remedy: remedy.optional(),
    missing: form({ flags: list(text), more: count, vanished: vanished.optional() }).optional(),
  }),
  form({
    sentence: text,
    clause: text.optional(),
    remedy: text.optional(),
    parts: list(form({ part, points: text })),
  }),
]);
