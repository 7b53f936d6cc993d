import type { InstallationRecord } from './apps.ts';
import type { RepoRecord, RunRecord, World } from './model.ts';
import { personOf, repoNamed, timestamp } from './model.ts';
import { checkWebhook } from './openapi-check.ts';
import { presentInstallation } from './present-app.ts';
import { presentPullRequest } from './present-commit.ts';
import { nodeId, presentPerson, presentRepo } from './present-repo.ts';
import { presentRun } from './present-run.ts';
import { pullRequestsOfRun } from './run-operations.ts';

/** What a webhook is sent: the event's name, and its payload, which fits GitHub's description. */
export interface Delivery {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The App whose webhook it comes by; undefined: a repo's or organization's. */
  readonly app?: number;
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
  /** `workflow`: the workflow's id; 161335 by default. */
  runCompleted(repo: string, run: RunRecord, options?: DeliveryOptions & { readonly workflow?: number }): Delivery;
  repository(repo: string, options: DeliveryOptions & { readonly action: string }): Delivery;
  /** An App was given these repos, or lost them. */
  reposAdded(repos: readonly string[], by?: InstallationRecord): Delivery;
  reposRemoved(repos: readonly string[], by: InstallationRecord): Delivery;
  /** A whole installation changed. */
  installation(by: InstallationRecord, action: InstallationAction, repos?: readonly string[]): Delivery;
  ownerRenamed(by: InstallationRecord, from: string, to: string): Delivery;
  ping(): Delivery;
}

export type InstallationAction = 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted';

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
    push: (name, ref, after, options) =>
      checked('push', 'push', { ...pushOf(ref, after), ...about(name, options).common }),
    runCompleted(name, run, { workflow = WORKFLOW, ...options } = {}) {
      const { repo, common } = about(name, options);
      const payload = { action: 'completed', ...runOf(world, repo, { run, workflow }), ...common };
      return checked('workflow_run', 'workflow-run-completed', payload);
    },
    repository(name, { action, changes, ...options }) {
      const payload = { action, ...(changes && { changes }), ...about(name, options).common };
      return checked('repository', `repository-${action}`, payload);
    },
    ...installationDeliveriesOf(world, sender),
    ping: () => ({
      event: 'ping',
      payload: { zen: 'Half measures are as bad as nothing at all.', hook_id: 1, sender: sender() },
    }),
  };
}

function installationDeliveriesOf(
  world: World,
  sender: () => object,
): Pick<Deliveries, 'reposAdded' | 'reposRemoved' | 'installation' | 'ownerRenamed'> {
  const listed = (names: readonly string[]) => names.map((name) => presentListed(repoIn(world, name)));
  const changed = (action: 'added' | 'removed', by: InstallationRecord, names: readonly string[]): Delivery => {
    const none = { repositories_added: [], repositories_removed: [], [`repositories_${action}`]: listed(names) };
    const installation = presentInstallation(world, by);
    const common = {
      repository_selection: installation.repository_selection,
      installation,
      requester: null,
      sender: sender(),
    };
    const delivery = checked('installation_repositories', `installation-repositories-${action}`, {
      action,
      ...none,
      ...common,
    });
    return { ...delivery, app: by.app.id };
  };
  return {
    reposAdded(names, by) {
      if (by !== undefined) return changed('added', by, names);
      // For an App that the payload leaves out: the description of an installation is long, and not needed.
      const payload = { action: 'added', repository_selection: 'selected', repositories_added: listed(names) };
      const more = { repositories_removed: [], requester: null, sender: sender() };
      return { event: 'installation_repositories', payload: { ...payload, ...more } };
    },
    reposRemoved: (names, by) => changed('removed', by, names),
    installation(by, action, names) {
      const repositories = names === undefined ? {} : { repositories: listed(names) };
      const payload = { action, installation: presentInstallation(world, by), ...repositories, sender: sender() };
      const requester = action === 'created' ? { requester: null } : {};
      const description = `installation-${action.replaceAll('_', '-')}`;
      return { ...checked('installation', description, { ...payload, ...requester }), app: by.app.id };
    },
    ownerRenamed(by, from, to) {
      const account = { ...presentPerson(world, personOf(world, to)), type: 'Organization' };
      const installation = { id: by.id, node_id: nodeId('IntegrationInstallation', by.id) };
      const payload = {
        action: 'renamed',
        account,
        changes: { login: { from } },
        target_type: 'Organization',
        installation,
      };
      return { ...checked('installation_target', 'installation-target-renamed', payload), app: by.app.id };
    },
  };
}

/** A repo as installations list it. */
function presentListed(repo: RepoRecord): object {
  const full_name = `${repo.owner}/${repo.name}`;
  return { id: repo.id, node_id: nodeId('Repository', repo.id), name: repo.name, full_name, private: repo.private };
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

function runOf(
  world: World,
  repo: RepoRecord,
  { run, workflow }: { readonly run: RunRecord; readonly workflow: number },
) {
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
