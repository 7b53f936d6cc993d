import { fieldsOf, textOf } from '../answers.ts';

/** What the App does there, and nothing more (docs/github-app.md, "A GitHub App by hand"). */
export const PERMISSIONS = {
  statuses: 'write',
  pull_requests: 'write',
  checks: 'write',
  contents: 'read',
  actions: 'read',
  metadata: 'read',
} as const;
export const EVENTS = ['pull_request', 'push', 'workflow_run', 'repository'];

const LEVELS = ['read', 'write', 'admin'];

/** Permissions that are needed and not granted, as `checks: write`. */
export function missingPermissions(granted: unknown): readonly string[] {
  const levels = fieldsOf(granted);
  return Object.entries(PERMISSIONS)
    .filter(([name, level]) => LEVELS.indexOf(String(levels[name])) < LEVELS.indexOf(level))
    .map(([name, level]) => `${name}: ${level}`);
}

export function missingEvents(subscribed: unknown): readonly string[] {
  return EVENTS.filter((event) => !Array.isArray(subscribed) || !subscribed.includes(event));
}

/** For a classic token; undefined: GitHub does not say what the token may do. */
export function readScopes(header: unknown): readonly string[] | undefined {
  return textOf(header)?.split(/,\s*/);
}

/** `repo` holds the others. */
export function missingScopes(scopes: readonly string[] | undefined): readonly string[] {
  return scopes === undefined || scopes.includes('repo') ? [] : ['repo'];
}
