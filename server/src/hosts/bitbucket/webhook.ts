import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { EventPull, EventRepo, HostWebhook, ProviderEvent } from '../../ports/provider-events.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, textOf } from '../answers.ts';
import { mustHave } from '../payloads.ts';
import { createSignedHook, landingOf, readBy } from '../signed-body.ts';
import { uuidOf } from './questions.ts';
import { numberIn } from './run-names.ts';

type Read = (payload: Fields) => ProviderEvent | undefined;

const READERS: Readonly<Record<string, Read>> = {
  'repo:push': readPush,
  'pullrequest:created': (payload) => changed(payload, false),
  'pullrequest:updated': (payload) => changed(payload, true),
  'pullrequest:push': (payload) => changed(payload, false),
  'pullrequest:fulfilled': closed,
  'pullrequest:rejected': closed,
  'pullrequest:superseded': closed,
  'repo:commit_status_created': readStatus,
  'repo:commit_status_updated': readStatus,
  'repo:updated': (payload) => ({ kind: 'repo-changed', repo: repoOf(payload), formerName: formerNameIn(payload) }),
  'repo:transfer': (payload) => ({ kind: 'repo-changed', repo: repoOf(payload), formerName: formerNameIn(payload) }),
  'repo:deleted': (payload) => ({ kind: 'repo-removed', repo: repoOf(payload) }),
};

/** What a webhook is to send. */
export const EVENTS: readonly string[] = Object.keys(READERS).filter((name) => name !== 'pullrequest:superseded');

/** Bitbucket sends no more in one message, as far as is known. */
const PAYLOAD_CAP = 10 * 1024 * 1024;

/** Bitbucket's webhook messages, which hold the beginnings of commits. */
export function createBitbucketHook(secret: string | undefined): HostWebhook {
  return createSignedHook({
    ...{ secret, setting: 'BITBUCKET_WEBHOOK_SECRET', host: 'Bitbucket', eventHeader: 'X-Event-Key' },
    bodyLimit: PAYLOAD_CAP,
    isKnown: (name) => Object.hasOwn(READERS, name),
    readEvent: (name, payload) => readBy(READERS, name, fieldsOf(payload)),
  });
}

function repoOf({ repository }: Fields): EventRepo {
  const { uuid, full_name: fullName } = fieldsOf(repository);
  const name = textOf(fullName);
  const isName = name !== undefined && findNameProblem('bitbucket', name) === undefined;
  // Bitbucket does not say which is the default branch, so that nothing else of it could be believed either.
  return {
    id: mustHave(uuidOf(uuid), 'repository.uuid'),
    name: mustHave(isName ? name : undefined, 'repository.full_name'),
    described: undefined,
  };
}

/** What a rename looks like is not documented; both forms are read that clients know. */
function formerNameIn({ changes }: Fields): string | undefined {
  const { full_name: name } = fieldsOf(changes);
  const old = textOf(fieldsOf(name).old);
  return old !== undefined && findNameProblem('bitbucket', old) === undefined ? old : undefined;
}

/** The default branch goes before others that were pushed with it: builds land there. */
function readPush(payload: Fields): ProviderEvent | undefined {
  const { changes } = fieldsOf(payload.push);
  const listed = mustHave(Array.isArray(changes) ? changes.map(fieldsOf) : undefined, 'push.changes');
  const moved = listed.map((change) => fieldsOf(change.new)).filter(({ type }) => type === 'branch');
  const main = textOf(fieldsOf(fieldsOf(payload.repository).mainbranch).name);
  const branch = moved.find(({ name }) => name === main) ?? landingOf(moved, ({ name }) => textOf(name));
  if (branch === undefined) return undefined;
  const commit = textOf(fieldsOf(branch.target).hash);
  return {
    kind: 'pushed',
    repo: repoOf(payload),
    branch: mustHave(textOf(branch.name), 'push.changes.new.name'),
    commit: mustHave(commit !== undefined && isCommitSha(commit) ? commit : undefined, 'push.changes.new.target.hash'),
  };
}

function changed(payload: Fields, baseChanged: boolean): ProviderEvent {
  return { kind: 'pull-request-changed', repo: repoOf(payload), pull: pullOf(payload), baseChanged };
}

function closed(payload: Fields): ProviderEvent {
  return { kind: 'pull-request-closed', repo: repoOf(payload), pull: pullOf(payload) };
}

/** Commits have twelve characters here. */
function pullOf({ pullrequest }: Fields): EventPull {
  const pull = fieldsOf(pullrequest);
  const [source, destination] = [fieldsOf(pull.source), fieldsOf(pull.destination)];
  const state = mustHave(textOf(pull.state), 'pullrequest.state');
  const merged = state === 'MERGED';
  return {
    number: mustHave(idOf(pull.id), 'pullrequest.id'),
    headCommit: mustHave(textOf(fieldsOf(source.commit).hash), 'pullrequest.source.commit.hash'),
    baseBranch: mustHave(textOf(fieldsOf(destination.branch).name), 'pullrequest.destination.branch.name'),
    state: state === 'OPEN' ? 'open' : 'closed',
    merged,
    landedCommit: merged ? textOf(fieldsOf(pull.merge_commit).hash) : undefined,
    fromFork: fieldsOf(source.repository).uuid !== fieldsOf(destination.repository).uuid,
  };
}

const CONCLUSIONS = { SUCCESSFUL: 'success', FAILED: 'failure', STOPPED: 'cancelled' } as const;

/** A pipeline ends by a status of its own. Ours come by the same event, and lead elsewhere. */
function readStatus(payload: Fields): ProviderEvent | undefined {
  const status = fieldsOf(payload.commit_status);
  const url = textOf(status.url) ?? '';
  const [number, state] = [numberIn(url), textOf(status.state) ?? ''];
  if (number === undefined || !Object.hasOwn(CONCLUSIONS, state)) return undefined;
  const hash = textOf(fieldsOf(status.commit).hash);
  return {
    kind: 'run-ended',
    repo: repoOf(payload),
    run: {
      id: number,
      attempt: 1,
      workflowId: 'pipeline',
      conclusion: CONCLUSIONS[state as keyof typeof CONCLUSIONS],
      // Whether it tests a pull request is not said, so that it opens no build.
      event: 'pipeline',
      headCommit: mustHave(hash !== undefined && isCommitSha(hash) ? hash : undefined, 'commit_status.commit.hash'),
      headBranch: textOf(status.refname),
      fromFork: false,
      pullRequests: [],
      url,
    },
  };
}
