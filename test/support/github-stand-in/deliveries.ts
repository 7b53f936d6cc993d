import type { RepoRecord, RunRecord, World } from './model.ts';
import { personOf, repoNamed, timestamp } from './model.ts';
import { checkWebhook } from './openapi-check.ts';
import { presentPullRequest } from './present-commit.ts';
import { nodeId, presentPerson, presentRepo } from './present-repo.ts';
import { presentRun } from './present-run.ts';
import { pullRequestsOfRun } from './run-operations.ts';

/** What a webhook is sent: the event's name, and its payload, which fits GitHub's description. */
export interface Delivery {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface DeliveryOptions {
  /** When the host last changed what it says of the repo, ms since 1970. Default: when the repo was made. */
  readonly changedAt?: number;
  readonly action?: string;
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** The webhook's messages about what the host holds as it is now. */
export interface Deliveries {
  pullRequest(repo: string, number: number, options: DeliveryOptions & { readonly action: string }): Delivery;
  push(repo: string, ref: string, after: string, options?: DeliveryOptions): Delivery;
  /** `workflow`: the workflow's id; 161335 unless told. */
  runCompleted(repo: string, run: RunRecord, options?: DeliveryOptions & { readonly workflow?: number }): Delivery;
  repository(repo: string, options: DeliveryOptions & { readonly action: string }): Delivery;
  /** An App was given these repos. */
  reposAdded(repos: readonly string[]): Delivery;
  ping(): Delivery;
}

const WORKFLOW = 161_335;

export function deliveriesOf(world: World): Deliveries {
  const sender = (): object => presentPerson(world, personOf(world, 'mona'));
  const about = (name: string, { changedAt }: DeliveryOptions = {}) => {
    const repo = repoIn(world, name);
    const updated = changedAt === undefined ? repo.createdAt : timestamp(changedAt);
    return { repo, common: { repository: { ...presentRepo(world, repo), updated_at: updated }, sender: sender() } };
  };
  return {
    pullRequest(name, number, { action, changes, ...options }) {
      const { repo, common } = about(name, options);
      const pull = repo.pullRequests.get(number);
      if (!pull) throw new Error(`There is no pull request ${number} in ${name}`);
      const more = action === 'synchronize' ? { before: pull.baseSha, after: pull.headSha } : {};
      const pull_request = { ...presentPullRequest(world, repo, pull), active_lock_reason: null };
      const payload = { action, number, pull_request, ...(changes && { changes }), ...more, ...common };
      return checked('pull_request', `pull-request-${action}`, payload);
    },
    push: (name, ref, after, options) => checked('push', 'push', { ...pushOf(ref, after), ...about(name, options).common }),
    runCompleted(name, run, { workflow = WORKFLOW, ...options } = {}) {
      const { repo, common } = about(name, options);
      const payload = { action: 'completed', ...runOf(world, repo, { run, workflow }), ...common };
      return checked('workflow_run', 'workflow-run-completed', payload);
    },
    repository(name, { action, changes, ...options }) {
      const payload = { action, ...(changes && { changes }), ...about(name, options).common };
      return checked('repository', `repository-${action}`, payload);
    },
    reposAdded(names) {
      const added = names.map((name) => {
        const repo = repoIn(world, name);
        const full_name = `${repo.owner}/${repo.name}`;
        return { id: repo.id, node_id: nodeId('Repository', repo.id), name: repo.name, full_name, private: repo.private };
      });
      // The description of an installation is long, and nothing of it matters.
      const payload = { action: 'added', repository_selection: 'selected', repositories_added: added, repositories_removed: [] };
      return { event: 'installation_repositories', payload: { ...payload, requester: null, sender: sender() } };
    },
    ping: () => ({
      event: 'ping',
      payload: { zen: 'Half measures are as bad as nothing at all.', hook_id: 1, sender: sender() },
    }),
  };
}

function checked(event: string, description: string, payload: Record<string, unknown>): Delivery {
  const problems = checkWebhook(description, payload);
  if (problems.length > 0) throw new Error(`The payload of ${description} is not GitHub's: ${problems.join('; ')}`);
  return { event, payload };
}

function repoIn(world: World, name: string): RepoRecord {
  const repo = world.repos.get(name.toLowerCase());
  if (!repo) throw new Error(`There is no repo ${name}: addRepo first`);
  return repo;
}

function pushOf(ref: string, after: string): Record<string, unknown> {
  const deleted = /^0+$/.test(after);
  return {
    ref,
    before: 'e'.repeat(40),
    after,
    created: false,
    deleted,
    forced: false,
    base_ref: null,
    compare: 'https://github.com/acme/shop/compare/e...a',
    commits: [],
    head_commit: null,
    pusher: { name: 'mona', email: 'mona@example.com' },
  };
}

function runOf(world: World, repo: RepoRecord, { run, workflow }: { readonly run: RunRecord; readonly workflow: number }) {
  const described = presentRun(world, repo, { run, pullRequests: pullRequestsOfRun(repo, run) });
  const url = `${String(described.url)}/../workflows/${workflow}`;
  const holder = repoNamed(world, repo, run.headRepo);
  return {
    workflow_run: { ...described, workflow_id: workflow, head_repository: { ...presentRepo(world, holder) } },
    workflow: {
      id: workflow,
      node_id: nodeId('Workflow', workflow),
      name: 'CI',
      path: '.github/workflows/ci.yml',
      state: 'active',
      created_at: repo.createdAt,
      updated_at: repo.createdAt,
      url,
      html_url: url,
      badge_url: `${url}/badge.svg`,
    },
  };
}
