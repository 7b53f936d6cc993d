import type { BrokenFile, JudgedRules, RulesProposal } from '../core/builds/judged-rules.ts';
import { printable } from '../core/printable.ts';
import type { VerdictState } from '../core/verdict/verdict.ts';
import { counted } from './phrases.ts';

const MAX_VALUE = 80;
const MAX_NAMED_CHANGES = 3;

/** `an error on line 15`, `3 errors` */
export function errorsIn({ problems, line }: Pick<BrokenFile, 'problems' | 'line'>): string {
  return problems === 1 ? `an error on line ${line}` : counted(problems, 'error');
}

/** `line 15, column 3` */
export function placeIn({ line, column }: Pick<BrokenFile, 'line' | 'column'>): string {
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}

/** What readers should know of the rules of a build: hostile text in plain sentences. */
export function rulesSentences(rules: Partial<JudgedRules> | undefined): readonly string[] {
  const { broken, file, proposal, ownersUnavailable } = rules ?? {};
  return [
    ...(broken ? [brokenSentence(broken, file?.commit)] : []),
    ...(proposal ? proposalSentences(proposal) : []),
    ...(ownersUnavailable ? ['CODEOWNERS is not available here: owners are not counted.'] : []),
  ];
}

/** For a file that is broken at the base; `valid`: the commit of the last valid one. */
function brokenSentence(broken: BrokenFile, valid: string | undefined): string {
  const { path, problems, message } = broken;
  const errors = problems === 1 ? 'an error' : counted(problems, 'error');
  const what = `${shownPath(path)} has ${errors} on ${placeIn(broken)}`;
  const holds =
    valid === undefined ? 'The settings of the repo apply.' : `The last valid version applies, ${shortSha(valid)}.`;
  return `${what}: ${plain(message, 200)} ${holds}`;
}

function proposalSentences({ path, changes, more, broken, would }: RulesProposal): readonly string[] {
  if (broken !== undefined) {
    const errors = broken.problems === 1 ? 'an error' : counted(broken.problems, 'error');
    return [`${shownPath(path)} has ${errors} in this change, on ${placeIn(broken)}: ${plain(broken.message, 200)}`];
  }
  const named = changes.slice(0, MAX_NAMED_CHANGES).map(({ key, from, to }) => {
    return `${plain(key, MAX_VALUE)} ${valueText(from)} → ${valueText(to)}`;
  });
  const left = changes.length - named.length + more;
  const list = [...named, ...(left > 0 ? [`${left} more`] : [])].join(', ');
  const effect = 'It takes effect after the merge; until then the file of the base applies.';
  const then = would === undefined ? '' : ` ${WOULD[would]}`;
  return [`This change edits ${shownPath(path)}${list === '' ? '' : `: ${list}`}. ${effect}${then}`];
}

const WOULD: Readonly<Record<VerdictState, string>> = {
  success: 'With the new file, the total passes.',
  failure: 'With the new file, the total fails.',
  incomplete: 'With the new file, the build is incomplete.',
  error: 'With the new file, the build is an error.',
};

function valueText(value: string | undefined): string {
  return value === undefined ? 'not set' : plain(value, MAX_VALUE);
}

function shownPath(path: string): string {
  return plain(path, MAX_VALUE);
}

function plain(text: string, max: number): string {
  return printable(text.replaceAll('`', '"'), max);
}

function shortSha(commit: string): string {
  return commit.slice(0, 7);
}
