import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { EventPull, ProviderEvent } from '../../ports/provider-events.ts';
import { fieldsOf } from '../answers.ts';
import { conclusionOf } from './runs.ts';
import { readInstallation, readInstallationRepositories, readInstallationTarget } from './webhook-installations.ts';
import { checkPayload, PAYLOADS, toEventRepo } from './webhook-payloads.ts';

type Readers = Readonly<
  Record<string, (payload: unknown, action: string, appId?: number) => ProviderEvent | undefined>
>;

/** Which events of GitHub's matter, and what each of them tells; undefined for an action that does not. */
const READERS: Readers = {
  pull_request: readPullRequest,
  push: readPush,
  workflow_run: readWorkflowRun,
  repository: readRepository,
  installation: readInstallation,
  installation_repositories: readInstallationRepositories,
  installation_target: readInstallationTarget,
};

/** Whether an event of this name can matter: else its payload need not be read. */
export function isKnownEvent(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/**
 * What an event tells; undefined when nothing that matters here. `appId`: of the App whose webhook it is. Throws a
 * Failure
 * `payload-invalid`.
 */
export function readGithubEvent(name: string, payload: unknown, appId?: number): ProviderEvent | undefined {
  const { action } = fieldsOf(payload);
  return isKnownEvent(name) ? READERS[name]?.(payload, typeof action === 'string' ? action : '', appId) : undefined;
}

function readPullRequest(payload: unknown, action: string): ProviderEvent | undefined {
  const baseChanged = action === 'edited' && fieldsOf(fieldsOf(payload).changes).base !== undefined;
  if (!baseChanged && !['opened', 'reopened', 'synchronize', 'closed'].includes(action)) return undefined;
  const { repository: described, pull_request: pullRequest } = checkPayload(
    PAYLOADS.pullRequest,
    payload,
    'pull_request',
  );
  const { number, state, head, base, merge_commit_sha: mergeCommit } = pullRequest;
  const merged = pullRequest.merged === true;
  const pull: EventPull = {
    number,
    state,
    merged,
    headCommit: head.sha,
    baseBranch: base.ref,
    // Before it is merged, GitHub names a temporary merge there.
    landedCommit: merged ? (mergeCommit ?? undefined) : undefined,
    fromFork: head.repo?.id !== described.id,
  };
  const repo = toEventRepo(described);
  return action === 'closed'
    ? { kind: 'pull-request-closed', repo, pull }
    : { kind: 'pull-request-changed', repo, pull, baseChanged };
}

/** Tags and deleted branches tell nothing that matters. */
function readPush(payload: unknown): ProviderEvent | undefined {
  const { repository: described, ref, after, deleted } = checkPayload(PAYLOADS.push, payload, 'push');
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
  if (branch === undefined || deleted === true) return undefined;
  return { kind: 'pushed', repo: toEventRepo(described), branch, commit: after };
}

function readWorkflowRun(payload: unknown, action: string): ProviderEvent | undefined {
  if (action !== 'completed') return undefined;
  const { repository: described, workflow_run: run } = checkPayload(PAYLOADS.workflowRun, payload, 'workflow_run');
  // A branch may also be the head of a pull request in a fork's own repo.
  const pulls = (run.pull_requests ?? []).filter((pull) => pull !== null && pull.base.repo.id === described.id);
  return {
    kind: 'run-ended',
    repo: toEventRepo(described),
    run: {
      id: run.id,
      attempt: run.run_attempt ?? 1,
      workflowId: run.workflow_id,
      conclusion: conclusionOf(run.conclusion),
      event: run.event,
      headCommit: run.head_sha,
      headBranch: run.head_branch ?? undefined,
      fromFork: run.head_repository?.id !== described.id,
      pullRequests: pulls
        .filter((pull) => pull !== null)
        .map(({ number, base, head }) => ({ number, baseBranch: base.ref, headCommit: head.sha })),
      url: typeof run.html_url === 'string' && /^https?:\/\//i.test(run.html_url) ? run.html_url : undefined,
    },
  };
}

const REPO_ACTIONS = [
  'created',
  'renamed',
  'transferred',
  'edited',
  'privatized',
  'publicized',
  'archived',
  'unarchived',
];

function readRepository(payload: unknown, action: string): ProviderEvent | undefined {
  if (action !== 'deleted' && !REPO_ACTIONS.includes(action)) return undefined;
  const { repository: described, changes } = checkPayload(PAYLOADS.repository, payload, 'repository');
  const repo = toEventRepo(described);
  if (action === 'deleted') return { kind: 'repo-removed', repo };
  const [owner = '', name = ''] = repo.name.split('/');
  const from = changes?.owner?.from;
  const formerOwner = from?.organization?.login ?? from?.user?.login;
  const formerName = `${formerOwner ?? owner}/${changes?.repository?.name?.from ?? name}`;
  const isFormer = formerName !== repo.name && findNameProblem('github', formerName) === undefined;
  const changed = { kind: 'repo-changed', repo, formerName: isFormer ? formerName : undefined } as const;
  return action === 'privatized' ? { ...changed, hidden: true } : changed;
}
