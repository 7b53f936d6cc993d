import {
  type GitHost,
  type HostRefs,
  type HostRuns,
  type HostTerms,
  type RunTrigger,
  USUAL_TERMS,
} from '../../core/repo/git-host.ts';
import { isNumericId } from '../answers.ts';
import * as say from './messages.ts';
import { GITHUB_TOKENS } from './tokens.ts';

const PULL_REF = /^(?:refs\/pull\/(\d{1,15})\/.*|(\d{1,15})\/merge)$/;
const QUEUE = 'gh-readonly-queue/';
const QUEUED = /^(\d{1,15})-([0-9a-f]{7,64})$/;

/** The refs that GitHub makes itself. */
const REFS: HostRefs = {
  pullRequestOf(ref) {
    const [found, named, merged] = PULL_REF.exec(ref) ?? [];
    return found === undefined ? undefined : Number(named ?? merged);
  },
  queueOf(branch) {
    const end = branch.lastIndexOf('/pr-');
    const [, number, baseCommit] = QUEUED.exec(branch.slice(end + '/pr-'.length)) ?? [];
    if (!branch.startsWith(QUEUE) || end <= QUEUE.length || baseCommit === undefined) return undefined;
    return { pullRequest: Number(number), baseBranch: branch.slice(QUEUE.length, end), baseCommit };
  },
};

/** GitHub's words (docs.github.com, "Events that trigger workflows"); its other ones say nothing that matters here. */
const TRIGGERS: ReadonlyMap<string, RunTrigger> = new Map([
  ['push', 'push'],
  ['pull_request', 'pull-request'],
  ['pull_request_review', 'review'],
  ['pull_request_review_comment', 'review'],
  ['merge_group', 'merge-queue'],
  ['workflow_run', 'other-run'],
]);

/** How uploads name GitHub Actions and its runs. */
const RUN_NAMES: HostRuns = {
  serviceName: 'github',
  isServiceName: (text) => /^github/i.test(text),
  isRunId: isNumericId,
  forkProof: 'run-id',
  isPageOf,
  triggerOf: (event) => TRIGGERS.get(event) ?? (event.startsWith('pull_request') ? 'pull-request-base' : 'other'),
  botWithoutSecrets: (login) => (login === 'dependabot[bot]' ? 'Dependabot' : undefined),
};

/** The whole number after `/actions/runs/` has to be the run's id, not only its beginning. */
function isPageOf(url: string, runId: string): boolean {
  return url
    .split('/actions/runs/')
    .slice(1)
    .some((rest) => /^\d*/.exec(rest)?.[0] === runId);
}

/** Its temporary merge commits: `Merge <head> into <base>` (rule 21). */
const MERGE_SUBJECT = /^Merge ([0-9a-f]{40}(?:[0-9a-f]{24})?) into ([0-9a-f]{40}(?:[0-9a-f]{24})?)/;

/** Descriptions have 140 characters, comments 65,536. */
const GITHUB_TERMS: HostTerms = {
  ...USUAL_TERMS,
  mergedBy(message) {
    const [, head, base] = MERGE_SUBJECT.exec(message) ?? [];
    return head !== undefined && base !== undefined ? { head, base } : undefined;
  },
};

/** What the core knows of GitHub, given how this server signs in there. */
export function githubTraits<SignIn extends Pick<GitHost, 'provider' | 'app'>>(signIn: SignIn) {
  return {
    service: 'github',
    name: 'GitHub',
    credential: say.CREDENTIAL,
    codeOwners: { places: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'], maxBytes: 3 * 1024 * 1024 },
    checkRuns: { refusal: signIn.app === undefined ? say.ANNOTATIONS_NEED_APP : undefined },
    accessLosses: {
      uninstalled: say.APP_UNINSTALLED,
      suspended: say.APP_SUSPENDED,
      deselected: say.REPO_TAKEN_OUT,
    },
    terms: GITHUB_TERMS,
    refs: REFS,
    runs: RUN_NAMES,
    tokens: GITHUB_TOKENS,
    ...signIn,
  } as const satisfies GitHost;
}
