import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { EventPull, EventRepo, ProviderEvent } from '../../ports/provider-events.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, textOf } from '../answers.ts';
import { mustHave, readingPayload } from '../payloads.ts';
import { timeOf } from './facts.ts';
import type { Flavor } from './flavor.ts';
import { toRun } from './runs.ts';

type Readers = Readonly<Record<string, (payload: Fields, flavor: Flavor) => ProviderEvent | undefined>>;

/** Gitea tells all ends of runs by one event, Forgejo by several. */
const READERS: Readers = {
  push: readPush,
  pull_request: readPull,
  pull_request_sync: readPull,
  repository: readRepo,
  workflow_run: readRun,
  action_run_success: readRun,
  action_run_failure: readRun,
  action_run_recover: readRun,
};

/** What a webhook of one of both is to send. */
export function eventsOf({ service }: Pick<Flavor, 'service'>): readonly string[] {
  const ofOther = service === 'gitea' ? 'action_run_' : 'workflow_run';
  return Object.keys(READERS).filter((name) => !name.startsWith(ofOther));
}

/** Whether an event of this name can matter: else its payload need not be read. */
export function isKnownEvent(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/** What an event tells; undefined when nothing that matters here. Throws a Failure `payload-invalid`. */
export function readEvent(flavor: Flavor, event: string, payload: unknown): ProviderEvent | undefined {
  return readingPayload(event, () => READERS[event]?.(fieldsOf(payload), flavor));
}

function repoOf({ repository }: Fields, { service }: Flavor): EventRepo {
  const {
    id,
    full_name: path,
    private: hidden,
    internal,
    default_branch: branch,
    updated_at: at,
  } = fieldsOf(repository);
  const name = textOf(path);
  const isName = name !== undefined && findNameProblem(service, name) === undefined;
  const [defaultBranch, changedAt] = [textOf(branch), timeOf(at)];
  const isDescribed = typeof hidden === 'boolean' && defaultBranch !== undefined && changedAt !== undefined;
  const visibility = hidden === true || internal === true ? 'private' : 'public';
  return {
    id: String(mustHave(idOf(id), 'repository.id')),
    name: mustHave(isName ? name : undefined, 'repository.full_name'),
    described: isDescribed ? { defaultBranch, visibility, changedAt } : undefined,
  };
}

function shaOf(value: unknown): string | undefined {
  const sha = textOf(value);
  return sha !== undefined && isCommitSha(sha) ? sha.toLowerCase() : undefined;
}

function readPush(payload: Fields, flavor: Flavor): ProviderEvent | undefined {
  const ref = mustHave(textOf(payload.ref), 'ref');
  const commit = mustHave(shaOf(payload.after), 'after');
  if (!ref.startsWith('refs/heads/') || /^0+$/.test(commit)) return undefined;
  return { kind: 'pushed', repo: repoOf(payload, flavor), branch: ref.slice('refs/heads/'.length), commit };
}

function readPull(payload: Fields, flavor: Flavor): ProviderEvent | undefined {
  const action = textOf(payload.action) ?? '';
  const baseChanged = action === 'edited' && fieldsOf(payload.changes).ref !== undefined;
  if (!baseChanged && !['opened', 'reopened', 'synchronized', 'closed'].includes(action)) return undefined;
  const change = fieldsOf(payload.pull_request);
  const [head, base] = [fieldsOf(change.head), fieldsOf(change.base)];
  const merged = change.merged === true;
  const pull: EventPull = {
    number: mustHave(idOf(payload.number) ?? idOf(change.number), 'number'),
    headCommit: mustHave(shaOf(head.sha), 'pull_request.head.sha'),
    baseBranch: mustHave(textOf(base.ref), 'pull_request.base.ref'),
    state: merged || change.state === 'closed' ? 'closed' : 'open',
    merged,
    landedCommit: merged ? shaOf(change.merge_commit_sha) : undefined,
    fromFork: head.repo_id !== base.repo_id,
  };
  const repo = repoOf(payload, flavor);
  return action === 'closed'
    ? { kind: 'pull-request-closed', repo, pull }
    : { kind: 'pull-request-changed', repo, pull, baseChanged };
}

function readRepo(payload: Fields, flavor: Flavor): ProviderEvent | undefined {
  if (payload.action === 'deleted') return { kind: 'repo-removed', repo: repoOf(payload, flavor) };
  return payload.action === 'created'
    ? { kind: 'repo-changed', repo: repoOf(payload, flavor), formerName: undefined }
    : undefined;
}

function readRun(payload: Fields, flavor: Flavor): ProviderEvent | undefined {
  const described = fieldsOf(payload.workflow_run ?? payload.run);
  const { repository = described.repository } = payload;
  const found = toRun({ ...described, repository }, flavor);
  const { run, pullRequest } = mustHave(found, payload.run === undefined ? 'workflow_run' : 'run');
  if (run.conclusion === undefined) return undefined;
  const { id, attempt, conclusion, event, headCommit } = run;
  return {
    kind: 'run-ended',
    repo: repoOf({ repository }, flavor),
    run: {
      ...{ id, attempt, conclusion, event, headCommit: mustHave(shaOf(headCommit), 'the run’s commit') },
      workflowId: mustHave(workflowOf(described), 'the run’s workflow'),
      headBranch: run.headBranch,
      fromFork: run.headRepoId === undefined && headRepoOf(payload) !== run.repoId,
      pullRequests: pullRequest === undefined ? [] : [{ number: pullRequest, baseBranch: '', headCommit }],
      url: textOf(described.html_url),
    },
  };
}

/** Where the head of its pull request is, if the event says it at all. */
function headRepoOf({ pull_request: pull, workflow_run: described }: Fields): string | undefined {
  const { pull_requests: listed } = fieldsOf(described);
  const [first] = Array.isArray(listed) ? listed.map(fieldsOf) : [];
  const id = idOf(fieldsOf(fieldsOf(pull).head).repo_id) ?? idOf(fieldsOf(fieldsOf(first?.head).repo).id);
  return id?.toString();
}

/** The name of its file. */
function workflowOf({ workflow_id: id, path }: Fields): string | undefined {
  return textOf(id) ?? textOf(path)?.split('@')[0];
}
