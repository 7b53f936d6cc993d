import { isAccepted, MAX_REASON } from '../core/builds/acceptance.ts';
import type { AcceptedBy } from '../core/builds/build-facts.ts';
import { printable } from '../core/printable.ts';
import { type IgnorablePart, type MissingJobs, reasonOf } from '../core/verdict/reason.ts';
import type { ChangeCause, FlagVerdict, Forgiveness } from '../core/verdict/verdict.ts';
import { describeCause, describeRemedy } from './change-words.ts';
import { sayArrived, toSentence } from './phrases.ts';
import { type Brevity, sayClosed, sayPatchRule, sayReason, sayRules, sayRunEnd } from './reason-words.ts';

/** The verdict in few words: begins with the percentage where there is one. */
export function summarize(verdict: FlagVerdict, brevity: Brevity = {}): string {
  const { brief = false, tight = false, name = (number) => number, baseElsewhere = false } = brevity;
  const said = sayReason(reasonOf(verdict), { brief, tight, name, baseElsewhere });
  const forgiven = forgivenessOf(verdict);
  return forgiven === undefined ? said : `${said}, but ${allowed(forgiven)}`;
}

/** Whether fewer words can be made of a verdict than those of its summary. */
export function hasBrief(verdict: FlagVerdict): boolean {
  const reason = reasonOf(verdict);
  return reason.kind === 'measured' || (reason.kind === 'text' && reason.brief !== undefined);
}

/** Whether the words of a verdict name its base, even where its percentage is all that is wanted. */
export function namesBase(verdict: FlagVerdict): boolean {
  const { kind } = reasonOf(verdict);
  return kind === 'none-came' || kind === 'none-arrived' || kind === 'text';
}

/** Sentences with the rule in words and both numbers, what caused the change, and what would pass. */
export function explainVerdict(verdict: FlagVerdict, cause?: ChangeCause | undefined): string {
  const reason = reasonOf(verdict);
  if (reason.kind === 'text') return reason.explanation;
  const said = sayReason(reason, { brief: false, tight: false, name: (number) => number, baseElsewhere: false });
  const forgiven = forgivenessOf(verdict);
  const sentences = [reason.kind === 'measured' ? `Coverage is ${said}.` : toSentence(said)];
  if (reason.kind === 'patch' && reason.remedy) sentences.push(toSentence(describeRemedy(reason.remedy)));
  const why = cause === undefined ? '' : describeCause(cause, verdict).sentence;
  if (why !== '') sentences.push(why);
  if (forgiven !== undefined) sentences.push(`In this repo, ${allowed(forgiven)} a ${forgiven.subject}.`);
  if (verdict.informational === true && verdict.state !== 'success')
    sentences.push('Informational only: it fails no commit status.');
  if (isAccepted(verdict)) sentences.push('Accepted by a maintainer: it fails no commit status.');
  return sentences.join(' ');
}

/** `accepted by mona: the legacy importer goes next week` */
export function acceptedWords({ by, reason }: AcceptedBy): string {
  return `accepted by ${printable(by, 60)}: ${printable(reason, MAX_REASON)}`;
}

/** The rule that decided, in a sentence without numbers of the build; undefined if it is not worth a word. */
export function ruleSentence(verdict: FlagVerdict): string | undefined {
  const reason = reasonOf(verdict);
  if (reason.kind === 'patch') {
    const said = sayPatchRule(reason, BREVITY.name);
    return said && toSentence(said);
  }
  if (reason.kind === 'nothing-relevant') return undefined;
  if (reason.kind !== 'measured') return explainVerdict(verdict);
  const rules = sayRules(reason, BREVITY);
  const forgiven = forgivenessOf(verdict);
  const clauses = [...rules, ...(forgiven === undefined ? [] : [`but ${allowed(forgiven)}`])];
  return clauses.length === 0 ? undefined : toSentence(clauses.join(', '));
}

/** What did not report, and how the build came to be closed without it; undefined of any other verdict. */
export function incompleteWords(verdict: FlagVerdict): { readonly what: string; readonly why?: string } | undefined {
  const reason = reasonOf(verdict);
  if (reason.kind !== 'incomplete') return undefined;
  const { flags, more = 0, jobs } = reason;
  const named = flags.slice(0, 3).map((flag) => printable(flag, 40));
  const others = flags.length - named.length + more;
  const missing = `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''} did not report`;
  const what = jobs === undefined ? missing : sayArrived(jobs);
  return jobs === undefined ? { what } : { what, why: sayEnd(jobs) };
}

function sayEnd(jobs: MissingJobs): string {
  const { stated, run } = jobs;
  if (stated !== undefined) return 'The repo’s coverage.yml says how many there are.';
  return toSentence(run === undefined ? `the build was ${sayClosed(jobs)}` : sayRunEnd(run));
}

function forgivenessOf(verdict: FlagVerdict): Forgiveness | undefined {
  return 'forgiven' in verdict ? verdict.forgiven : undefined;
}

const BREVITY: Required<Brevity> = { brief: false, tight: false, name: (number) => number, baseElsewhere: true };
/** `removed code alone does not fail a build`; undefined if nothing was forgiven. */
export function forgivenessClause(verdict: FlagVerdict): string | undefined {
  const forgiven = forgivenessOf(verdict);
  return forgiven && `${allowed(forgiven)} a ${forgiven.subject}`;
}

const ALLOWED: Readonly<Record<IgnorablePart, string>> = {
  removed: 'removed code',
  untouched: 'loss in untouched files',
  unstable: 'lines that flip without a change',
};

function allowed({ parts }: Forgiveness): string {
  const isPlural = parts.length > 1 || parts.includes('unstable');
  return `${parts.map((part) => ALLOWED[part]).join(' and ')} alone ${isPlural ? 'do' : 'does'} not fail`;
}
