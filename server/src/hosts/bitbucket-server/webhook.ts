import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { EventPull, EventRepo, HostWebhook, ProviderEvent } from '../../ports/provider-events.ts';
import { type Fields, fieldsOf, isCommitSha, textOf } from '../answers.ts';
import { mustHave } from '../payloads.ts';
import { createSignedHook, landingOf, readBy } from '../signed-body.ts';
import { toPull } from './facts.ts';
import { identityOf } from './questions.ts';

const READERS: Readonly<Record<string, (payload: Fields) => ProviderEvent | undefined>> = {
  'repo:refs_changed': readPush,
  'pr:opened': (payload) => changed(payload, false),
  'pr:from_ref_updated': (payload) => changed(payload, false),
  'pr:modified': (payload) => changed(payload, fieldsOf(payload.previousTarget).id !== undefined),
  'pr:merged': closed,
  'pr:declined': closed,
  'pr:deleted': closed,
  'repo:modified': (payload) => ({
    kind: 'repo-changed',
    repo: repoOf(payload.new, 'new'),
    formerName: identityOf(fieldsOf(payload.old))?.name,
  }),
};

/** What a webhook is to send. */
export const EVENTS: readonly string[] = Object.keys(READERS);

export const HOOK = { setting: 'BITBUCKET_SERVER_WEBHOOK_SECRET', host: 'Bitbucket Data Center' } as const;

const PAYLOAD_CAP = 10 * 1024 * 1024;

/** The webhook messages of Bitbucket Data Center. */
export function createDataCenterHook(secret: string | undefined): HostWebhook {
  return createSignedHook({
    ...{ ...HOOK, secret },
    eventHeader: 'X-Event-Key',
    bodyLimit: PAYLOAD_CAP,
    isKnown: (name) => Object.hasOwn(READERS, name),
    readEvent: (name, payload) => readBy(READERS, name, fieldsOf(payload)),
  });
}

function repoOf(repository: unknown, field: string): EventRepo {
  const repo = identityOf(fieldsOf(repository));
  const isRepo = repo !== undefined && findNameProblem('stash', repo.name) === undefined;
  const { id, name } = mustHave(isRepo ? repo : undefined, field);
  return { id, name, described: undefined };
}

function readPush({ changes, repository }: Fields): ProviderEvent | undefined {
  const listed = mustHave(Array.isArray(changes) ? changes.map(fieldsOf) : undefined, 'changes');
  const moved = listed.filter(({ type, ref }) => type !== 'DELETE' && fieldsOf(ref).type === 'BRANCH');
  const change = landingOf(moved, ({ ref }) => textOf(fieldsOf(ref).displayId));
  if (change === undefined) return undefined;
  const commit = textOf(change.toHash);
  return {
    kind: 'pushed',
    repo: repoOf(repository, 'repository'),
    branch: mustHave(textOf(fieldsOf(change.ref).displayId), 'changes.ref.displayId'),
    commit: mustHave(commit !== undefined && isCommitSha(commit) ? commit : undefined, 'changes.toHash'),
  };
}

function changed(payload: Fields, baseChanged: boolean): ProviderEvent {
  return { kind: 'pull-request-changed', ...pullIn(payload), baseChanged };
}

function closed(payload: Fields): ProviderEvent {
  return { kind: 'pull-request-closed', ...pullIn(payload) };
}

function pullIn({ pullRequest }: Fields): { readonly repo: EventRepo; readonly pull: EventPull } {
  const pull = fieldsOf(pullRequest);
  return {
    repo: repoOf(fieldsOf(pull.toRef).repository, 'pullRequest.toRef.repository'),
    pull: mustHave(toPull(pull), 'pullRequest'),
  };
}
