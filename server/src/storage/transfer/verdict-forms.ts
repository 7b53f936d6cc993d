import { z } from 'zod';
import { type ComparedValues, FINDINGS, type FindingKind, type JudgedBase } from '../../core/verdict/findings.ts';
import { FLAG_RULES, type Reason } from '../../core/verdict/reason.ts';
import { count, type FormsOf, flag, form, is, list, percent, text, totals } from './plain-forms.ts';

export const judgedBase = form({ number: text, commit: text.optional(), totals }) satisfies z.ZodType<JudgedBase>;
const COMPARED = { percent, base: judgedBase } satisfies FormsOf<ComparedValues>;
const findingOf = (kind: FindingKind) => {
  const { of, ...shape } = FINDINGS[kind];
  const compared = Object.entries<keyof ComparedValues>(of).map(([name, value]) => [name, COMPARED[value]]);
  return form({ kind: is(kind), passes: 'holds' in shape ? is(true) : flag, ...Object.fromEntries(compared) });
};
const finding = oneOf((Object.keys(FINDINGS) as FindingKind[]).map(findingOf));

/** By its kind. */
function oneOf<Form extends z.ZodObject>(forms: readonly Form[]) {
  return z.discriminatedUnion('kind', forms as unknown as readonly [Form, ...Form[]]);
}

const remedy = form({ count, of: z.enum(['changed-lines', 'changed-code', 'lines', 'code']) });
const missingJobs = form({
  arrived: count,
  expected: count,
  waited: z.number(),
  run: z.enum(['failure', 'cancelled']).optional(),
  stated: form({ flag: text.optional() }).optional(),
});
const obstacle = z.discriminatedUnion('kind', [
  form({ kind: is('limit'), what: text, seen: count, limit: count }),
  form({ kind: is('memory'), needed: count, limit: count }),
  form({ kind: is('time'), limit: count }),
  form({ kind: is('damaged') }),
]);
const texts = { explanation: text, summary: text, brief: text.optional() };
type ReasonForms = {
  readonly [Kind in Reason['kind']]: FormsOf<Omit<Extract<Reason, { readonly kind: Kind }>, 'kind'>>;
};
const REASONS: ReasonForms = {
  measured: { totals, findings: list(finding), base: judgedBase.optional(), steady: totals.optional() },
  patch: {
    totals,
    complete: flag,
    notMeasured: count.optional(),
    minimum: findingOf('minimum').optional(),
    base: z.union([findingOf('decrease'), findingOf('drop')]).optional(),
    remedy: remedy.optional(),
  },
  'nothing-relevant': {},
  'no-measured-change': {},
  'none-came': { measuredChanges: count, baseNumber: text, baseCommit: text.optional() },
  'none-arrived': { relevantLines: count, baseNumber: text, baseCommit: text.optional() },
  incomplete: { flags: list(text), more: count.optional(), jobs: missingJobs.optional() },
  'missing-flag': { due: flag, lastSeen: judgedBase },
  carried: { origin: judgedBase },
  untouched: { totals, base: judgedBase.optional() },
  group: { group: text, of: z.lazy((): z.ZodType => reason), more: count },
  'invalid-file': { path: text, problems: count, line: count, column: count.optional(), message: text },
  elsewhere: { lines: count },
  'cannot-merge': { obstacle },
  text: texts,
};
const reason = oneOf(Object.entries(REASONS).map(([kind, fields]) => form({ kind: is(kind), ...fields })));

const ruling = {
  state: z.enum(['success', 'failure', 'incomplete', 'error']),
  rule: z.enum(FLAG_RULES),
  informational: is(true).optional(),
  accepted: is(true).optional(),
  provisional: flag.optional(),
};
const forgiven = form({
  parts: list(z.enum(['removed', 'untouched', 'unstable'])),
  subject: z.enum(['build', 'flag']),
});

/** For a build, its changed lines, or a flag; of an earlier version it is in texts. */
export const verdict = z.union([
  form({ ...ruling, reason, forgiven: forgiven.optional() }),
  form({ ...ruling, ...texts }),
]);

const movement = form({ before: totals, after: totals, lostLines: count, gainedLines: count });
const flipped = form({
  before: totals,
  after: totals,
  lostLines: count,
  gainedLines: count,
  blocks: count,
  missed: count,
  usual: form({ least: count, most: count }),
  isUsual: flag,
  recorded: count,
});
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
  unstable: flipped.optional(),
  unexplainedFiles: count,
  vanished: vanished.optional(),
});
const part = z.enum(['changed', 'outside', 'untouched', 'unstable', 'removed', 'before', 'unexplained']);

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
