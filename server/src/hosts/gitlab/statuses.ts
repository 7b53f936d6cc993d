import type { CommitStatusState } from '../../core/announce/delivery.ts';
import { quoteValue } from '../../core/failure.ts';
import { type Provider, ProviderFailure, type StatusCall } from '../../ports/provider.ts';
import { type Fields, idOf, isCommitSha, isNumericId, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { definiteAnswer } from '../rest/questions.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, type Gitlab, inProject } from './questions.ts';

type Shown = NonNullable<Awaited<ReturnType<Provider['readStatus']>>>;
type Place = Omit<StatusCall, 'content'>;

const STATES = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' } as const;
/** GitLab takes no longer address. */
const MAX_URL = 255;

/**
 * Commit statuses at GitLab: each is a job of a pipeline, so it is set on the pipeline that the upload names, else on
 * the newest of the commit. GitLab sets one status of a commit at a time and answers 409 in the meantime: ours wait for
 * each other.
 */
export function createStatuses(gitlab: Gitlab): Pick<Provider, 'setStatus' | 'readStatus'> {
  const inTurn = createTurns();
  return {
    setStatus: (call) => {
      const { repo, commit } = call;
      if (!isCommitSha(commit)) throw new ProviderFailure('permanent', say.shaNotWhole(quoteValue(commit)));
      return inTurn(`${repo} ${commit}`, () => inProject(gitlab, repo, (ask, path) => setStatus(ask, path, call)));
    },
    readStatus: (place) =>
      definiteAnswer(inProject(gitlab, place.repo, (ask, path) => findStatus(ask, `${path}/repository`, place))),
  };
}

/** What is asked for under one key, one after the other. */
function createTurns(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(run, run);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}

/** A merge that was tested has a pipeline of its own: there the status is shown too. */
async function setStatus(ask: Ask, path: string, call: StatusCall): Promise<void> {
  const { commit, origin, pullRequest } = call;
  const tested = origin?.tested;
  const run = origin?.run !== undefined && isNumericId(origin.run) ? origin.run : undefined;
  if (tested !== undefined && tested !== commit && isCommitSha(tested))
    await definiteAnswer(post(ask, path, { ...call, commit: tested }, run));
  const named = tested === undefined || tested === commit ? run : undefined;
  const pipeline = named ?? (await findPipeline(ask, path, { commit, pullRequest }));
  try {
    await post(ask, path, call, pipeline);
  } catch (error) {
    // The pipeline may be of a fork, or full.
    if (named === undefined || !isRefused(error, 404, 422)) throw error;
    await post(ask, path, call, await findPipeline(ask, path, { commit, pullRequest }));
  }
}

function isRefused(error: unknown, ...statuses: readonly number[]): error is ProviderFailure {
  return error instanceof ProviderFailure && error.kind === 'permanent' && statuses.includes(error.status ?? 0);
}

/** The newest that somebody's CI made: of a merge request's head its own pipeline, which its page shows. */
async function findPipeline(
  ask: Ask,
  path: string,
  { commit, pullRequest }: Pick<StatusCall, 'commit' | 'pullRequest'>,
): Promise<string | undefined> {
  const query = { sha: commit, order_by: 'id', sort: 'desc', per_page: '20' };
  const { entries } = await askForPage(ask, OPERATIONS.listPipelines, { path: `${path}/pipelines`, query });
  const made = entries.filter(({ source }) => source !== 'external');
  const ofChange = made.find(({ source }) => source === 'merge_request_event');
  const found = (pullRequest === undefined ? undefined : ofChange) ?? made[0] ?? entries[0];
  return idOf(found?.id)?.toString();
}

async function post(ask: Ask, path: string, call: StatusCall, pipeline: string | undefined): Promise<void> {
  const { commit, context, content, origin, pullRequest } = call;
  const { state, description, targetUrl } = content;
  const asked = {
    state: STATES[state],
    name: context,
    description,
    ...(targetUrl.length <= MAX_URL && { target_url: targetUrl }),
    ...(pipeline !== undefined && { pipeline_id: Number(pipeline) }),
    ...(pipeline === undefined && pullRequest === undefined && origin?.ref !== undefined && { ref: origin.ref }),
  };
  const send = (more: object = {}) =>
    ask(OPERATIONS.setStatus, { method: 'POST', path: `${path}/statuses/${commit}`, body: { ...asked, ...more } });
  try {
    await send();
  } catch (error) {
    // GitLab takes no second `pending`, whatever its text; one that is in progress already is what was wanted.
    if (isRefused(error, 400) && state === 'pending' && /Cannot transition status/i.test(error.message)) {
      const shown = await findStatus(ask, `${path}/repository`, call);
      if (shown?.state === 'pending') return;
    }
    // A fork's head is on no branch of the project.
    const ofFork = isRefused(error, 404) && pullRequest !== undefined && /References/.test(error.message);
    if (!ofFork) throw error;
    await send({ ref: `refs/merge-requests/${pullRequest}/head` });
  }
}

/** The newest of its name. The list holds the jobs of the project's own CI too. */
async function findStatus(ask: Ask, path: string, { commit, context }: Place): Promise<Shown | undefined> {
  if (!isCommitSha(commit)) return undefined;
  const query = { name: context, all: 'true' };
  const { entries } = await askForPage(ask, OPERATIONS.readStatus, {
    path: `${path}/commits/${commit}/statuses`,
    query,
  });
  const named = entries.filter(({ name }) => name === context);
  const newest = named.reduce<Fields | undefined>(
    (best, one) => (best === undefined || (idOf(one.id) ?? 0) > (idOf(best.id) ?? 0) ? one : best),
    undefined,
  );
  return newest && toShown(newest);
}

function toShown({ status, description, target_url: url }: Fields): Shown {
  return { state: stateOf(status), description: textOf(description) ?? '', targetUrl: textOf(url) ?? '' };
}

function stateOf(status: unknown): CommitStatusState {
  if (status === 'success') return 'success';
  if (status === 'failed') return 'failure';
  return status === 'canceled' || status === 'skipped' ? 'error' : 'pending';
}
