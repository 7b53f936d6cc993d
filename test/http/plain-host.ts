import type { StatusContent } from '../../server/src/core/announce/delivery.ts';
import { Failure } from '../../server/src/core/failure.ts';
import type { HostTerms, HostTokens } from '../../server/src/core/repo/git-host.ts';
import type { HostKind } from '../../server/src/hosts/host-kind.ts';
import type { Host } from '../../server/src/ports/host.ts';
import { type Provider, ProviderFailure, type StatusCall } from '../../server/src/ports/provider.ts';
import type { HostWebhook, ProviderEvent } from '../../server/src/ports/provider-events.ts';

/** A merge request of the plain host. */
export interface PlainChange {
  readonly head: string;
  readonly base: string;
  readonly landed?: string;
}

/**
 * A git host that shares nothing with the shape of GitHub's: ids are texts, a status is one row that is replaced,
 * comments hold no HTML, a change is the merge request `!7`, no commit says its tree, and there are no check runs.
 */
export interface PlainHost {
  readonly kind: HostKind<unknown>;
  readonly changes: Map<number, PlainChange>;
  /** For each commit its first parent, and a text that stands for all its files. */
  readonly commits: Map<string, { readonly parent: string | undefined; readonly files: string }>;
  /** By commit and context. */
  readonly statuses: Map<string, StatusCall>;
  /** By their ids. */
  readonly notes: Map<string, { readonly change: number; readonly body: string }>;
}

/** Its one repo, as events name it. */
export const PLAIN_REPO = {
  id: '{bc771cbf-0000-4000-8000-000000000001}',
  name: 'team/shop',
  described: undefined,
} as const;
/** Signs its messages. */
export const PLAIN_SECRET = 'secret-of-the-plain-host';
const TERMS: HostTerms = {
  pullRequest: 'merge request',
  symbol: '!',
  maxDescription: 60,
  comment: { maxLength: 4_000, html: false, marker: (text) => `[coverage]: # "${text.replaceAll('"', '')}"` },
  mergedBy: () => undefined,
};

export function createPlainHost(): PlainHost {
  const world = { changes: new Map(), commits: new Map(), statuses: new Map(), notes: new Map() };
  return { ...world, kind: { connect: () => faceOf(providerOf(world)), tokenForms: [] } };
}

function providerOf({ changes, commits, statuses, notes }: Omit<PlainHost, 'kind'>): Provider {
  const nothing = async () => undefined;
  return {
    setStatus: async (call) => {
      if (!commits.has(call.commit)) throw new ProviderFailure('permanent', 'No such commit.');
      statuses.set(`${call.commit} ${call.context}`, call);
    },
    readStatus: async ({ commit, context }): Promise<StatusContent | undefined> =>
      statuses.get(`${commit} ${context}`)?.content,
    createComment: async ({ pullRequest, body }) => {
      const id = `note-${notes.size + 1}`;
      notes.set(id, { change: pullRequest, body });
      return id;
    },
    updateComment: async ({ commentId, body }) => {
      const known = notes.get(String(commentId));
      if (known !== undefined) notes.set(String(commentId), { ...known, body });
      return known === undefined ? 'gone' : 'updated';
    },
    findComment: async ({ pullRequest, marker }) => {
      const [id, note] =
        [...notes].find(([, one]) => one.change === pullRequest && one.body.split('\n', 1)[0] === marker) ?? [];
      return id === undefined || note === undefined ? undefined : { id, body: note.body };
    },
    describePullRequest: async ({ pullRequest }) => {
      const change = changes.get(pullRequest);
      return (
        change && {
          headCommit: change.head,
          headBranch: 'topic',
          headRepoId: PLAIN_REPO.id,
          baseBranch: 'main',
          baseCommit: change.base,
          mergeCommit: undefined,
          state: change.landed === undefined ? 'open' : 'closed',
          title: 'Take coupons',
          openedAt: undefined,
          merged: change.landed !== undefined,
          landedCommit: change.landed,
          fromFork: false,
        }
      );
    },
    describeCommit: async ({ commit }) => {
      const known = commits.get(commit);
      return known && { parents: known.parent === undefined ? [] : [known.parent], message: 'A commit' };
    },
    haveSameTree: async ({ one, other }) => commits.get(one)?.files === commits.get(other)?.files,
    findMergeBase: async ({ head }) => {
      const parent = commits.get(head)?.parent;
      return parent === undefined ? undefined : { commit: parent, ahead: 1, behind: 0 };
    },
    describeRepo: async () => ({ ...PLAIN_REPO, defaultBranch: 'main', visibility: 'private', parent: undefined }),
    describeRepoById: nothing,
    listPullRequestsFrom: nothing,
    listOpenPullRequests: nothing,
    listBranchesAt: nothing,
    listFirstParents: nothing,
    compareFiles: nothing,
    readFile: nothing,
    readRun: nothing,
    listRuns: nothing,
    listRunsOfCommit: nothing,
    findPullRequestsOfRun: nothing,
  };
}

/** Its messages are the events themselves, and bear the secret in the header `X-Plain`. */
const readEvent: HostWebhook['read'] = async ({ header, body }) => {
  if (header('X-Plain') !== PLAIN_SECRET) throw new Failure('credential-unknown', 'X-Plain is wrong.');
  const event = JSON.parse(Buffer.from(body).toString()) as ProviderEvent;
  return { name: event.kind, event };
};

const TOKENS: HostTokens = {
  kindOf: (token) => (/^plain-[\w-]{1,100}$/.test(token) ? 'person' : undefined),
  describe: (token) => (token.startsWith('plain-') ? 'a token of Plain' : undefined),
  words: {
    accepted: 'a personal token',
    ofJob: "a job's PLAIN_JOB_TOKEN",
    runId: 'PLAIN_PIPELINE_ID',
    commit: 'PLAIN_COMMIT',
    mayPush: 'access level',
    covered: 'GET /projects',
    seeRun: 'The job must belong to the repo.',
    needs: 'A token needs the scope read.',
    address: 'PLAIN_URL',
  },
};

function faceOf(provider: Provider): Host {
  return {
    service: 'forgejo',
    name: 'Plain',
    provider,
    app: undefined,
    appSetup: undefined,
    credential: 'PLAIN_TOKEN',
    checkRuns: undefined,
    accessLosses: { uninstalled: 'gone', suspended: 'halted', deselected: 'taken out' },
    terms: TERMS,
    refs: { pullRequestOf: () => undefined, queueOf: () => undefined },
    runs: {
      serviceName: 'plain-ci',
      isServiceName: (text) => text === 'plain-ci',
      isRunId: (text) => text.startsWith('{'),
      forkProof: 'run-id',
      isPageOf: () => false,
      triggerOf: () => 'other',
      botWithoutSecrets: () => undefined,
    },
    tokens: TOKENS,
    webhook: {
      hasSecret: true,
      bodyLimit: 10_000,
      checkHeaders({ header }) {
        if (header('X-Plain') === undefined) throw new Failure('credential-missing', 'X-Plain is missing.');
      },
      read: readEvent,
    },
    signIn: undefined,
    idTokens: undefined,
    checkUp: () => Promise.reject(new ProviderFailure('transient', 'not asked')),
    openTokenView: () => ({
      readRepo: async ({ repo }) => (repo === PLAIN_REPO.name ? { ...PLAIN_REPO, mayPush: true } : undefined),
      findInstalled: async () => ({ repo: undefined, covered: 0 }),
      readRun: (call) => provider.readRun(call),
      describeCommit: (call) => provider.describeCommit(call),
      describePullRequest: (call) => provider.describePullRequest(call),
    }),
    linksOf: (repo) => ({
      lines: ({ commit, file, first }) => `https://plain.example/${repo}/${commit}/${file}:${first}`,
      pull: (number) => `https://plain.example/${repo}/pulls/${number}`,
    }),
  };
}
