import { expect, test } from 'vitest';
import type { GithubEvent } from './event.ts';
import type { Git } from './git.ts';
import { findTested } from './tested.ts';

const [HEAD, NEWER, MERGE, MAIN] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const EVENTS: Readonly<Record<string, GithubEvent>> = {
  workflow_run: { workflow_run: { head_sha: HEAD, head_branch: 'topic' } },
  pull_request_target: {
    pull_request: { number: 7, head: { sha: HEAD, ref: 'topic' }, base: { ref: 'main', sha: MAIN } },
  },
  issue_comment: { issue: { number: 7, pull_request: {} } },
  'issue_comment on an issue': { issue: { number: 8 } },
  push: {},
};
/** GitHub's merges of the pull request's heads into main. */
const MERGED: Readonly<Record<string, string>> = { [MERGE]: HEAD, ['e'.repeat(40)]: NEWER };

function gitAt(head: string | undefined): Git {
  return {
    listFiles: async () => [],
    headSha: async () => head,
    hasCommit: async () => false,
    completeSha: async () => undefined,
    readCommit: async (_, sha) => {
      const merged = MERGED[sha];
      if (head === undefined) return undefined;
      return merged === undefined
        ? { parents: [MAIN], message: 'Change' }
        : { parents: [MAIN, merged], message: `Merge ${merged} into ${MAIN}` };
    },
    remotes: async () => [],
  };
}

const at = (event: string, head: string | undefined, gitCommit = '') => {
  const [eventName = ''] = event.split(' ');
  const ref = { sha: MAIN, ref: 'refs/heads/main', refName: 'main', headRef: event.includes('target') ? 'topic' : '' };
  return findTested({ eventName, event: EVENTS[event] ?? {}, ...ref, workspace: '/w' }, { gitCommit }, gitAt(head));
};

/** The commit, the merge that was tested, the pull request and the branch; empty if there is none. */
test.each<[string, string | undefined, readonly string[], string]>([
  ['workflow_run', HEAD, [HEAD, '', '', 'topic'], ''],
  ['workflow_run', MERGE, [HEAD, '', '', 'topic'], ''],
  ['workflow_run', undefined, [HEAD, '', '', 'topic'], ''],
  ['workflow_run', MAIN, [HEAD, '', '', 'topic'], `${MAIN} is checked out: the upload counts for ${HEAD}`],
  ['pull_request_target', HEAD, [HEAD, '', '7', 'topic'], ''],
  ['pull_request_target', MERGE, [HEAD, MERGE, '7', 'topic'], ''],
  ['pull_request_target', NEWER, [NEWER, '', '7', 'topic'], `${NEWER} is checked out: the upload counts for what is`],
  ['pull_request_target', 'e'.repeat(40), [NEWER, 'e'.repeat(40), '7', 'topic'], 'counts for what is checked out'],
  [
    'pull_request_target',
    MAIN,
    [MAIN, '', '', 'main'],
    'which has none of its commits: the upload counts for that commit',
  ],
  ['pull_request_target', undefined, [HEAD, '', '7', 'topic'], `no checkout here, so that nothing says which commit`],
  ['issue_comment', HEAD, [HEAD, '', '7', ''], ''],
  ['issue_comment', MERGE, [HEAD, MERGE, '7', ''], ''],
  ['issue_comment', MAIN, [MAIN, '', '', 'main'], 'about pull request 7, but '],
  ['issue_comment', undefined, [MAIN, '', '', ''], 'for no branch or pull request'],
  ['issue_comment on an issue', MAIN, [MAIN, '', '', 'main'], ''],
  ['issue_comment on an issue', HEAD, [HEAD, '', '', ''], `The event is about commit ${MAIN}, but ${HEAD} is checked`],
  ['issue_comment on an issue', undefined, [MAIN, '', '', 'main'], ''],
  ['push', HEAD, [MAIN, '', '', 'main'], ''],
])('under %s, with %s checked out', async (event, head, expected, warning) => {
  const { facts, mergeSha, warning: said } = await at(event, head);
  expect([facts.headSha, mergeSha, facts.pullRequest, facts.branch]).toEqual(expected);
  expect(said === '').toBe(warning === '');
  expect(said).toContain(warning);
});

test.each(['workflow_run', 'pull_request_target', 'issue_comment'])(
  'under %s a commit that was named needs no checkout, and no warning',
  async (event) => {
    const { given, facts, warning } = await at(event, undefined, NEWER);
    expect([given, warning]).toEqual([NEWER, '']);
    if (event !== 'workflow_run') expect(facts.pullRequest).toBe('7');
  },
);
