import { type AppRecord, accountId, type InstallationRecord } from './apps.ts';
import type { World } from './model.ts';
import { timestamp } from './model.ts';
import { nodeId, presentPerson } from './present-repo.ts';

/** What docs/github-app.md asks for. */
export const PERMISSIONS = {
  statuses: 'write',
  pull_requests: 'write',
  checks: 'write',
  contents: 'read',
  actions: 'read',
  metadata: 'read',
} as const;
const EVENTS = ['pull_request', 'push', 'workflow_run', 'repository'];
const MADE = '2020-01-01T00:00:00Z';

/** `integration`: the App as what it did names it. */
export function presentApp(world: World, { id, slug, permissions, events }: AppRecord): Record<string, unknown> {
  return {
    id,
    slug,
    client_id: `Iv1.${id.toString(16).padStart(16, '0')}`,
    node_id: nodeId('Integration', id),
    owner: presentPerson(world, { login: 'app-maker', id: accountId('app-maker'), type: 'User' }),
    name: slug,
    description: '',
    external_url: 'https://coverage.example',
    html_url: `https://github.com/apps/${slug}`,
    created_at: MADE,
    updated_at: MADE,
    permissions: permissions ?? PERMISSIONS,
    events: events ?? EVENTS,
  };
}

/** `installation`. */
export function presentInstallation(world: World, installation: InstallationRecord): Record<string, unknown> {
  const { id, app, owner, repos, suspendedAt, createdAt } = installation;
  const account = presentPerson(world, { login: owner, id: accountId(owner), type: 'User' });
  return {
    id,
    account: { ...account, type: 'Organization' },
    repository_selection: repos === undefined ? 'all' : 'selected',
    access_tokens_url: `${world.apiUrl}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url: `https://github.com/organizations/${owner}/settings/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: accountId(owner),
    target_type: 'Organization',
    permissions: installation.permissions ?? app.permissions ?? PERMISSIONS,
    events: app.events ?? EVENTS,
    created_at: timestamp(createdAt),
    updated_at: timestamp(createdAt),
    single_file_name: null,
    suspended_by: suspendedAt === undefined ? null : account,
    suspended_at: suspendedAt === undefined ? null : timestamp(suspendedAt),
  };
}
