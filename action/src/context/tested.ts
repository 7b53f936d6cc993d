import type { Texts } from '../runner/words.ts';
import type { Commit } from './commit.ts';
import { branchOf, describeEvent, type EventFacts, type EventRunner } from './event.ts';
import type { Git } from './git.ts';

const SAY_OTHERWISE = 'If another commit was tested, name it with git-commit.';

/** What a run tested, as far as its event and its checkout say. */
export interface Tested {
  readonly facts: EventFacts;
  /** The commit that an input names, whole where that is known; empty without one. */
  readonly given: string;
  /** The merge of the head that was tested; empty if it was the commit itself, or is not known. */
  readonly mergeSha: string;
  /** A sentence for the person who set the workflow up; empty if there is nothing to say. */
  readonly warning: string;
}

interface Runner extends EventRunner {
  readonly eventName: string;
  /** The checkout. */
  readonly workspace: string;
}

/**
 * Under most events GitHub checks out what the event is about. A run that follows another is about that one's commit,
 * whatever is checked out; under `pull_request_target` and `issue_comment` only the checkout tells what was tested.
 */
export async function findTested(
  runner: Runner,
  { gitCommit }: { readonly gitCommit: string },
  git: Git,
): Promise<Tested> {
  const facts = describeEvent(runner);
  const known = [facts.headSha, runner.sha, facts.baseSha];
  const given = (await completeSha(gitCommit, { workspace: runner.workspace, known }, git)) || gitCommit;
  const ofEvent = { facts, given, mergeSha: '', warning: '' };
  const { eventName, event, workspace } = runner;
  const isOfCheckout = ['pull_request_target', 'issue_comment'].includes(eventName);
  if (!isOfCheckout && event.workflow_run === undefined)
    return { ...ofEvent, mergeSha: await findMerge(runner, facts, git) };
  const head = given || (await git.headSha(workspace));
  const commit = head === undefined ? undefined : await git.readCommit(workspace, head);
  if (!isOfCheckout) {
    const agrees = head === undefined || given !== '' || isCommitOf(facts.headSha, { head, commit });
    return agrees ? ofEvent : { ...ofEvent, warning: ranAfter({ head, taken: facts.headSha }) };
  }
  const seen = head === undefined ? ofNothing(runner, facts) : ofCheckout(runner, facts, { head, commit });
  return { ...ofEvent, ...seen, ...(given !== '' && { warning: '' }) };
}

/** Undefined if no commit at hand begins so. */
export async function completeSha(
  start: string,
  { workspace, known }: { readonly workspace: string; readonly known: readonly string[] },
  git: Git,
): Promise<string | undefined> {
  if (start.length === 40 || start.length === 64) return start;
  return start === ''
    ? undefined
    : (known.find((sha) => sha.startsWith(start)) ?? (await git.completeSha(workspace, start)));
}

/**
 * On `refs/pull/N/merge` the tests ran on GITHUB_SHA, a merge that GitHub made, unless the workflow checked out the
 * head instead; elsewhere on the commit itself.
 */
async function findMerge(runner: Runner, facts: EventFacts, git: Git): Promise<string> {
  if (!facts.testsMerge) return '';
  return (await git.headSha(runner.workspace)) === facts.headSha ? '' : runner.sha;
}

interface CheckedOut {
  readonly head: string;
  readonly commit: Commit | undefined;
}

type Seen = Pick<Tested, 'facts' | 'mergeSha' | 'warning'>;

function ofCheckout(runner: Runner, facts: EventFacts, { head, commit }: CheckedOut): Seen {
  const pullRequest = facts.pullRequest || pullOfComment(runner);
  if (isCommitOf(facts.headSha, { head, commit }) && facts.pullRequest !== '')
    return { facts, mergeSha: head === facts.headSha ? '' : head, warning: '' };
  // What the run itself is of: the branch that the event's workflow is on.
  if (head === runner.sha) {
    const onBranch = { ...ofCommit(facts, head), branch: branchOf({ ...runner, headRef: '' }) };
    const warning = pullRequest === '' ? '' : nothingOfPull({ head, branch: onBranch.branch, pullRequest });
    return { facts: onBranch, mergeSha: '', warning };
  }
  const tested = mergedHead(commit) ?? head;
  const isNamed = facts.pullRequest !== '' || pullRequest === '';
  const place = facts.pullRequest === '' ? {} : { branch: facts.branch, baseBranch: facts.baseBranch };
  const found = { ...ofCommit(facts, tested), ...place, pullRequest };
  const warning = isNamed ? otherThanEvent({ head, named: facts.headSha, pullRequest }) : '';
  return { facts: found, mergeSha: tested === head ? '' : head, warning };
}

/** Without git nobody sees what was tested: of a comment's pull request not even the head is known. */
function ofNothing(runner: Runner, facts: EventFacts): Seen {
  const { headSha: taken, pullRequest } = facts;
  if (pullRequest !== '' || pullOfComment(runner) === '')
    return { facts, mergeSha: '', warning: pullRequest === '' ? '' : eventTaken({ taken, pullRequest }) };
  return { facts: ofCommit(facts, taken), mergeSha: '', warning: commitTaken(taken) };
}

/** Facts of a commit of which the event says nothing. */
function ofCommit(facts: EventFacts, headSha: string): EventFacts {
  const commit = headSha === facts.headSha ? facts.commit : { message: '' };
  const nowhere = { branch: '', pullRequest: '', baseBranch: '', baseSha: '', pushedFrom: '', testsMerge: false };
  return { ...nowhere, headSha, commit };
}

function isCommitOf(headSha: string, { head, commit }: CheckedOut): boolean {
  return head === headSha || (commit?.parents.length === 2 && commit.parents[1] === headSha);
}

/** The head that a merge commit of GitHub's names (rules.md, rule 21). */
function mergedHead(commit: Commit | undefined): string | undefined {
  const [, head, base] = /^Merge ([0-9a-f]{40,64}) into ([0-9a-f]{40,64})/.exec(commit?.message ?? '') ?? [];
  const [first, second] = commit?.parents ?? [];
  return head !== undefined && head === second && base === first ? head : undefined;
}

function pullOfComment({ event: { issue } }: Runner): string {
  return issue?.pull_request === undefined ? '' : String(issue.number ?? '');
}

function ranAfter({ head, taken }: Texts<'head' | 'taken'>): string {
  return (
    `The run that this one follows is for commit ${taken}, but ${head} is checked out: the upload counts for ` +
    `${taken}. Check out that commit, so that names and changed lines match the tests.`
  );
}

function nothingOfPull({ head, branch, pullRequest }: Texts<'head' | 'branch' | 'pullRequest'>): string {
  return (
    `The event is about pull request ${pullRequest}, but the checkout is ${head} of ${branch}, which has none of ` +
    `its commits: the upload counts for that commit of ${branch}, not for the pull request. Check out the pull ` +
    'request, or ' +
    'name its commit with git-commit.'
  );
}

/** `pullRequest`: empty if there is none. */
function otherThanEvent({ head, named, pullRequest }: Texts<'head' | 'named' | 'pullRequest'>): string {
  const of = pullRequest === '' ? '' : ` of pull request ${pullRequest}`;
  return (
    `The event is about commit ${named}${of}, but ${head} is checked out: the upload counts for what is checked out. ` +
    SAY_OTHERWISE
  );
}

function eventTaken({ taken, pullRequest }: Texts<'taken' | 'pullRequest'>): string {
  return (
    `git knows no checkout here, so that nothing says which commit was tested: the upload counts for ${taken}, which ` +
    `the event names as the head of pull request ${pullRequest}. ${SAY_OTHERWISE}`
  );
}

function commitTaken(taken: string): string {
  return (
    `git knows no checkout here, so that nothing says which commit was tested: the upload counts for ${taken}, the ` +
    `commit of this run, and for no branch or pull request. ${SAY_OTHERWISE}`
  );
}
