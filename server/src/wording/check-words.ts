import { MAX_REASON } from '../core/builds/acceptance.ts';
import { type Judged, overallOf } from '../core/builds/build-checks.ts';
import type { AcceptedBy } from '../core/builds/build-facts.ts';
import { showLimit, showPercent, totalPercent } from '../core/coverage/percent.ts';
import { printable } from '../core/printable.ts';
import {
  CHECK_KINDS,
  type Check,
  type CheckKind,
  type CheckList,
  type CheckNames,
  type Overall,
  remedyOf,
  sizeOf,
} from '../core/verdict/checks.ts';
import type { FlagRule } from '../core/verdict/reason.ts';
import { type Reason, reasonOf } from '../core/verdict/reason.ts';
import { encodePart } from './markdown.ts';
import { type VerdictLook, verdictSentence } from './page-verdict.ts';
import { capitalize, counted } from './phrases.ts';
import { limitWords } from './rule-words.ts';
import { errorsIn } from './rules-words.ts';

/** Words, and names that are shown as code: hostile text. */
export type Phrase = readonly (string | CodeWord)[];
export interface CodeWord {
  readonly code: string;
}

interface KindWords {
  /** As the name of a row; undefined if each has a name of its own. */
  readonly title?: string;
  /** Within a sentence. */
  readonly one: string;
  readonly many: string;
  /** Whether it speaks as several do: `changed lines fail`. */
  readonly isPlural?: true;
  /** Whether its names are shown as code. */
  readonly isCode?: true;
}

const KINDS: Readonly<Record<CheckKind, KindWords>> = {
  total: { title: 'Total', one: 'total', many: 'totals' },
  changes: { title: 'Changed lines', one: 'changed lines', many: 'changed lines', isPlural: true },
  flag: { one: 'flag', many: 'flags', isCode: true },
  group: { one: 'group', many: 'groups' },
  elsewhere: {
    title: 'Outside the change',
    one: 'lines outside the change',
    many: 'lines outside the change',
    isPlural: true,
  },
  file: { title: 'coverage.yml', one: 'coverage.yml', many: 'coverage.yml', isCode: true },
};

/** Checks that a sentence names. If there are more, it says how many there are. */
const MAX_NAMED = 3;
const LONGEST_NAME = 60;

/** For a build without a result. */
export const WAITING = 'Waiting for more jobs.';

/** With backticks around what is code. */
export function phraseText(phrase: Phrase): string {
  return phrase.map((part) => (typeof part === 'string' ? part : `\`${part.code}\``)).join('');
}

type Named = Pick<Check, 'kind' | 'name'>;

/** What a check is called where its kind is beside it or is plain. */
export function checkName({ kind, name }: Named, longest = LONGEST_NAME): string | CodeWord {
  const { title = kind, isCode } = KINDS[kind];
  if (name === undefined) return isCode ? { code: title } : title;
  return isCode ? { code: printable(name, longest) } : printable(name, longest);
}

/** The same within a sentence: `lines outside the change`. */
export function nameWithin(named: Named): string | CodeWord {
  const { title, one, isCode } = KINDS[named.kind];
  return title === undefined || isCode ? checkName(named) : one;
}

/** Whether it speaks as several do: `changed lines fail`. */
export function isPlural({ kind }: Named): boolean {
  return KINDS[kind].isPlural === true;
}

/** `flag`, of a check that has a name of its own. */
export function kindWord({ kind, name }: Named): string | undefined {
  return name === undefined ? undefined : KINDS[kind].one;
}

/** What kind of check an id is of, and what it is called. */
export function readCheckId(id: string, names?: CheckNames): Named | undefined {
  const kind = CHECK_KINDS.find((one) => id === one || id.startsWith(`${one}:`));
  if (kind === undefined) return undefined;
  return { kind, name: id === kind ? undefined : (names?.[id] ?? id.slice(kind.length + 1)) };
}

/** `check=flag:pages`, as an address has it: the page of a build shows the lines of that check. */
export function checkQuery(id: string): string {
  const encoded = id.split(':').map(encodePart).join(':');
  // What is left has a meaning in Markdown.
  return `check=${encoded.replace(/[!'()*~_]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** `flag `, {code: 'pages'}; `the total, flags `, {code: 'unit'}, ` and `, {code: 'pages'} */
export function namesOf({ ids, names }: Pick<CheckList, 'ids' | 'names'>): Phrase {
  const named = Map.groupBy(
    ids.flatMap((id) => readCheckId(id, names) ?? []),
    ({ kind }) => kind,
  );
  const groups = [...named].map(([kind, some]) => namesOfKind(kind, some));
  return groups.flatMap((group, index) => (index === 0 ? group : [', ', ...group]));
}

function namesOfKind(kind: CheckKind, some: readonly Named[]): Phrase {
  const { title, one, many, isPlural, isCode } = KINDS[kind];
  if (title !== undefined) return [isCode ? { code: one } : isPlural ? one : `the ${one}`];
  return [`${some.length === 1 ? one : many} `, ...joinAnd(some.map((named) => checkName(named)))];
}

export function joinAnd(names: Phrase): Phrase {
  return names.flatMap((name, index) => (index === 0 ? [name] : [index === names.length - 1 ? ' and ' : ', ', name]));
}

/** `total and 2 flags fail`, `1 flag would fail` */
export function countsFail({ counts }: Pick<CheckList, 'counts'>, wouldFail = false): string {
  const kinds = CHECK_KINDS.flatMap((kind) => (counts[kind] === undefined ? [] : [[kind, counts[kind]] as const]));
  const isOne = kinds.length === 1 && kinds[0]?.[1] === 1 && KINDS[kinds[0][0]].isPlural !== true;
  return `${countKinds({ counts }, ' and ')} ${wouldFail ? 'would fail' : isOne ? 'fails' : 'fail'}`;
}

/** `total, changed lines, 5 flags` */
export function countKinds({ counts }: Pick<CheckList, 'counts'>, last = ', '): string {
  const words = CHECK_KINDS.flatMap((kind) => {
    const { title, one, many } = KINDS[kind];
    const count = counts[kind];
    if (count === undefined) return [];
    return [title !== undefined ? one : `${count} ${count === 1 ? one : many}`];
  });
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}${last}${words.at(-1)}`;
}

/**
 * `Cover 33 more lines`: as many as the check needs that needs most, since a line may count for several checks. The
 * changed lines are part of the total, so for these two it is enough; of flags and groups nobody knows which lines they
 * share, and it says `at least`. Undefined if covering more does not help one of the checks.
 */
export function needsOf(checks: readonly Check[]): string | undefined {
  const needs = checks.map(remedyOf);
  if (needs.some((need) => need === undefined)) return undefined;
  const count = Math.max(...needs.map((need) => need?.count ?? 0));
  const isExact = needs.length === 1 || checks.every(({ kind }) => kind === 'total' || kind === 'changes');
  const isLines = needs.every((need) => need?.of === 'lines' || need?.of === 'changed-lines');
  const what = isLines ? counted(count, 'more line') : counted(count, 'more line or branch', 'more lines or branches');
  return `Cover ${isExact ? '' : 'at least '}${what}`;
}

/** How all checks of a build are shown together. */
export function lookOfOverall({ state, wouldFail }: Pick<Overall, 'state' | 'wouldFail'>): VerdictLook {
  if (state === 'success') return sizeOf(wouldFail) > 0 ? 'would' : 'ok';
  return state === 'incomplete' ? 'incomplete' : 'fail';
}

const isTotalAlone = ({ ids }: CheckList): boolean => ids.length === 1 && ids[0] === 'total';

/** What a list says beside the numbers of a build, which are the total's; undefined if these say all. */
export function listTag({
  state,
  failing,
  wouldFail,
}: Overall): { readonly words: string; readonly look: 'bad' | 'warn' } | undefined {
  if (state === 'failure') return isTotalAlone(failing) ? undefined : { words: countsFail(failing), look: 'bad' };
  if (state !== 'success' || sizeOf(wouldFail) === 0 || isTotalAlone(wouldFail)) return undefined;
  return { words: countsFail(wouldFail, true), look: 'warn' };
}

/**
 * What the checks of a build amount to, in a sentence or two. `base`: what its base is called; `known`: `as far as is
 * known`, or nothing.
 */
export function overallPhrase(result: Judged, base: string, known = ''): Phrase {
  const overall = overallOf(result);
  const { state, failing, wouldFail } = overall;
  const ofTotal = [verdictSentence(result.verdict, base, known)];
  const isTotal = failing.ids[0] === 'total';
  if (state === 'failure' && !isTotalAlone(failing))
    return [
      'Failed: ',
      ...(errorsOfFile(result) ?? manyOf(withoutIncomplete(failing, result), overall)),
      '.',
      ...(isTotal ? [] : howTheTotalIs(result)),
    ];
  if (state === 'success' && overall.accepted && result.acceptance) return [acceptedSentence(result.acceptance)];
  if (state !== 'success' || sizeOf(wouldFail) === 0 || wouldFail.ids[0] === 'total') return ofTotal;
  return ['Passed, but ', ...manyOf(wouldFail, overall), ' would fail.'];
}

/** How an incomplete total is follows in a sentence of its own. */
function withoutIncomplete(list: CheckList, { verdict }: Pick<Judged, 'verdict'>): CheckList {
  if (verdict.state !== 'incomplete') return list;
  return { ...list, ids: list.ids.filter((id) => id !== 'total'), counts: { ...list.counts, total: 0 } };
}

function acceptedSentence({ by, reason }: AcceptedBy): string {
  return `Accepted by ${printable(by, LONGEST_NAME)}: “${printable(reason, MAX_REASON)}”`;
}

function manyOf(list: CheckList, { failing, wouldFail, passing }: Overall): Phrase {
  const size = sizeOf(list);
  if (size <= MAX_NAMED) return namesOf(list);
  const all = sizeOf(failing) + sizeOf(wouldFail) + sizeOf(passing);
  const first = readCheckId(list.ids[0] ?? '', list.names);
  return [`${size} of ${all} checks`, ...(first === undefined ? [] : [', first ', checkName(first)])];
}

/** `coverage.yml` with how many errors it has, if nothing else fails. */
function errorsOfFile(result: Judged): Phrase | undefined {
  const reason = reasonOf(result.verdict);
  if (reason.kind !== 'invalid-file' || sizeOf(overallOf(result).failing) > 1) return undefined;
  return [checkName({ kind: 'file', name: undefined }), ` has ${errorsIn(reason)}`];
}

function howTheTotalIs({ verdict: own, totalVerdict: verdict = own }: Judged): Phrase {
  if (verdict.accepted) return [' The total was accepted.'];
  if (verdict.state === 'success') return [' The total passes.'];
  return verdict.state === 'incomplete' ? [' The total is incomplete.'] : [];
}

/** Words of a rule that rests on no threshold, or whose thresholds an earlier version did not store. */
const RULES: Readonly<Partial<Record<FlagRule, string>>> = {
  minimum: 'minimum',
  'no-decrease': 'no decrease allowed',
  'allowed-drop': 'allowed drop',
  'patch-minimum': 'minimum',
  'first-build': 'first build',
  'nothing-relevant': 'no relevant lines',
  'no-coverage-arrived': 'coverage must be uploaded',
  incomplete: 'must report',
  'cannot-merge': 'cannot be merged',
  'not-reported': 'not reported',
  untouched: 'not touched by this change',
  elsewhere: 'no loss outside the change',
  'invalid-file': 'no errors',
};

/** `No decrease allowed`: the rule that decided a check, without its numbers; empty if there is none. */
export function checkRule({ verdict }: Pick<Check, 'verdict'>): string {
  return capitalize(rulesIn(reasonOf(verdict)) ?? RULES[verdict.rule] ?? '');
}

function rulesIn(reason: Reason): string | undefined {
  if (reason.kind === 'measured') return reason.findings.map(limitWords).join(', ');
  if (reason.kind !== 'patch') return undefined;
  if (reason.minimum !== undefined) return `at least ${showLimit(reason.minimum.minimum)}%`;
  return reason.base && `at least the base’s ${showPercent(totalPercent(reason.base.base.totals))}`;
}
