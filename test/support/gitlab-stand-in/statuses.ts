import { ancestry } from '../github-stand-in/history.ts';
import { type RepoRecord, type StatusRecord, timestamp, type World } from '../github-stand-in/model.ts';
import type { RestAnswer } from '../rest-stand-in/rest-server.ts';
import { type GitlabRequest, type GitlabWorld, Refused, type StatusJob } from './model.ts';

const STATES = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'];
/** The event of GitLab's state machine that leads to a state. */
const EVENTS: Readonly<Record<string, string>> = { pending: 'enqueue', running: 'run' };

/** `POST /projects/:id/statuses/:sha`, as GitLab's service of that name goes about it. */
export async function setStatus(
  gitlab: GitlabWorld,
  repo: RepoRecord,
  sha: string,
  { body, caller }: GitlabRequest,
): Promise<RestAnswer> {
  const lock = `${repo.id} ${sha}`;
  if (gitlab.locks.has(lock)) throw new Refused(409, 'Another update to this commit status is in progress');
  gitlab.locks.add(lock);
  try {
    // Long enough for another request to find the lock.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return set(gitlab, repo, { sha, body, user: caller.username });
  } finally {
    gitlab.locks.delete(lock);
  }
}

function set(
  gitlab: GitlabWorld,
  repo: RepoRecord,
  { sha, body, user }: { readonly sha: string; readonly body: GitlabRequest['body']; readonly user: string },
): RestAnswer {
  const { state, description = null, target_url: url = null } = body;
  const name = body.name ?? body.context ?? 'default';
  if (!STATES.includes(String(state))) throw new Refused(400, 'state does not have a valid value');
  for (const [field, value] of Object.entries({ name, description, target_url: url, ref: body.ref }))
    if (typeof value === 'string' && value.length > 255)
      throw new Refused(400, { [field]: ['is too long (maximum is 255 characters)'] });
  if (!repo.commits.has(sha)) throw new Refused(404, '404 Commit Not Found');
  const { pipelineId, ref } = findPipeline(gitlab, repo, { sha, body });
  const known = jobsOf(gitlab, repo, sha).findLast(
    (job) => job.name === name && job.user === user && job.pipelineId === pipelineId,
  );
  const under = known !== undefined && ['pending', 'running'].includes(known.status) ? known : undefined;
  if (under !== undefined && state === 'pending') throw refusedTransition('pending', under);
  if (under !== undefined && state === 'running' && under.status === 'running')
    throw refusedTransition('running', under);
  const said = { status: String(state), description: description as string | null, targetUrl: url as string | null };
  gitlab.nextId += 1;
  const job = under ?? { id: gitlab.nextId, repoId: repo.id, sha, ref, pipelineId, name: String(name), user, ...said };
  if (under === undefined) gitlab.jobs.push(job);
  Object.assign(job, said);
  note(gitlab.world, repo, job);
  return { status: 201, body: present(job) };
}

const SHOWN: Readonly<Record<string, StatusRecord['state']>> = { success: 'success', failed: 'failure' };

function note(world: World, repo: RepoRecord, job: StatusJob): void {
  const { sha, name: context, description, targetUrl, user: login } = job;
  const state = SHOWN[job.status] ?? 'pending';
  const createdAt = timestamp(world.now());
  repo.statuses.push({ id: world.nextId('status'), sha, context, state, description, targetUrl, login, createdAt });
}

function refusedTransition(state: string, { status }: StatusJob): Refused {
  const event = EVENTS[state];
  const why = `Status cannot transition via "${event}"`;
  return new Refused(400, `Cannot transition status via :${event} from :${status} (Reason(s): ${why})`);
}

function findPipeline(
  gitlab: GitlabWorld,
  repo: RepoRecord,
  { sha, body }: { readonly sha: string; readonly body: GitlabRequest['body'] },
): { readonly pipelineId: number; readonly ref: string } {
  const pipelines = [
    ...[...repo.runs.values()].filter((run) => run.headSha === sha && isOwn(repo, run.headRepo)),
    ...gitlab.external.filter((one) => one.repoId === repo.id && one.sha === sha),
  ];
  if (body.pipeline_id !== undefined) {
    const named = pipelines.find(({ id }) => id === body.pipeline_id);
    if (named === undefined) throw new Refused(404, '404 Pipeline Not Found');
    return { pipelineId: named.id, ref: refOf(named) };
  }
  const newest = pipelines.findLast((one) => body.ref === undefined || refOf(one) === body.ref);
  if (newest !== undefined) return { pipelineId: newest.id, ref: refOf(newest) };
  const branch = [...repo.branches].find(([, head]) => ancestry(repo, head).includes(sha))?.[0];
  const ref = typeof body.ref === 'string' ? body.ref : branch;
  if (ref === undefined) throw new Refused(404, '404 References for commit Not Found');
  gitlab.nextId += 1;
  gitlab.external.push({ id: gitlab.nextId, repoId: repo.id, sha, ref });
  return { pipelineId: gitlab.nextId, ref };
}

function refOf(pipeline: { readonly ref?: string; readonly headBranch?: string }): string {
  return pipeline.ref ?? pipeline.headBranch ?? '';
}

/** A fork's pipeline runs in the fork's own project. */
export function isOwn(repo: RepoRecord, headRepo: string): boolean {
  return headRepo.toLowerCase() === `${repo.owner}/${repo.name}`.toLowerCase();
}

export function jobsOf(gitlab: GitlabWorld, repo: Pick<RepoRecord, 'id'>, sha: string): readonly StatusJob[] {
  return gitlab.jobs.filter((job) => job.repoId === repo.id && job.sha === sha);
}

/** The state that is sent as `state` comes back as `status`. */
export function present(job: StatusJob) {
  const { id, sha, ref, status, name, description, targetUrl, pipelineId } = job;
  return {
    id,
    sha,
    ref,
    status,
    name,
    description,
    target_url: targetUrl,
    pipeline_id: pipelineId,
    allow_failure: false,
  };
}
