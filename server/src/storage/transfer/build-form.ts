import { z } from 'zod';
import { BASE_RULES } from '../../core/builds/base-build.ts';
import type { Build, BuildResult, FileChange, FlagResult, OpenedContext } from '../../core/builds/build.ts';
import type { Acceptance, BuildFacts, PatchResult } from '../../core/builds/build-facts.ts';
import type { ComposedOwner } from '../../core/builds/compose-groups.ts';
import type { GroupResult } from '../../core/builds/group-result.ts';
import type { Imported } from '../../core/builds/imported.ts';
import type { BrokenFile, JudgedRules, RulesProposal, RuleValue } from '../../core/builds/judged-rules.ts';
import { CHECK_KINDS, type CheckList, type Overall } from '../../core/verdict/checks.ts';
import {
  authors,
  count,
  type FormsOf,
  flag,
  form,
  historySource,
  id,
  is,
  link,
  list,
  percent,
  range,
  sentDiff,
  sentRules,
  sequence,
  text,
  time,
  totals,
  trust,
  vouchedRun,
} from './plain-forms.ts';
import { cause, judgedBase, verdict } from './verdict-forms.ts';

const base = form({
  buildId: id,
  number: text,
  commit: text.optional(),
  branch: text.optional(),
  tag: text.optional(),
  rule: z.enum(BASE_RULES),
  commitsAway: count.optional(),
  foundAs: text.optional(),
  closeCount: count,
});
const carried = form({
  flag: text,
  buildId: id,
  number: text,
  commit: text.optional(),
  textCommit: text.optional(),
  closedAt: time,
  closeCount: count,
});
const flagResult = form({
  name: text,
  kind: z.enum(['uploaded', 'carried', 'missing']),
  totals: totals.optional(),
  baseTotals: totals.optional(),
  changes: totals.optional(),
  carried: carried.optional(),
  looksPastBase: is(true).optional(),
  lastSeen: judgedBase.optional(),
  verdict,
  cause: cause.optional(),
} satisfies FormsOf<FlagResult>);
const fileChange = form({
  name: text,
  kind: z.enum(['changed', 'added', 'removed', 'newly-measured', 'no-longer-measured', 'elsewhere']),
  totals: totals.optional(),
  baseTotals: totals.optional(),
  uncovered: list(range),
  uncoveredRanges: count,
  newlyMissed: list(range).optional(),
  newlyMissedRanges: count.optional(),
  newlyPartly: list(count).optional(),
  newlyPartlyLines: count.optional(),
} satisfies FormsOf<FileChange>);
const patchFile = form({
  name: text,
  totals,
  uncovered: list(range),
  uncoveredRanges: count,
  partlyCovered: list(count).optional(),
  partlyCoveredLines: count.optional(),
});
const patch = form({
  totals,
  files: list(patchFile),
  fileCount: count,
  unmeasured: list(text),
  unmeasuredCount: count,
  notMeasured: form({ files: count, lines: count }).optional(),
  complete: flag,
  source: z.enum(['provider', 'upload']).optional(),
  verdict: verdict.optional(),
} satisfies FormsOf<PatchResult>);
const warning = z.union([
  text,
  form({ kind: is('flags-not-found'), flags: list(text), more: count }),
  form({ kind: is('carried-files-changed'), files: count, leftOut: is(true).optional() }),
  form({ kind: is('texts-differ'), files: count }),
  form({ kind: is('base-counted-anew'), stored: totals, counted: totals }),
  form({ kind: is('base-without-lines'), from: historySource }),
  form({ kind: is('nothing-relevant') }),
  form({
    kind: is('comparison-unmet'),
    field: z.enum(['compare_sha', 'compare_ref']),
    value: text,
    why: z.enum(['unknown', 'ambiguous', 'no-base', 'unverified']),
  }),
  form({ kind: is('access-denied'), refusal: text }),
  form({ kind: is('cannot-merge'), keepsNumbers: flag }),
]);
const acceptedBy = { by: text, at: time, reason: text };
const place = form({ file: text, first: count, last: count });

const counts = z.partialRecord(z.enum(CHECK_KINDS), count);
const names = z.record(text, text).optional();
const checkList = form({ ids: list(text), names, counts } satisfies FormsOf<CheckList>);
const overall = form({
  state: z.enum(['success', 'failure', 'incomplete', 'error']),
  failing: checkList,
  wouldFail: checkList,
  passing: form({ counts }),
  accepted: is(true).optional(),
} satisfies FormsOf<Overall>);

const group = form({
  id: text,
  name: text,
  digest: text,
  totals,
  baseTotals: totals.optional(),
  files: count,
  touched: flag,
  changes: totals.optional(),
  verdict: verdict.optional(),
  cause: cause.optional(),
  hasStatus: is(true).optional(),
} satisfies FormsOf<GroupResult>);
const owner = form({
  owner: text.optional(),
  totals,
  baseTotals: totals.optional(),
  files: count,
} satisfies FormsOf<ComposedOwner>);
const brokenFile = form({
  path: text,
  commit: text.optional(),
  problems: count,
  line: count,
  column: count.optional(),
  message: text,
} satisfies FormsOf<BrokenFile>);
const rules = form({
  file: form({ path: text, commit: text.optional(), digest: text }).optional(),
  broken: brokenFile.optional(),
  proposal: form({
    path: text,
    commit: text,
    changes: list(form({ key: text, from: text.optional(), to: text.optional() })),
    more: count,
    broken: brokenFile.optional(),
    would: z.enum(['success', 'failure', 'incomplete', 'error']).optional(),
  } satisfies FormsOf<RulesProposal>).optional(),
  ownersUnavailable: is(true).optional(),
  values: list(
    form({
      key: text,
      value: text,
      from: z.enum(['file', 'settings', 'server', 'default']),
      line: count.optional(),
    } satisfies FormsOf<RuleValue>),
  ),
} satisfies FormsOf<JudgedRules>);

const result = form({
  closeCount: count,
  closedAt: time,
  closedBy: z.enum(['job', 'webhook', 'deadline', 'provider']),
  totals,
  files: count,
  baseTotals: totals.optional(),
  base: base.optional(),
  excludedBase: base.optional(),
  flags: list(flagResult),
  carried: list(carried),
  verdict,
  totalVerdict: verdict.optional(),
  groups: list(group).optional(),
  owners: list(owner).optional(),
  elsewhere: verdict.optional(),
  rules: rules.optional(),
  overall: overall.optional(),
  countedJobs: list(id),
  unflaggedJobs: count.optional(),
  fileChanges: list(fileChange),
  fileChangeCount: count,
  warnings: list(warning),
  patch: patch.optional(),
  marks: form({ places: list(place), more: count, lostFiles: count }).optional(),
  cause: cause.optional(),
  acceptance: form({ ...acceptedBy, holds: flag }).optional(),
  provisionalSince: time.optional(),
  changesUnknownSince: time.optional(),
} satisfies FormsOf<BuildResult>);

const pull = form({
  headCommit: text,
  baseBranch: text,
  state: z.enum(['open', 'closed']),
  title: text.optional(),
  openedAt: time.optional(),
  merged: flag,
  landedCommit: text.optional(),
  fromFork: flag,
} satisfies FormsOf<NonNullable<BuildFacts['pull']>>);
const facts = form({
  askedAt: time,
  complete: flag,
  pull: pull.optional(),
  tree: text.optional(),
  mergeParent: text.optional(),
  mergeBase: text.optional(),
  ancestorsOf: text.optional(),
  pullUnproven: is(true).optional(),
  copiesHead: is(true).optional(),
} satisfies FormsOf<BuildFacts>);
const numbers = { totals: totals.optional(), baseTotals: totals.optional() };
const acceptance = form({
  ...acceptedBy,
  build: form(numbers).optional(),
  patch: form(numbers).optional(),
  flags: list(form({ ...numbers, name: text })),
  groups: list(form({ ...numbers, id: text })).optional(),
  elsewhere: form({ lines: count }).optional(),
} satisfies FormsOf<Acceptance>);

const imported = form({
  from: historySource,
  at: time,
  detail: z.enum(['lines', 'counts', 'percentage']),
  shown: percent.optional(),
  partialLines: count.optional(),
} satisfies FormsOf<Imported>);

/** A build without what belongs to its server alone. */
export type ExportedBuild = Omit<Build, 'repoId' | 'state' | 'due' | 'attempts' | 'namelessCloseAt' | 'result'> & {
  readonly result: BuildResult;
  readonly hasReport: boolean;
};

/** A closed build, as a line of `builds.jsonl` has it; `hasReport`: its merged report is a file. */
export const buildForm = form({
  id,
  sequence,
  revision: count,
  number: text,
  serviceName: text,
  serviceNumber: text.optional(),
  serviceJobId: text.optional(),
  serviceRun: text.optional(),
  commit: text.optional(),
  testedCommit: text.optional(),
  branch: text.optional(),
  tag: flag,
  mergeQueue: flag,
  pullRequest: count.optional(),
  baseBranch: text.optional(),
  baseCommit: text.optional(),
  compareRef: text.optional(),
  compareCommit: text.optional(),
  message: text.optional(),
  remotes: text.optional(),
  authors,
  buildUrl: link.optional(),
  diff: sentDiff.optional(),
  rulesFile: sentRules.nullable().optional(),
  eventType: text.optional(),
  trust,
  runCheck: form({ run: z.enum(['fork', 'unknown']), trust: z.enum(['secret', 'provider']) }).optional(),
  vouchedRun: vouchedRun.optional(),
  parallel: flag,
  attempt: count,
  jobs: count,
  expectedJobs: form({ jobs: count, arrived: count }).optional(),
  createdAt: time,
  lastJobAt: time,
  carryforward: z.union([is('all'), list(text)]).optional(),
  target: text.optional(),
  openedContexts: list(
    form({
      context: text,
      flag: text.optional(),
      patch: is(true).optional(),
      group: form({ id: text, name: text }).optional(),
    } satisfies FormsOf<OpenedContext>),
  ),
  warnings: list(text),
  jobWarnings: list(form({ job: count, sentence: text })).optional(),
  result,
  facts: facts.optional(),
  baseForgotten: is(true).optional(),
  missingBases: list(text).optional(),
  landed: form({
    branch: text,
    commit: text,
    how: z.enum(['merge-queue', 'same-commit', 'same-tree']),
    at: time,
  }).optional(),
  excludedAsBase: form({ by: text, at: time }).optional(),
  acceptance: acceptance.optional(),
  emptyBecause: z.enum(['carried', 'nothing-due', 'none-came']).optional(),
  runConclusion: z.enum(['success', 'failure', 'cancelled', 'skipped']).optional(),
  runAttempt: count.optional(),
  imported: imported.optional(),
  hasReport: flag,
} satisfies FormsOf<ExportedBuild>);
