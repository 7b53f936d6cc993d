import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { EventPull, EventRepo, ProviderEvent } from '../../ports/provider-events.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, textOf } from '../answers.ts';
import { mustHave, readingPayload } from '../payloads.ts';
import { conclusionOf } from './pipelines.ts';

type Readers = Readonly<Record<string, (payload: Fields) => ProviderEvent | undefined>>;

const READERS: Readers = {
  'push-hook': readPush,
  'merge-request-hook': readMergeRequest,
  'pipeline-hook': readPipeline,
};

/** `Push Hook` as a key. */
function keyOf(event: string): string {
  return event.toLowerCase().replaceAll(' ', '-');
}

/** Whether an event of this name can matter: else its payload need not be read. */
export function isKnownEvent(name: string): boolean {
  return Object.hasOwn(READERS, keyOf(name));
}

/** What an event tells; undefined when nothing that matters here. Throws a Failure `payload-invalid`. */
export function readEvent(event: string, payload: unknown): ProviderEvent | undefined {
  return readingPayload(event, () => READERS[keyOf(event)]?.(fieldsOf(payload)));
}

function repoOf({ project }: Fields): EventRepo {
  const { id, path_with_namespace: path } = fieldsOf(project);
  const name = textOf(path);
  const isName = name !== undefined && findNameProblem('gitlab', name) === undefined;
  // GitLab does not say when a project was last changed, so an old event could not be told from a new one.
  return {
    id: String(mustHave(idOf(id), 'project.id')),
    name: mustHave(isName ? name : undefined, 'project.path_with_namespace'),
    described: undefined,
  };
}

function shaOf(value: unknown): string | undefined {
  const sha = textOf(value);
  return sha !== undefined && isCommitSha(sha) ? sha.toLowerCase() : undefined;
}

function readPush(payload: Fields): ProviderEvent | undefined {
  const ref = mustHave(textOf(payload.ref), 'ref');
  const commit = mustHave(shaOf(payload.after), 'after');
  if (!ref.startsWith('refs/heads/') || /^0+$/.test(commit)) return undefined;
  return { kind: 'pushed', repo: repoOf(payload), branch: ref.slice('refs/heads/'.length), commit };
}

/** New commits come as an update that names what was there before. */
function readMergeRequest(payload: Fields): ProviderEvent | undefined {
  const change = fieldsOf(payload.object_attributes);
  const action = textOf(change.action) ?? '';
  const baseChanged = fieldsOf(payload.changes).target_branch !== undefined;
  const isMoved = action === 'update' && (textOf(change.oldrev) !== undefined || baseChanged);
  if (!isMoved && !['open', 'reopen', 'close', 'merge'].includes(action)) return undefined;
  const merged = change.state === 'merged';
  const headCommit = mustHave(shaOf(fieldsOf(change.last_commit).id), 'object_attributes.last_commit.id');
  const pull: EventPull = {
    number: mustHave(idOf(change.iid), 'object_attributes.iid'),
    headCommit,
    baseBranch: mustHave(textOf(change.target_branch), 'object_attributes.target_branch'),
    state: merged || change.state === 'closed' ? 'closed' : 'open',
    merged,
    landedCommit: merged ? landedOf(change, headCommit) : undefined,
    fromFork: change.source_project_id !== change.target_project_id,
  };
  const repo = repoOf(payload);
  const isClosed = action === 'close' || action === 'merge';
  return isClosed
    ? { kind: 'pull-request-closed', repo, pull }
    : { kind: 'pull-request-changed', repo, pull, baseChanged };
}

/** Without a merge commit the head itself landed, except for a squash, whose commit the event may not name. */
function landedOf(change: Fields, headCommit: string): string | undefined {
  const named = shaOf(change.merge_commit_sha) ?? shaOf(change.squash_commit_sha);
  return named ?? (change.squash === true ? undefined : headCommit);
}

/** Our own statuses make pipelines too, which are no runs. */
function readPipeline(payload: Fields): ProviderEvent | undefined {
  const pipeline = fieldsOf(payload.object_attributes);
  const conclusion = conclusionOf(pipeline.status);
  const event = textOf(pipeline.source) ?? '';
  if (conclusion === undefined || event === 'external') return undefined;
  const change = fieldsOf(payload.merge_request);
  const number = idOf(change.iid);
  const headCommit = mustHave(shaOf(pipeline.sha), 'object_attributes.sha');
  return {
    kind: 'run-ended',
    repo: repoOf(payload),
    run: {
      id: String(mustHave(idOf(pipeline.id), 'object_attributes.id')),
      attempt: 1,
      workflowId: 'pipeline',
      conclusion,
      event,
      headCommit,
      headBranch: textOf(number === undefined ? pipeline.ref : change.source_branch),
      fromFork: number !== undefined && change.source_project_id !== change.target_project_id,
      pullRequests:
        number === undefined ? [] : [{ number, baseBranch: textOf(change.target_branch) ?? '', headCommit }],
      url: textOf(pipeline.url),
    },
  };
}
