import type { Build, UnmetComparison } from '../core/builds/build.ts';
import { isShortCommit, isWholeCommit } from '../core/builds/short-commit.ts';
import { quoteValue } from '../core/failure.ts';

const COMMIT_SETTINGS =
  'COVERALLS_GIT_COMMIT (official reporter, npm), GIT_ID (PyPI, Ruby), ' +
  'the input git-commit (our action), or commit_sha in the JSON';
const BRANCH_SETTINGS =
  'COVERALLS_GIT_BRANCH (official reporter, npm), GIT_BRANCH (PyPI, Ruby, goveralls), the input git-branch (our ' +
  'action), or git.branch in the JSON';

/** Our own clients by their User-Agent: anybody who uses one needs no names of others. */
const OWN_SETTINGS = [
  {
    client: /^coverage-service-command\//,
    commit: '--git-commit, or the variable COVERALLS_GIT_COMMIT',
    branch: '--service-branch, or the variable COVERALLS_GIT_BRANCH',
  },
  { client: /^coverage-service-action\//, commit: 'the input git-commit', branch: 'the input git-branch' },
];

type Stated = Pick<Build, 'jobs' | 'commit' | 'branch' | 'pullRequest' | 'landed' | 'emptyBecause' | 'trust'>;

/** What a build cannot have, since none of its jobs states a commit or a branch. */
export function describeUnstated(
  build: Stated,
  {
    isManual,
    isPlacedLater = false,
    client = '',
  }: {
    readonly isManual: boolean;
    /** The User-Agent of the client that it is about; absent: any client. */
    readonly client?: string;
    /** Its run has still to say whose branch or pull request it is of. */
    readonly isPlacedLater?: boolean;
  },
): readonly string[] {
  const { commit, branch, pullRequest, landed, trust } = build;
  if (build.jobs === 0) return [];
  const warnings: string[] = [];
  const own = OWN_SETTINGS.find((one) => one.client.test(client));
  // For a manual repo nothing is announced anyway.
  const sent = describeSent(commit);
  if (sent !== undefined && !isManual) {
    const what = pullRequest === undefined ? 'Can’t post a commit status or a comment' : 'Can’t post a commit status';
    warnings.push(`${what}: this client sends ${sent}. Set ${own?.commit ?? COMMIT_SETTINGS}.`);
  }
  // An unverified one serves no badge and no base on any branch.
  const isNowhere = branch === undefined && pullRequest === undefined && landed === undefined && trust !== 'run';
  if (isNowhere && !isPlacedLater) {
    warnings.push(
      'It belongs to no branch, so no badge shows it and no later build of its branch is compared with it: this ' +
        `client sends no branch. Set ${own?.branch ?? BRANCH_SETTINGS}.`,
    );
  }
  return warnings;
}

/** What came in the place of a commit. A shortened one is reported when it arrives. */
function describeSent(commit: string | undefined): string | undefined {
  if (commit === undefined) return 'no commit';
  return isWholeCommit(commit) || isShortCommit(commit)
    ? undefined
    : `${quoteValue(commit, 60)}, which names no commit`;
}

/** Why the base is not the one that `compare_sha` or `compare_ref` asks for. */
export function describeUnmet({ field, value, why }: UnmetComparison): string {
  const asked = `${field} ${quoteValue(value, 60)}`;
  const otherwise = 'the base is chosen as if it were not there';
  const what = field === 'compare_sha' ? 'of that commit' : 'on a branch, or of a tag, of that name';
  switch (why) {
    case 'unknown':
      return field === 'compare_sha'
        ? `${asked}: no build of this repo is for that commit; ${otherwise}.`
        : `${asked}: no closed build of this repo is ${what}; ${otherwise}.`;
    case 'ambiguous':
      return `${asked}: several commits of this repo begin with it; ${otherwise}. Give more digits.`;
    case 'no-base':
      return (
        `${asked}: no build ${what} can be the base (open, incomplete, ` +
        `without a percentage, newer, or this one); ${otherwise}.`
      );
    case 'unverified':
      return `${asked} is not followed, since this upload is not verified (rule 29).`;
  }
}
