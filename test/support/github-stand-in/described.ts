import { operations } from './operations.ts';

const webhooks = (event: string, ...actions: readonly string[]): string[] =>
  actions.map((action) => `webhook-${event}-${action}`);

const WEBHOOKS = [
  ...webhooks('installation', 'created', 'deleted', 'new-permissions-accepted', 'suspend', 'unsuspend'),
  ...webhooks('installation-repositories', 'added', 'removed'),
  ...webhooks('installation-target', 'renamed'),
  ...webhooks('pull-request', 'closed', 'edited', 'opened', 'ready-for-review', 'reopened', 'synchronize'),
  'webhook-push',
  ...webhooks('repository', 'archived', 'created', 'deleted', 'edited', 'privatized', 'publicized'),
  ...webhooks('repository', 'renamed', 'transferred', 'unarchived'),
  ...webhooks('workflow-run', 'completed'),
];

/** The forms of failures, for operations whose description leaves theirs out. */
export const FAILURE_SCHEMAS = { validation: 'validation-error', other: 'basic-error' } as const;

/** What the excerpt of GitHub's description holds: after a change here, `npm run excerpt`. */
export const DESCRIBED = {
  operations: operations.map(({ method, template }) => ({ method, template })),
  schemas: [...Object.values(FAILURE_SCHEMAS), ...WEBHOOKS],
} as const;
