import type { PlaceId } from '../../../server/src/core/announce/delivery.ts';
import { ANNOTATION_LIMIT, type CheckRunCall, type CheckRuns } from '../../../server/src/ports/check-runs.ts';
import { type Provider, ProviderFailure } from '../../../server/src/ports/provider.ts';
import type { ProviderFacts } from '../../../server/src/ports/provider-facts.ts';
import type { CheckRunRecord, RepoRecord, World } from '../github-stand-in/model.ts';
import { timestamp } from '../github-stand-in/model.ts';
import { addComment } from '../github-stand-in/set-up.ts';
import { findRepo } from './fake-reads.ts';

interface Caller {
  readonly login: string;
  readonly isApp: boolean;
}

type Writes = Omit<Provider, keyof ProviderFacts> & CheckRuns;

/** What is written to a host in memory, and read back. Refusals are permanent and carry GitHub's status. */
export function createFakeWrites(world: World, caller: Caller): Writes {
  return { ...statuses(world, caller), ...comments(world, caller), ...checkRuns(world, caller) };
}

function statuses(world: World, { login }: Caller): Pick<Provider, 'setStatus' | 'readStatus'> {
  return {
    async setStatus({ repo, commit, context, content: { state, description, targetUrl } }) {
      const holder = repoToWrite(world, repo, commit);
      const fields = { sha: commit, state, context, description, targetUrl, login };
      holder.statuses.push({ id: world.nextId('status'), ...fields, createdAt: timestamp(world.now()) });
    },
    async readStatus({ repo, commit, context }) {
      const isSame = (one: { readonly sha: string; readonly context: string }): boolean =>
        one.sha === commit && one.context.toLowerCase() === context.toLowerCase();
      const found = findRepo(world, repo)?.statuses.findLast(isSame);
      return found && { state: found.state, description: found.description ?? '', targetUrl: found.targetUrl ?? '' };
    },
  };
}

function comments(world: World, { login }: Caller): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  return {
    async createComment({ repo, pullRequest, body }) {
      const holder = findRepo(world, repo);
      if (!holder?.pullRequests.has(pullRequest)) throw refusal(404, 'there is no such pull request');
      return addComment(world, holder, { pullRequest, login, body }).id;
    },
    async updateComment({ repo, commentId, body }) {
      const known = findRepo(world, repo)?.comments;
      const comment = known?.get(Number(commentId));
      if (!known || !comment) return 'gone';
      known.set(comment.id, { ...comment, body, edits: comment.edits + 1, updatedAt: timestamp(world.now()) });
      return 'updated';
    },
    async findComment({ repo, pullRequest, marker }) {
      const holder = findRepo(world, repo);
      if (!holder?.pullRequests.has(pullRequest)) throw refusal(404, 'there is no such pull request');
      const ours = [...holder.comments.values()].filter(
        (one) => one.pullRequest === pullRequest && one.login === login,
      );
      const found = ours.find(({ body }) => body.split(/\r?\n/, 1)[0] === marker);
      return found && { id: found.id, body: found.body.replaceAll('\r\n', '\n') };
    },
  };
}

function checkRuns(world: World, { isApp }: Caller): CheckRuns {
  const check = ({ annotations }: CheckRunCall): void => {
    if (annotations.length > ANNOTATION_LIMIT)
      throw new ProviderFailure('permanent', 'There are too many annotations.');
    if (!isApp) throw refusal(403, 'only an App may do that');
  };
  return {
    async createCheckRun(call) {
      const holder = findRepo(world, call.repo);
      check(call);
      if (!holder) throw refusal(404, 'there is no such repo');
      if (!holder.commits.has(call.commit)) throw refusal(422, 'there is no such commit');
      const record = { id: world.nextId('check'), sha: call.commit, ...toRecord(call) };
      holder.checkRuns.set(record.id, record);
      return record.id;
    },
    async updateCheckRun(call) {
      const holder = findRepo(world, call.repo);
      check(call);
      const known = holder?.checkRuns.get(Number(call.checkRunId));
      if (!holder || !known) return 'gone';
      holder.checkRuns.set(known.id, { ...known, ...toRecord(call), annotations: known.annotations });
      return 'updated';
    },
    async findCheckRun(call) {
      const ofName = [...(findRepo(world, call.repo)?.checkRuns.values() ?? [])].filter(
        ({ sha, name }) => sha === call.commit && name === call.name,
      );
      const newest = ofName.at(-1);
      return newest?.externalId === JSON.stringify(call) ? newest.id : undefined;
    },
  };
}

function toRecord({
  checkRunId: _,
  ...call
}: CheckRunCall & { readonly checkRunId?: PlaceId }): Omit<CheckRunRecord, 'id' | 'sha'> {
  const { name, detailsUrl, conclusion, title, summary, annotations } = call;
  return {
    name,
    detailsUrl,
    externalId: JSON.stringify(call),
    status: 'completed',
    conclusion,
    title,
    summary,
    annotations: annotations.map(({ file, firstLine, lastLine, level, message }) => ({
      path: file,
      start_line: firstLine,
      end_line: lastLine,
      annotation_level: level,
      message,
    })),
  };
}

function repoToWrite(world: World, name: string, commit: string): RepoRecord {
  const repo = findRepo(world, name);
  if (!repo) throw refusal(404, 'there is no such repo');
  if (!repo.commits.has(commit)) throw refusal(422, 'there is no such commit');
  return repo;
}

function refusal(status: number, reason: string): ProviderFailure {
  return new ProviderFailure('permanent', `The host in memory answered ${status}: ${reason}.`, { status });
}
