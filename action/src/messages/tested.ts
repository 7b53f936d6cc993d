// Which commit an upload counts for, where the event and the checkout disagree.
import type { Texts } from './values.ts';

const SAY_OTHERWISE = 'Where another commit was tested, name it with git-commit.';

export function ranAfter({ head, taken }: Texts<'head' | 'taken'>): string {
  return (
    `The run that this one follows is of commit ${taken}, and ${head} is checked out: the upload counts for ` +
    `${taken}. Check that commit out, so that names and changed lines are those of the tests.`
  );
}

export function nothingOfPull({ head, branch, pullRequest }: Texts<'head' | 'branch' | 'pullRequest'>): string {
  return (
    `The event is about pull request ${pullRequest}, and ${head} of ${branch} is checked out, which holds nothing of ` +
    `it: the upload counts for that commit of ${branch}, not for the pull request. Check the pull request out, or ` +
    'name its commit with git-commit.'
  );
}

/** `pullRequest`: empty where there is none. */
export function otherThanEvent({ head, named, pullRequest }: Texts<'head' | 'named' | 'pullRequest'>): string {
  const of = pullRequest === '' ? '' : ` of pull request ${pullRequest}`;
  return (
    `The event is about commit ${named}${of}, and ${head} is checked out: the upload counts for what is checked out. ` +
    SAY_OTHERWISE
  );
}

export function eventTaken({ taken, pullRequest }: Texts<'taken' | 'pullRequest'>): string {
  return (
    `git knows no checkout here, so that nothing says which commit was tested: the upload counts for ${taken}, which ` +
    `the event names as the head of pull request ${pullRequest}. ${SAY_OTHERWISE}`
  );
}

export function commitTaken(taken: string): string {
  return (
    `git knows no checkout here, so that nothing says which commit was tested: the upload counts for ${taken}, the ` +
    `commit of this run, and for no branch or pull request. ${SAY_OTHERWISE}`
  );
}
